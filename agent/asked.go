package agent

import (
	"kist/agent/guide"
	"kist/agent/model"
	"kist/agent/prose"
	"kist/vault/conversation"
)

// ofDraft is what a model's question in the making of a project counts as: after the
// draft was shown, whether to make it; else the one that its instructions suggest, in
// words of its own.
func ofDraft(q conversation.Question, d model.Draft, previewed bool, asked []string, seed string) conversation.Question {
	if previewed {
		return conversation.Question{Kind: guide.KindFinalize, Args: map[string]string{"name": d.Name}, Text: q.Text}
	}
	next, ok := guide.Next(guide.StateOf(model.Situation{Session: seed, Draft: &d, Asked: asked}))
	if !ok {
		return q
	}
	next.Text = q.Text
	return conversation.Question(next.Ask())
}

// asked is the question that a text ends in, of which only the words are known.
func asked(text string) conversation.Question {
	q := prose.Question(text)
	if q == "" {
		return conversation.Question{}
	}
	return conversation.Question{Kind: model.Open, Text: q}
}
