package index

import "kist/index/page"

// heldBytes bounds the text of files that all searches, and the learning of vectors,
// have in memory at a time, beside what is being indexed.
const heldBytes = page.MaxFile
