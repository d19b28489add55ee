package tool

import (
	"context"
	"time"

	"kist/index"
)

type searchArgs struct {
	Query   string `json:"query" limit:"min=1,max=400"`
	Project string `json:"project,omitempty" jsonschema:"only in this project" limit:"max=200"`
	Type    string `json:"type,omitempty" limit:"enum=project|task|memory|note|conversation|draft"`
	Limit   int    `json:"limit,omitempty" jsonschema:"else 5" limit:"min=1,max=20"`
}

func searchTools(c *catalogue) {
	define(c, "search", Read, "Search the vault; every hit names its path and line.", search)
}

// freshWithin is how long a search waits for what was written just before.
const freshWithin = 300 * time.Millisecond

// turnRecords is how many files a turn itself writes for its own bookkeeping;
// an index that is behind by no more than those misses nothing.
const turnRecords = 3

// caughtUp waits until the index has seen what was changed in conversation. It
// doesn't wait for the record of the conversation itself.
func (e *Env) caughtUp(ctx context.Context) bool {
	if e.After == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, freshWithin)
	defer cancel()
	return e.Search.Wait(ctx, e.After) == nil
}

func search(ctx context.Context, e *Env, a searchArgs) (Result, error) {
	if e.Search == nil {
		return fault("there is no search index", ""), nil
	}
	q := index.Query{Text: a.Query, Type: a.Type, Limit: a.Limit}
	if q.Limit == 0 {
		q.Limit = 5
	}
	if a.Project != "" {
		p, res, err := target(ctx, e, a.Project)
		if err != nil || res.Fault != nil {
			return res, err
		}
		q.Project = p.Slug
	}
	late := !e.caughtUp(ctx)
	found, err := e.Search.Search(ctx, q)
	if err != nil {
		return faultOf(err)
	}
	hits := []map[string]any{}
	var sources []string
	for _, h := range found.Hits {
		hit := map[string]any{
			"path": h.Path, "line": h.Line, "heading": h.Heading, "title": h.Title, "type": h.Type,
			"project": h.Project, "excerpt": clip(h.Excerpt, 500),
		}
		if h.LeftOut {
			hit["excluded"] = "by the user's settings, or a template: only where nothing else answers"
		}
		hits = append(hits, hit)
		sources = append(sources, lineOf(h.Path, h.Line))
	}
	v := map[string]any{"hits": hits, "total": found.Total}
	if late || found.Freshness.Pending > turnRecords {
		v["notice"] = "the index is still catching up; something may be missing"
	}
	return Result{Value: v, Sources: sources}, nil
}
