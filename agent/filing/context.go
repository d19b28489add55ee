package filing

import (
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/guide"
	"kist/agent/language"
)

// inContext adds to sentences of plain talk that are kept what was told right before and behind
// them and would say too little by itself: “Dad wants the piano. I said we'll see.” So it
// does to what was done by operations of what they don't have: “Ring Ann. She hates mornings.”
func (t *Turn) inContext(kept []string, done func(string) bool) []string {
	if t.Mode != general || len(kept) == 0 && len(t.Operated) == 0 {
		return kept
	}
	all := extract.Sentences(t.Text)
	has := make([]bool, len(all))
	for i, s := range all {
		if has[i] = slices.Contains(kept, s.Text); !has[i] && within(s.Text, kept) { // several are kept as one
			return kept
		}
	}
	t.goOn(all, has, done)
	for i := len(all) - 2; i >= 0; i-- {
		has[i] = has[i] || has[i+1] && tellsMore(all[i]) && !done(all[i].Text)
	}
	kept = slices.Clone(kept)
	for i, s := range all {
		if !has[i] || slices.Contains(kept, s.Text) {
			continue
		}
		at := 0 // behind the one before it
		if i > 0 {
			at = slices.Index(kept, all[i-1].Text) + 1
		}
		kept = slices.Insert(kept, at, s.Text)
	}
	return kept
}

// tellsMore: beside one that is kept a sentence is kept as well.
func tellsMore(s extract.Sentence) bool { return s.Kind == extract.Statement }

// briefly is how many words a sentence has at most that leans on the one before it.
const briefly = 3

// follows: a sentence only says something behind the one before it: how sure that is, or
// something of whom an order named.
func follows(before, s extract.Sentence) bool {
	if leans(before, s) {
		return true
	}
	if s.Kind == extract.Control && before.Kind == extract.Statement {
		return guide.ReadAnswer(s.Text, guide.Question{}).Kind == guide.DontKnow
	}
	toks := language.SkipOpeners(language.Tokenize(s.Text))
	return before.Kind == extract.Command && len(toks) > 2 && language.In("he|she|they|his|her|their", toks[0].Norm)
}

// leans: a sentence of a few words goes on with the statement before it: "Rob can't, his back. Kev
// will".
func leans(before, s extract.Sentence) bool {
	doubts := wavers(s.Text)
	return (s.Kind == extract.Statement || doubts) && before.Kind == extract.Statement && !s.Order && !extract.Remarks(s.Text) &&
		(doubts || len(language.ContentWords(language.Tokenize(s.Text))) > 0) && len(strings.Fields(s.Text)) <= briefly
}

// wavers: a few words doubt what was just told: "I get 4 weeks. Or 5?"
func wavers(s string) bool {
	return language.Begins(language.Tokenize(s), "or *") && len(strings.Fields(s)) <= briefly
}

// goOn marks what goes on with the sentence before it, which is kept or was done.
func (t *Turn) goOn(all []extract.Sentence, has []bool, done func(string) bool) {
	for i := 1; i < len(all); i++ {
		beside := has[i-1] && tellsMore(all[i]) || (has[i-1] || len(t.Operated) > 0) && follows(all[i-1], all[i])
		if beside && !has[i] && !done(all[i].Text) {
			has[i] = true
			has[i-1] = has[i-1] || leans(all[i-1], all[i]) // which it says too little without
		}
	}
}

// within: a sentence is a part of one of some others.
func within(s string, others []string) bool {
	return slices.ContainsFunc(others, func(o string) bool { return strings.Contains(o, s) })
}
