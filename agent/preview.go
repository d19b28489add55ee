package agent

import (
	"context"
	"errors"

	"kist/agent/model"
	"kist/index/quiet"
)

// Preview has the model that would answer a message make its request, in a context in which
// nothing is sent, and says which model that is, or that it is the partner and why. What belongs
// to it is searched for without an embedder that isn't on this machine either. Nothing
// is written or carried out. Errors are those of Send.
func (a *Agent) Preview(ctx context.Context, m Message) (model.By, error) {
	ctx = quiet.Context(ctx)
	if err := a.check(m); err != nil {
		return model.By{}, err
	}
	id, fresh, err := a.sessions.find(ctx, m.Session, m.Client)
	if err != nil {
		return model.By{}, err
	}
	unlock, err := a.sessions.inUse.Lock(ctx, id)
	if err != nil {
		return model.By{}, err
	}
	defer unlock()
	t, _, err := a.begin(ctx, m, id, fresh)
	if err != nil {
		return model.By{}, err
	}
	t.emit = func(Event) {}
	t.assent.before = t.sess
	if err := t.assent.consider(ctx); err != nil {
		return model.By{}, err
	}
	if t.assent.verdict.Settles() {
		return model.By{Model: t.model.Name(), Degraded: "it is a word on what waits, which is carried out first"}, nil
	}
	t.leaveMode()
	if err := t.loadDrafts(ctx); err != nil {
		return model.By{}, err
	}
	if m.Mode != "" {
		t.enterMode(m.Mode, t.sess.Draft)
	}
	if t.start != nil {
		if err := t.move(ctx, *t.start); err != nil {
			return model.By{}, err
		}
	}
	history, err := t.history(ctx)
	if err != nil {
		return model.By{}, err
	}
	t.readsSituation(ctx)
	p, ok := t.model.(model.Previewer)
	if !ok {
		return model.By{Model: t.model.Name(), Degraded: "no language model would be asked"}, nil
	}
	req := prepared(ctx, t, model.Request{
		Situation: t.situation(ctx), Messages: append(history, model.Message{Role: model.User, Text: m.Text}), Said: len(history),
	})
	for {
		req.Meter = nil // it costs nothing
		by, err := p.Preview(ctx, req)
		if !errors.Is(err, model.ErrAnew) {
			return by, err
		}
		if req, err = anew(ctx, t, req); err != nil {
			return model.By{}, err
		}
	}
}
