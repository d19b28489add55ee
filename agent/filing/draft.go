package filing

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"kist/agent/guide"
	"kist/agent/policy"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/entity"
)

// inDraft puts sentences under Unsorted of the session's draft, which it begins where
// nobody has. What can't go there goes into the inbox.
func (t *Turn) inDraft(ctx context.Context, lost []string) {
	if len(lost) == 0 {
		return
	}
	at := policy.Place{AgentMade: true, Tainted: t.Outside}
	elsewhere := t.Draft == nil && t.Told != t.Project || t.Draft != nil && t.Draft.Status != "in_progress"
	if elsewhere || t.Policy.Decide("update_draft_dimension", tool.Add, at) != policy.Auto {
		t.inInbox(ctx, t.Project, lost)
		return
	}
	slug, ok := t.begun(ctx)
	if ok {
		step, err := entity.PlanWriteDraft(ctx, t.Vault, slug, entity.DraftUpdate{}, entity.DraftText{Unsorted: lost})
		step.Reason = "keep what you said and no dimension is about"
		ok = err == nil && t.Desk.Apply(ctx, step)
	}
	if !ok {
		t.inInbox(ctx, t.Project, lost)
	}
}

// begun is the session's draft, which is begun under a working title if there is none.
func (t *Turn) begun(ctx context.Context) (slug string, ok bool) {
	if t.Draft != nil {
		return t.Draft.Slug, true
	}
	step, err := vault.Step{}, vault.ErrExists
	for n := 1; errors.Is(err, vault.ErrExists) && n < 100; n++ {
		name := guide.WorkingTitle
		if n > 1 {
			name = fmt.Sprintf("%s %d", guide.WorkingTitle, n)
		}
		step, err = entity.PlanCreateDraft(ctx, t.Vault, entity.NewDraft{Name: name, Session: t.Session}, vault.ActorAgent)
	}
	if err != nil {
		return "", false
	}
	step.Reason = "keep what you say until it is a project"
	return strings.TrimSuffix(path.Base(step.Entity.Path), ".md"), t.Desk.Apply(ctx, step)
}
