/*
Package lookup answers questions from what the files say: question answering by extraction.

A [Finder] is a turn in which that is done. [Finder.Find] looks in the structure of the
project first (structure.go), then searches, and quotes the sentences of the best documents
that answer the question, by package passage, with their places (quotes.go). What was said
in this session counts too. Of two questions in one the second goes on about what the first
names, and nothing is quoted twice. [Finder.Cite] quotes what has the words, where nothing
was asked.

What several things cost together is answered with the lines that name the figures, which it
doesn't add up (amounts.go).

It says so where nothing is found, unless whoever asked has another way. It words nothing
itself: what it tells stands in a file or was said.
*/
package lookup
