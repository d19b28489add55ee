package agent

import (
	"strings"

	"kist/agent/guide"
	"kist/agent/model"
	"kist/vault"
)

// ofDraft is what a model's question in the making of a project counts as: after the
// draft was shown, whether to make it; else the one that its instructions suggest, in
// words of its own.
func ofDraft(q vault.Question, d model.Draft, previewed bool, asked []string, seed string) vault.Question {
	if previewed {
		return vault.Question{Kind: guide.KindFinalize, Args: map[string]string{"name": d.Name}, Text: q.Text}
	}
	next, ok := guide.Next(guide.StateOf(model.Situation{Session: seed, Draft: &d, Asked: asked}))
	if !ok {
		return q
	}
	next.Text = q.Text
	return vault.Question(next.Ask())
}

// asked is the question that a text ends in, of which only the words are known.
func asked(text string) vault.Question {
	last := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	if !strings.HasSuffix(last, "?") {
		return vault.Question{}
	}
	if r := []rune(last); len(r) > 500 {
		last = string(r[len(r)-500:])
	}
	return vault.Question{Kind: model.Open, Text: last}
}
