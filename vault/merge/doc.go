/*
Package merge compares and merges texts by lines, exactly to the byte.

[Diff] writes a unified diff as git and patch read it, [Delta] one that is short,
[Patch] applies either to the very text it was made from, and [Invert] turns it around. [Shift] applies a
patch to a text that has moved on since, and [Lines] is the three-way merge.
[Compare] finds the differences that all of these rest on.
Shift and Lines give up with [ErrConflict] rather than guess, and neither ever writes
conflict markers.

A line is what ends in "\n", or what is left at the end of a text; a carriage
return is a part of its line. A nil text stands for no file, which is different
from an empty file, and a patch tells the two apart.

The package knows nothing of Markdown or YAML, and does no input or output.
*/
package merge
