// Package inversion reads an index the other way round: an [Inversion] tells, term by term, which
// passages of which documents have it, which is how a model is trained and how all vectors are
// made ([Inversion.Learn]). It is many times faster than to read and analyse the files again.
package inversion
