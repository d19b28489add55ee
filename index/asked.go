package index

import "kist/index/query"

// A Query says what to look for; see [query.Query] for its language.
type Query = query.Query

// A Mode says how a query's words rank documents.
type Mode = query.Mode

// The modes.
const (
	Hybrid = query.Hybrid // by words and by nearness in meaning
	Text   = query.Text   // by words alone
	Vector = query.Vector // by nearness in meaning alone
)
