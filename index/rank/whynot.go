package rank

import (
	"context"
	"errors"
	"fmt"
	"kist/index/query"
	"path"
	"slices"
	"strings"

	"kist/index/match"
	"kist/vault"
	"kist/vault/canvas"
)

// whyNot looks at the document at name, whose file number is target; -1: none.
func (e *explainer) whyNot(ctx context.Context, name string, target int, res *Results) (*WhyNot, error) {
	w := &WhyNot{Path: name}
	if n := len(res.Hits); n > 0 {
		w.LastPath, w.Last = res.Hits[n-1].Path, res.Hits[n-1].Why
	}
	e.Desk.Lock.Lock()
	_, known := e.Manifest.Files[name]
	e.Desk.Lock.Unlock()
	if target < 0 || !known {
		var err error
		w.Verdict, w.Reason, err = e.unindexed(ctx, name)
		return w, err
	}
	file := int32(target)
	w.Why = e.explain(file)
	w.Lacking = e.lacking(w.Why)
	if err := e.judge(ctx, w, file); err != nil {
		return nil, err
	}
	if w.Verdict == "" {
		w.place(res, e.plan)
	}
	return w, nil
}

// unindexed says why the index lacks a file.
func (e *explainer) unindexed(ctx context.Context, name string) (Verdict, string, error) {
	_, err := e.Desk.Files.Source.Stat(name)
	switch {
	case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrInvalidPath):
		return Missing, "there is no such file in the vault", nil
	case errors.Is(err, vault.ErrNotRegular):
		return Unindexed, "it is not a regular file", nil
	case err != nil:
		return Unindexed, "it can't be read: " + err.Error(), nil
	case slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return strings.HasPrefix(s, ".") }):
		return Unindexed, "its path is hidden: names that begin with a dot are left out", nil
	case !strings.EqualFold(path.Ext(name), ".md") && !canvas.Is(name):
		return Unindexed, "it is no Markdown file and no canvas: only names that end in .md or .canvas are searched", nil
	}
	reason := "it is left out by a .gitignore or .kistignore"
	l, err := e.Desk.Files.Source.List(ctx, e.Desk.Files.Vault.Seq())
	if err != nil {
		return Unindexed, reason, err
	}
	named := func(i vault.Info) bool { return i.Path == name }
	if slices.ContainsFunc(l.Files, named) || slices.ContainsFunc(l.Canvases, named) {
		reason = "the index doesn't have it yet"
	}
	for _, p := range l.Problems {
		if p.Path == name || strings.HasPrefix(name, p.Path+"/") {
			reason = p.Path + ": " + p.Message
		}
	}
	return Unindexed, reason, nil
}

// lacking are the words that the explained section hasn't.
func (e *explainer) lacking(why *Explanation) (words []string) {
	if e.plan.Ranking == ByReading {
		return nil
	}
	for _, g := range e.trace.groups {
		has := slices.ContainsFunc(g.ways, func(w way) bool {
			return slices.ContainsFunc(why.Text.Words, func(p WordPart) bool { return slices.Contains(w.words, strings.TrimSuffix(p.Word, "*")) })
		})
		if !has && len(g.ways) > 0 {
			words = append(words, strings.Join(g.ways[0].words, " "))
		}
	}
	return words
}

// judge tries all conditions. The verdict stays empty where they are met.
func (e *explainer) judge(ctx context.Context, w *WhyNot, file int32) error {
	for _, c := range e.clauses {
		if !c.Condition() {
			continue
		}
		met, err := e.meets(ctx, c, file)
		if err != nil {
			return err
		}
		w.Conditions = append(w.Conditions, Condition{c.String(), met})
		switch {
		case met || w.Verdict != "":
		case c.Not:
			w.Verdict, w.Reason = Excluded, "the query excludes it: "+c.String()
		default:
			w.Verdict, w.Reason = Filtered, "it doesn't meet "+c.String()
		}
	}
	return nil
}

// meets reports whether a file meets one condition.
func (e *explainer) meets(ctx context.Context, c query.Clause, file int32) (bool, error) {
	if c.Filter != "" || c.Not {
		before := len(e.checks)
		test, err := e.test(c)
		checks := e.checks[before:]
		e.checks = e.checks[:before:before]
		if err != nil {
			return false, err
		}
		if test == nil {
			return e.passes(ctx, ranked{file: file}, checks, false)
		}
		return test(file) != c.Not, nil
	}
	if c.Phrase {
		return e.passes(ctx, ranked{file: file}, []check{{phrase: match.NewPhrase(c.Text), fields: c.Fields}}, false)
	}
	g, err := e.group(c)
	if err != nil {
		return false, err
	}
	if g.stop {
		return e.passes(ctx, ranked{file: file}, []check{{phrase: match.NewPhrase(c.Text), fields: c.Fields}}, false)
	}
	having, err := e.Search.having(&g)
	return having[file], err
}

// place says where the document is that meets all conditions.
func (w *WhyNot) place(res *Results, plan Plan) {
	switch {
	case w.Why.Rank == 0:
		w.Verdict, w.Reason = Unmatched, "it has none of the words"
		if plan.Ranking == ByFusion || plan.Ranking == ByVector {
			w.Reason += w.Why.Vector.tooFar(plan)
		}
	case slices.ContainsFunc(res.Hits, func(h Hit) bool { return h.Path == w.Path }):
		w.Verdict, w.Reason = Shown, fmt.Sprintf("it is result %d", w.Why.Rank)
	default:
		w.Verdict = Ranked
		w.Reason = fmt.Sprintf("it is number %d of %d; %d are shown", w.Why.Rank, res.Total, len(res.Hits))
	}
}

// tooFar says why a document isn't on the list of what is near in meaning.
func (v VectorPart) tooFar(plan Plan) string {
	switch {
	case !v.Known:
		return ", and it has no vector"
	case v.Cosine < v.Floor:
		return fmt.Sprintf(", and it is too far away in meaning: cosine %.3f, at least %.2f counts", v.Cosine, v.Floor)
	case plan.Near.Length >= fused:
		return fmt.Sprintf(", and %d documents are nearer in meaning", plan.Near.Length)
	}
	return ", and documents with none of them are not added to this answer"
}
