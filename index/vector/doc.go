/*
Package vector keeps unit vectors compactly and finds those nearest to one.

A [Set] has the vectors of a number of documents, each of which has one for each
of its passages. It consists of a file, which is mapped into memory and never
changes, and of what was put or deleted since, which is in memory alone: the owner
compares stamps after [Open] and puts what is missing. [Write] makes a new file of a
Set, or of nothing.

A component takes one byte: a vector is quantised by its own largest component.
[Set.Scan] compares a vector with all of them, which needs no upkeep and no
parameters, and is exact but for the rounding.

The package doesn't know where vectors come from, and doesn't interpret keys.
*/
package vector
