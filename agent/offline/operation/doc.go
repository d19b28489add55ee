/*
Package operation answers what is said of kist's own operations: of proposals, a go or a no and
the question which ones wait (pending.go), and of changes, the wish to take one back (undo.go)
and the question which there were (changes.go).

A [Log] is a turn in which that is done; the offline partner has one for each message. It
decides nothing: what a go means, the engine has settled before, and what an undo takes back
is found by the tool.
*/
package operation
