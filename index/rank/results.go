package rank

import (
	"kist/index/match"
	"kist/vault"
)

// Results of one query.
type Results struct {
	Hits    []Hit // best first
	Total   int   // documents that match
	Partial bool  // the query asked for more than is done for one; it may miss documents
	// Corrected says what was looked for instead of words that are nowhere, as
	// the index knows it: without endings.
	Corrected map[string]string
	Freshness Freshness
	Plan      *Plan   // where the query asks for explanations
	WhyNot    *WhyNot // where it asks why a document isn't there
}

// A Hit is the best section of one document.
type Hit struct {
	Path       string
	Line       int    // 1-based, where the excerpt starts in the live file
	Heading    string // heading path, "Plan > Costs"
	Excerpt    string // from the live file: one to three lines of plain text
	Highlights []Span // what matched in the excerpt, in order
	Score      float64
	Project    string
	Title      string
	Type       string
	Tags       []string
	HeadOnly   bool         // the file is too large: only its first 10 MiB are searched
	LeftOut    bool         // Obsidian's user excluded it, or it is a template: it comes last
	Why        *Explanation // where the query asks for it
}

// A Span is a half-open byte range of an excerpt.
type Span = match.Span

// Freshness tells how far the index is behind the vault.
type Freshness struct {
	Indexed vault.Seq // all changes up to this one are searchable
	Vault   vault.Seq // the vault's newest change
	Pending int       // files known to have changed that aren't indexed yet, or held by the brake; of an answer less Direct
	Direct  int       // files that aren't indexed yet and that the answer was looked for in themselves
	Failed  int       // files that could not be indexed; see Status.Problems

	// Vectors says why answers do without the vectors of the configured Embedder, in part
	// or at all, with a hint; empty: they don't, or there is none.
	Vectors string

	// Degraded says why a search may have missed what was saved before it; empty: it
	// can't have, but for what is pending.
	Degraded string

	Held int // by the brake
}
