package index

import (
	"kist/index/relation"
	"kist/index/served"
)

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

// What goes out from a document or a project; see package relation.
type (
	Backlinks       = relation.Backlinks
	RelatedProjects = relation.RelatedProjects
	RelatedProject  = relation.RelatedProject
	LikePair        = relation.LikePair
	LinkPair        = relation.LinkPair
)

// What makes vectors outside of this process; see package served.
type (
	Embedder       = served.Embedder
	EmbedderStatus = served.Status
	EmbedderState  = served.State
)

// The states of an Embedder.
const (
	EmbedderWorking = served.Working
	EmbedderReady   = served.Ready
	EmbedderFailing = served.Failing
)
