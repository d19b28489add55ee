package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kist/agent/guide"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
)

// A Start asks for a new session.
type Start struct {
	ID      string // of the session; empty: a new one. One that is there is returned as it is
	Mode    string // one of model.Modes; empty: general
	Project string // to begin in: slug, id or path; empty: none
	Draft   string // an unfinished draft to go on with
	Client  string // the program: cli, nvim, web
}

// An Opening is a session that was begun, with kist's first words. Nobody has said
// anything yet, so there is no turn.
type Opening struct {
	Session conversation.Session
	Text    string
	Drafts  []entity.Draft // unfinished ones that the user may go on with instead
}

// Start begins a session and returns how it opens. It returns vault.ErrNotFound for a
// project or draft that doesn't exist, and vault.ErrInvalid for an unknown mode, or
// one that needs a project and got none.
func (a *Agent) Start(ctx context.Context, s Start) (Opening, error) {
	if err := checkMode(s.Mode); err != nil {
		return Opening{}, err
	}
	sess := conversation.Session{
		ID: cmp.Or(s.ID, a.vault.NewID()), Device: a.vault.Device(), Client: s.Client, Mode: general, Created: a.now(), LastUsed: a.now(),
	}
	if s.Mode != "" && s.Mode != general {
		sess.Mode, sess.Phase = s.Mode, gathering
	}
	name := ""
	if s.Project != "" {
		p, err := entity.FindProject(ctx, a.vault, s.Project)
		if err != nil {
			return Opening{}, wrap("project", err)
		}
		sess.Project, name = p.Slug, p.Name
	} else if needsProject(sess.Mode) {
		return Opening{}, fmt.Errorf("a session of the mode %s is about a project: %w", sess.Mode, vault.ErrInvalid)
	}
	out := Opening{Text: guide.Opening(sess.Mode, name, cmp.Or(a.seed, sess.ID))}
	if s.Draft != "" {
		d, err := entity.FindDraft(ctx, a.vault, s.Draft)
		if err != nil {
			return Opening{}, wrap("draft", err)
		}
		sess.Draft, sess.Mode, sess.Phase = d.Slug, "project_create", clarifying
		out.Text = fmt.Sprintf("We go on with **%s**, last edited %s.", d.Name, guide.Ago(a.now().Sub(d.Modified)))
	} else if sess.Mode == "project_create" {
		drafts, err := a.unfinished(ctx, "")
		if err != nil {
			return Opening{}, err
		}
		if said, q, ok := guide.Resume(eachDraft(drafts), a.now()); ok {
			out.Text, out.Drafts, sess.Question = said+"\n\n"+q.Text, drafts, conversation.Question(q)
		}
	}
	if sess.Question.Kind == "" {
		sess.Question = asked(out.Text)
	}
	if was, err := conversation.FindSession(ctx, a.vault, sess.ID); err == nil {
		out.Session = was
		return out, nil
	}
	if err := conversation.SaveSession(ctx, a.vault, sess); errors.Is(err, vault.ErrBusy) {
		a.sessions.loose.Store(sess.ID, true)
	} else if err != nil {
		return Opening{}, wrap("save session", err)
	}
	a.sessions.used(sess.ID, s.Client)
	out.Session = sess
	return out, nil
}

// unfinished lists the drafts that can be gone on with, but for the session's own.
func (a *Agent) unfinished(ctx context.Context, own string) ([]entity.Draft, error) {
	all, err := entity.Drafts(ctx, a.vault, "in_progress")
	if err != nil {
		return nil, wrap("list drafts", err)
	}
	var out []entity.Draft
	for _, d := range all {
		if d.Slug != own {
			out = append(out, d)
		}
	}
	return out, nil
}

// Run does what nobody asks for: it lets drafts go that were not touched for a week, and has
// a small model do what is left to it. It returns when ctx ends.
func (a *Agent) Run(ctx context.Context) error {
	ticker := time.NewTicker(time.Hour) // looks for expired drafts
	defer ticker.Stop()
	var clerk sync.WaitGroup
	defer clerk.Wait()
	clerk.Go(func() { a.clerk.Run(ctx) })
	for {
		a.Sweep(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// Sweep sets the status of expired drafts to abandoned. It deletes no file, and
// leaves alone what the user edited.
func (a *Agent) Sweep(ctx context.Context) {
	expired, err := entity.ExpiredDrafts(ctx, a.vault, a.now())
	if err != nil {
		if ctx.Err() == nil {
			a.log.Warn("expired drafts not looked for", "err", err)
		}
		return
	}
	for _, d := range expired {
		step, err := entity.PlanExpireDraft(ctx, a.vault, d.Slug)
		if err == nil {
			step.Reason = "nothing happened in the draft for a week"
			_, err = a.vault.Apply(ctx, vault.Batch{Steps: []vault.Step{step}, Origin: vault.Origin{Actor: vault.ActorAgent, Client: "sweep"}})
		}
		if err != nil && ctx.Err() == nil {
			a.log.Info("an expired draft was left as it is", "draft", d.Path, "err", err)
		}
	}
}
