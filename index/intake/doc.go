// Package intake makes files of the vault ready to be written to a store. [Files] is how the index
// reads them: through a [Source], and no more of them at a time than there is room for. What it
// loads is a [File], whose entries a [Portion] writes to a store, a little of a long one at a time,
// and of which an [Embedding] makes vectors on the way. Which files have changed, and what is to
// become of them, the package doesn't know.
package intake
