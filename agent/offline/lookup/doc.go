/*
Package lookup answers questions from what the files say: question answering by extraction.

A [Finder] is a turn in which that is done. [Finder.Find] looks in the structure of the
project first (structure.go), then searches, and quotes the passages of the best documents
that answer the question, by package passage, whole and with their places (quotes.go). What
was said in this session counts too. [Finder.Cite] quotes what has the words, where nothing
was asked.

It says so where nothing is found, unless whoever asked has another way. It words nothing
itself: what it tells stands in a file or was said.
*/
package lookup
