// Package query is the language that the index is asked in: a [Query] is taken apart into
// clauses ([Query.Clauses]), each a word, a phrase or a condition. What they find, the package
// doesn't know. What can't be carried out is [ErrQuery].
package query
