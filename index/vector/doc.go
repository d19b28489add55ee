/*
Package vector keeps unit vectors compactly and finds those nearest to one.

A [Set] has the vectors of a number of documents, each of which has one for each
of its passages. It consists of a file, which is mapped into memory and never
changes, and of what was put or deleted since, which is in memory alone: the owner
compares stamps after [Open] and puts what is missing. [Write] makes a new file of a
Set, or of nothing.

A component takes two bytes: one in units of the vector's largest component, and one
for what rounding took from it. [Set.Scan] compares a vector with the first bytes of
all of them, and with all bytes of the nearest: that needs no upkeep, little memory,
and is exact but for the rounding of the second.

The package doesn't know where vectors come from, and doesn't interpret keys.
*/
package vector
