package lookup

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kist/agent/extract"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

const (
	mostRead    = 20 // memories and tasks that are read for their amounts
	mostAmounts = 8  // lines that are shown
)

// sumOf reads a question for a sum: the words of what it is of.
func sumOf(m interpret.Meaning) ([]string, bool) {
	switch {
	case m.Clause == nil:
		return nil, false
	case len(m.Clause.All) == 0:
		return passage.ReadSum(m.Clause.Toks)
	}
	return passage.ReadSum(m.Clause.All) // "what's" is an opener too
}

// Amounts answers what something comes to in all, of the project that is named or the one at hand,
// with the lines that tell what it costs. false: it doesn't ask that.
func (t *Finder) Amounts(m interpret.Meaning, otherwise func()) bool {
	of, ok := sumOf(m)
	if !ok || !m.Clause.Question && !language.Asks(m.Clause.All) && !language.Asks(m.Clause.Toks) {
		return false
	}
	in := t.Here
	if p, named := m.Project.One(); named {
		in = &p
	}
	if in != nil {
		of = slices.DeleteFunc(of, func(w string) bool { return WithoutName(w, refer.NameWords(*in)) == "" })
	}
	t.allLines(m, in, func(q passage.Question, docs []passage.Document) {
		quotes := q.Amounts(of, docs)
		if len(quotes) == 0 {
			quotes = q.Amounts(nil, docs)
		}
		if len(quotes) == 0 {
			t.Late(otherwise)
			return
		}
		var lines []string
		for _, c := range quotes[max(0, len(quotes)-mostAmounts):] {
			line := fmt.Sprintf("“%s” (%s:%d)", c.Text, c.Path, c.Line)
			if c.Said {
				line = onlySaid(c, t.Situation.Now)
			}
			lines = append(lines, line)
		}
		t.Bullets(notAdded, lines)
	})
	return true
}

const notAdded = "I don't add up; what was told with its figures:"

// allLines reads all lines of a project, or of what belongs to none.
func (t *Finder) allLines(m interpret.Meaning, in *model.Project, then func(passage.Question, []passage.Document)) {
	a := t.Act(nil)
	var first []*turn.Want
	memories, query, inbox := map[string]any{}, map[string]any{"query": language.Limit(m.Text+" paid cost budget", MaxQuery), "limit": 8}, "inbox.md"
	var names []string
	var tasks *turn.Want
	if in != nil {
		memories["project"], query["project"], inbox, names = in.Slug, in.Slug, refer.InboxOf(*in), refer.NameWords(*in)
		first = append(first, a.Want("read_document", projectDocument(*in)))
		tasks = a.Want("list_tasks", map[string]any{"project": in.Slug, "status": "all"})
	}
	kept, found := a.Want("list_memories", memories), a.Want("search", query)
	box := a.Want("read_document", map[string]any{"path": inbox, "from": 1, "lines": 400})
	a.Then = func() {
		var paths []string
		if tasks != nil {
			paths = append(paths, withDigits(tasks, "tasks", "title", "task")...)
		}
		paths = append(paths, withDigits(kept, "memories", "content", "path")...)
		for _, hit := range turn.Objects(found.Result.Result, "hits") {
			if kind := turn.Str(hit, "type"); kind != "conversation" && kind != "draft" && kind != "session" && (in == nil) == (turn.Str(hit, "project") == "") && turn.Str(hit, "path") != "welcome.md" && turn.Str(hit, "excluded") == "" {
				paths = append(paths, turn.Str(hit, "path"))
			}
		}
		reads := slices.Clone(first)
		var seen []string
		for _, path := range paths {
			if path == inbox || in != nil && path == turn.Str(first[0].Result.Result, "path") || slices.Contains(seen, path) || len(seen) == mostRead {
				continue
			}
			seen = append(seen, path)
			w := t.NewWant("read_document", map[string]any{"path": path, "from": 1, "lines": 400})
			t.Fetch(w)
			reads = append(reads, w)
		}
		if len(t.Calls) > 0 {
			return
		}
		var docs []passage.Document
		for _, w := range append(reads, box) {
			if w.Result.OK {
				docs = append(docs, documentOf(w.Result.Result))
			}
		}
		told := toldLately(append([]string{strings.Join(extract.Telling(t.Text), " ")}, t.Said...), t.Situation.Now)
		slices.Reverse(told)
		then(passage.Question{Now: t.Situation.Now, Names: names}, append(docs, told...))
	}
}

// withDigits are the paths of those things of a list that have a number in their words.
func withDigits(w *turn.Want, list, words, path string) (out []string) {
	for _, each := range turn.Objects(w.Result.Result, list) {
		if at := turn.Str(each, path); strings.HasSuffix(at, ".md") && strings.ContainsFunc(turn.Str(each, words), unicode.IsDigit) {
			out = append(out, at)
		}
	}
	return out
}
