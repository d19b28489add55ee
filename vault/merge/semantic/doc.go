/*
Package semantic merges two versions of a vault's file by what they mean.

[Merge] takes the version that both were made from, ours and theirs, and returns
a [Result]: the text that stands in the file, and as [Conflict] values what of
theirs contradicts ours and isn't in it. The text never has markers. Whoever
calls keeps the whole of theirs beside the file where there is a conflict.

The package knows the formats of the vault and of Markdown, but no folders, no
git and no time; it does no input or output, and the same three texts always
give the same result.
*/
package semantic
