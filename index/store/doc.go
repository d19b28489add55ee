// Package store keeps the entries of the index in bleve, and is all that knows of bleve's files
// and readers. A [Store] is one folder, or is in memory; [Store.Commit] writes a [Batch] of
// entries durably, and a [Snapshot], of [Store.Look], is what it holds at one moment, with what is
// in memory laid [Over] it. A snapshot is asked for occurrences of terms ([Snapshot.Lists],
// [Lists.Each]), for files that have one ([Snapshot.FilesWith]) and for words that stand together
// ([Snapshot.Adjacent]). What can't be read is [ErrDamaged]; since bleve panics on some damage,
// readers are guarded ([GuardSearch]). What the entries mean, the package doesn't know.
package store
