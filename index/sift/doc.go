// Package sift tells from the raw bytes of files which of them can have a word of a query,
// in whatever form: a tenth of the work of analysing them. It may take a file for one that has
// the word and hasn't, but never passes one over that has.
package sift
