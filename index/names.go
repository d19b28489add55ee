package index

import "kist/index/rank"

// What answers are made of; see package rank.
type (
	Results     = rank.Results
	Hit         = rank.Hit
	Span        = rank.Span
	Freshness   = rank.Freshness
	Plan        = rank.Plan
	Ranking     = rank.Ranking
	List        = rank.List
	Explanation = rank.Explanation
	TextPart    = rank.TextPart
	VectorPart  = rank.VectorPart
	WordPart    = rank.WordPart
	FieldPart   = rank.FieldPart
	RecencyPart = rank.RecencyPart
	WhyNot      = rank.WhyNot
	Verdict     = rank.Verdict
	Condition   = rank.Condition
	Difference  = rank.Difference
)

// The rankings, and what may become of a document.
const (
	ByWords   = rank.ByWords
	ByFusion  = rank.ByFusion
	ByVector  = rank.ByVector
	ByTime    = rank.ByTime
	ByReading = rank.ByReading

	Shown     = rank.Shown
	Ranked    = rank.Ranked
	Filtered  = rank.Filtered
	Excluded  = rank.Excluded
	Unmatched = rank.Unmatched
	Unindexed = rank.Unindexed
	Missing   = rank.Missing
)
