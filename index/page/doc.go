// Package page turns a file of the vault into entries of the index. A [Reader] reads a [File]:
// its title, tags, properties, links and sections, and what is wrong with it. [File.Entry] lays
// one of its entries out as bleve takes it, with the fields that are named here, and
// [File.Excerpt] chooses what is shown of it. Nothing is kept and nothing is written: the same
// text makes the same entries.
package page
