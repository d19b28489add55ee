package filing

import (
	"context"
	"slices"

	"kist/agent/extract"
)

// takeHeld takes up what waited for an answer. A no is one to the sentences as well; what
// an answer had done of them is seen by what it wrote.
func (t *Turn) takeHeld(ctx context.Context) []string {
	held := slices.Clone(t.Held)
	t.Held = nil
	if t.Refused && !t.Astray {
		return nil
	}
	if len(t.Operated) > 0 {
		done, has := t.operated(ctx), mostly
		if slices.ContainsFunc(extract.Sentences(t.Text), func(s extract.Sentence) bool {
			n, _ := common(s.Text, done, t.Now)
			return n > maxBare && mostly(s.Text, done, t.Now)
		}) {
			has = covered // it was done of this message, which may be of much the same words
		}
		held = slices.DeleteFunc(held, func(s string) bool { return has(s, done, t.Now) && !t.adds(s, done) })
	}
	return held
}

// amends: a sentence of an answer says what is to be done with what was laid out, in hardly
// any other words than that has, or what was done.
func (t *Turn) amends(ctx context.Context, s, laid string) bool {
	if !t.Asked || laid == "" || len(t.Operated) == 0 {
		return false
	}
	all := laid + "\n" + t.operated(ctx)
	n, found := common(s, all, t.Now)
	return found > 0 && n-found <= maxMoved && !t.adds(s, all)
}

// answered: the one sentence of the message was a wish, which was granted or refused.
// Whoever tells something isn't served by what is looked up about it.
func (t *Turn) answered(s extract.Sentence) bool {
	return t.Served || t.Looked && extract.Seeks(t.Text) || s.Order && (t.Denied || t.Listed || len(t.Operated) > 0)
}

// followed: beside what was told, something was asked for, and was done.
func (t *Turn) followed() bool { return !extract.IsDump(t.Text) && (t.Served || t.Looked || t.Denied) }
