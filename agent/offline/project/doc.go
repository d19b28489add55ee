/*
Package project answers what is asked of projects as wholes: to begin one, to go to one and
back, where one stands, which there are, and to rename, merge, archive, delete or reopen one.

A [Navigator] is a turn in which that is done; the offline partner has one for each message.
Where words fit several projects it asks which is meant ([Navigator.Which]), and where none is
known by a name, whether to make it ([Navigator.Unknown]). What changes projects it calls as
any change; whether that is asked about first is not its matter.
*/
package project
