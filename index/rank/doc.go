// Package rank goes from a query to the order of its results, and says why. A [Search], made by
// [New] of what an index holds ([Holding]), is the work on one query: its words become groups of
// terms, files are scored by them (BM25F over the store's postings), the best of them by their
// best sections as well, and by vectors ([Meaning]); what is shown is read from the files
// ([Search.Run]). [Search.Explained] does the same and tells what each score is made of
// ([Explanation]). What all searches of an index share lies on its [Desk]. Whether the index is
// up to date, and what of it isn't, the package is told.
package rank
