// Package pending searches what the index doesn't hold yet. A [Plan] is made for one search and
// the files that have changed since they were indexed: it finds those that can matter from their
// bytes, and prepares them as the index does, in an [Overlay] that lies over the index for that
// search. What all plans of an index share lies on its [Desk]. An overlay says how much of what is
// pending it lacks, as time and memory are bounded. Which files are pending, the package is told.
package pending
