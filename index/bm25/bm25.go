// Package bm25 has the formulas by which words rank (Robertson, Zaragoza: The Probabilistic
// Relevance Framework, 2009) with the textbook constants. What is counted, and where, it doesn't
// know.
package bm25

import "math"

// The constants: how soon more of the same word stops counting, and how much a text's length does.
const (
	K1 = 1.2
	B  = 0.75
)

// IDF is how telling a word is that so many of all documents have.
func IDF(having, all float64) float64 { return math.Log(1 + (all-having+0.5)/(having+0.5)) }

// TF is how often a word is there, normalised by a length beside that of an average text.
func TF(count, length, average float64) float64 { return count / (1 - B + B*length/average) }

// Saturated is what a word adds to a score that has an idf and a normalised frequency.
func Saturated(idf, tf float64) float64 { return idf * tf * (K1 + 1) / (tf + K1) }
