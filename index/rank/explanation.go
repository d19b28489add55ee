package rank

import (
	"cmp"
	"math"
	"sort"
)

// A Ranking is what the order of an answer goes by.
type Ranking string

// The rankings.
const (
	ByWords   Ranking = "bm25"    // by words alone
	ByFusion  Ranking = "hybrid"  // by words and by nearness in meaning
	ByVector  Ranking = "vector"  // by nearness in meaning alone
	ByTime    Ranking = "newest"  // the query has nothing to rank by
	ByReading Ranking = "reading" // the index leaves the words out, so the files were read
)

// A Plan says how a query was carried out; an [Explanation] goes by its numbers.
type Plan struct {
	Ranking    Ranking
	Documents  int      // in the index
	Conditions []string // that every result meets, as written in a query
	Words      List     // found by words
	Near       List     // found by nearness in meaning
	Feedback   []string // paths of the documents that the query's vector was drawn towards
}

// A List is one of the two that are fused: each score s counts as
// Weight * (s-Worst) / (Best-Worst). Where words alone or meaning alone ranks, scores
// count as they are and Weight is 1.
type List struct {
	Weight      float64
	Length      int
	Best, Worst float64
}

// An Explanation says why a document has its score. The score is the sum of
// Text.Share and Vector.Share, multiplied by Recency.Factor, and of Named.
type Explanation struct {
	Rank   int // among all that matches, from 1
	Score  float64
	Text   TextPart
	Vector VectorPart

	// Recency is nil where age doesn't count: the query has nothing to rank by, or 200
	// documents are better.
	Recency *RecencyPart

	// Named is the score of the best document but for this one's name, where its title,
	// an alias or its file's name is what the query says; else 0.
	Named float64

	// Last: whatever its score, it comes after all others:
	// it is a conversation, a draft that became a project or was given up, or left out.
	Last bool
}

// A TextPart is what words contribute: BM25F (see [FieldPart]) of the document and of its
// best section. A long document counts by its best stretch.
type TextPart struct {
	Rank    int     // by words alone, from 1; 0: not found by them
	Score   float64 // the sum of the words' scores, of both kinds
	Words   []WordPart
	Section []WordPart // of the best section; empty where many documents are better

	// Normal is where Score lies between the worst and the best of the list, from 0 to
	// 1. In a fusion the share is the list's weight times Normal, plus Order: next to
	// nothing, which keeps documents in order that are too far down for the list.
	Normal, Order, Share float64
}

// A WordPart is what one term of the query contributes. Score is
// IDF * Freq * (k1 + 1) / (Freq + k1) with k1 = 1.2, which is the sum of the fields'.
type WordPart struct {
	Word      string // of the query
	Documents int    // that have it: the document frequency
	IDF       float64
	Freq      float64 // the sum of the fields'
	Score     float64
	Fields    []FieldPart
}

// A FieldPart is how often a term is in one field of the document or section, which is as
// long as Length against Average in words (of a section's headings, both are 1); Freq is
// Weight * Count / (1 - b + b * Length / Average) with b = 0.75.
type FieldPart struct {
	Field   string // title, headings, body, or meta: front matter and the path
	Term    string // as the index has it
	Count   int
	Length  float64
	Average float64
	Weight  float64
	Freq    float64
	Score   float64 // the field's part of the word's score
}

// A VectorPart is what nearness in meaning contributes.
type VectorPart struct {
	Rank   int     // by nearness alone, from 1; 0: not on the list
	Known  bool    // there is a cosine
	Cosine float64 // of the query and the document's nearest passage
	Floor  float64 // what is farther away doesn't count
	Normal float64 // as in [TextPart]
	Share  float64
}

// normal is where a score lies in the list.
func (l List) normal(score float64) float64 {
	if l.Best <= l.Worst {
		return 1
	}
	return math.Max(0, math.Min(1, (score-l.Worst)/(l.Best-l.Worst)))
}

// A Verdict says what became of one document in a search.
type Verdict string

// The verdicts.
const (
	Shown     Verdict = "shown"       // it is among the results
	Ranked    Verdict = "ranked"      // it matches, below the last result shown
	Filtered  Verdict = "filtered"    // it doesn't meet a condition
	Excluded  Verdict = "excluded"    // it has what the query doesn't want
	Unmatched Verdict = "unmatched"   // it has none of the words, nor is it near in meaning
	Unindexed Verdict = "not indexed" // the file is there, the index doesn't have it
	Missing   Verdict = "missing"     // there is no such file
)

// A WhyNot says why a document isn't among the results, or where it is.
type WhyNot struct {
	Path       string
	Verdict    Verdict
	Reason     string      // a sentence
	Conditions []Condition // of the query, and whether the document meets them
	Lacking    []string    // words of the query that it hasn't in its best section

	Why      *Explanation // nil: not indexed; without a score where it doesn't match
	LastPath string       // the last result shown; empty: there is none
	Last     *Explanation // its explanation, for comparison
}

// A Condition of a query, as written.
type Condition struct {
	Text string
	Met  bool
}

// A Difference is what a word is worth in two documents.
type Difference struct {
	Word        string
	Here, There float64
}

// Differences are the words by which the last result shown is ahead, most first.
func (w *WhyNot) Differences() (all []Difference) {
	if w.Why == nil || w.Last == nil {
		return nil
	}
	here, there := w.Why.Text.byWord(), w.Last.Text.byWord()
	for word, score := range there {
		if score > here[word] {
			all = append(all, Difference{word, here[word], score})
		}
	}
	compare := func(a, b Difference) int {
		return cmp.Or(cmp.Compare(b.There-b.Here, a.There-a.Here), cmp.Compare(a.Word, b.Word))
	}
	sort.SliceStable(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	return all
}

func (t TextPart) byWord() map[string]float64 {
	scores := map[string]float64{}
	for _, p := range t.Words {
		scores[p.Word] += p.Score
	}
	return scores
}
