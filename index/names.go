package index

import (
	"kist/index/rank"
	"kist/index/relation"
	"kist/index/served"
)

// What answers are made of; see package rank.
type (
	Results     = rank.Results
	Hit         = rank.Hit
	Span        = rank.Span
	Freshness   = rank.Freshness
	Plan        = rank.Plan
	List        = rank.List
	Explanation = rank.Explanation
	WordPart    = rank.WordPart
	FieldPart   = rank.FieldPart
	RecencyPart = rank.RecencyPart
	WhyNot      = rank.WhyNot
	Condition   = rank.Condition
	Difference  = rank.Difference
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
)

// The states of an Embedder.
const (
	EmbedderReady = served.Ready
)
