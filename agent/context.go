package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"kist/agent/brief"
	"kist/agent/consent"
	"kist/agent/model"
	"kist/agent/private"
	"kist/agent/prose"
	"kist/agent/tool"
	"kist/index"
	"kist/index/rank"
)

// What a turn knows beside the conversation: passages of the vault on the message,
// memories, and projects that nobody has touched for long.

const (
	passagesHere   = 4 // hits in the active project
	passagesAcross = 4 // hits anywhere else
	queryWords     = 24
	// contextWithin bounds the searches of one message: a turn that comes late is
	// worse than one that has to look things up by itself.
	contextWithin = 200 * time.Millisecond
)

// recall looks for what the vault has on the message: in the project, then across.
func (t *turn) recall(ctx context.Context) {
	if t.search == nil {
		return
	}
	query := plainQuery(t.msg.Text)
	if query == "" || consent.Read(t.msg.Text) != consent.Other {
		return
	}
	queries := []index.Query{{Text: query, Limit: passagesAcross + passagesHere}, {Text: query, Type: "memory", Limit: 3 * brief.Memories}}
	if t.sess.Project != "" {
		queries = append(queries, index.Query{Text: query, Project: t.sess.Project, Limit: passagesHere})
	}
	// What was found is looked into without that limit: where it came from must be known.
	search := t.search
	if leaves(ctx, t) {
		search = private.Search{Searcher: search, Sight: t.private}
	}
	timed, cancel := context.WithTimeout(ctx, contextWithin)
	found := searchAll(timed, search, queries)
	cancel()
	if t.sess.Project != "" {
		t.passages(ctx, passagesHere, found[2])
	}
	t.passages(ctx, passagesAcross, found[0])
	t.remembered(ctx, found[1])
}

// searchAll makes searches side by side. One that fails finds nothing: the conversation
// goes on without.
func searchAll(ctx context.Context, search tool.Searcher, queries []index.Query) []rank.Results {
	found := make([]rank.Results, len(queries))
	var searching sync.WaitGroup
	for i, q := range queries {
		searching.Go(func() {
			if got, err := search.Search(ctx, q); err == nil {
				found[i] = *got
			}
		})
	}
	searching.Wait()
	return found
}

// passages shows so many more of what was found, at most.
func (t *turn) passages(ctx context.Context, more int, found rank.Results) {
	for _, h := range found.Hits {
		if more == 0 {
			return
		}
		if h.Type == "conversation" || h.Type == "memory" || slices.ContainsFunc(t.shown, func(p model.Passage) bool { return p.Path == h.Path }) {
			continue
		}
		t.sees(h.Path)
		outside := t.fromOutside(ctx, h.Path)
		t.tainted = t.tainted || outside
		t.shown = append(t.shown, model.Passage{
			Path: h.Path, Line: h.Line, Heading: h.Heading, Project: h.Project,
			Text: prose.Shorten(h.Excerpt, brief.Passage), Outside: outside,
		})
		t.addSources([]string{source(h.Path, h.Line)})
		more--
	}
}

// remembered picks the memories that belong to the message.
func (t *turn) remembered(ctx context.Context, found rank.Results) {
	for _, h := range found.Hits {
		if h.Project != "" && h.Project != t.sess.Project || len(t.memories) == brief.Memories {
			continue
		}
		t.reads(ctx, h.Path)
		t.memories = append(t.memories, prose.OneLine(h.Excerpt, 300))
		t.addSources([]string{source(h.Path, h.Line)})
	}
}

// plainQuery keeps the words of a message, and nothing that a query would
// understand as an operator.
func plainQuery(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
	return strings.ToLower(strings.Join(words[:min(len(words), queryWords)], " "))
}

func source(p string, line int) string { return fmt.Sprintf("%s:%d", p, line) }
