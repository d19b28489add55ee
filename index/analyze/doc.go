// Package analyze cuts text into the terms that the index holds: by the language that a
// document names, or that its words and script tell.
package analyze
