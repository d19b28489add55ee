package index

import "kist/index/page"

const (
	// heldBytes bounds the text of files that all searches, and the learning of vectors,
	// have in memory at a time, beside what is being indexed.
	heldBytes = page.MaxFile
	// overlayBytes bounds the text that all searches together have prepared.
	overlayBytes = 3 * page.MaxFile / 2
)
