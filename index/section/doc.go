// Package section lays out an entry of the index: the sections of a file, or of a stretch of
// a long one, as one document of bleve's in which it still shows what is in which section.
//
// Every occurrence of a term has a location, whose numbers mean something else than in
// bleve: Start has the section's number in the entry, from 0 ([Of]), and the [Form] of the word; End has the [Depth] of the
// heading that the term is in, 0 in a title and a body, and what is [Beside] it; Pos counts the words from the entry's beginning,
// a section's heading before its body, so that a phrase has its words at neighbouring
// positions whatever fields they are in. What the locations don't tell is in a [Table], which
// is stored with the entry.
package section
