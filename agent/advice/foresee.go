package advice

import (
	"context"
	"maps"
	"slices"
	"strings"

	"kist/agent/clerk"
	"kist/agent/guide"
	"kist/agent/model"
	"kist/agent/private"
)

// Foresee has a small model put the question that likely comes next for a draft in other words,
// while the user thinks about the one that is open. path is the draft's.
func (b *Book) Foresee(c *clerk.Clerk, s *private.Sight, session, path string, at model.Situation) {
	state := guide.StateOf(at)
	state.Name = guide.Spoken(at.Draft.Name)
	q, ok := guide.After(state, at.Question)
	if !ok {
		return
	}
	said := at.Draft.Description
	for _, key := range slices.Sorted(maps.Keys(at.Draft.Dimensions)) {
		said += "\n" + at.Draft.Dimensions[key]
	}
	why := ""
	if s.Hides(path) || slices.ContainsFunc(s.Names(), private.Naming(said)) {
		why = "the draft is private, or tells of what is"
	}
	c.Add(clerk.Job{What: "the words of a question", Session: session, Do: func(ctx context.Context, m model.Model, meter model.Meter) error {
		return b.Phrase(ctx, m, meter, session, q, state.Name, strings.TrimSpace(said), why)
	}})
}
