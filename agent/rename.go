package agent

import (
	"context"
	"maps"

	"kist/vault"
	"kist/vault/conversation"
)

// Rename gives a session the user's title, which no model replaces.
func (a *Agent) Rename(ctx context.Context, id, title string) (conversation.Session, error) {
	return a.changeSession(ctx, id, func(s *conversation.Session) { s.Title, s.Named = vault.OneLine(title), true })
}

// Hide takes a session out of the list, until something is said in it. What was said stays in
// the conversations.
func (a *Agent) Hide(ctx context.Context, id string) error {
	_, err := a.changeSession(ctx, id, func(s *conversation.Session) { s.Hidden = true })
	a.sessions.leave(id)
	return err
}

// leave has no program go on with a session by itself.
func (s *sessions) leave(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.last, func(_, last string) bool { return last == id })
}

func (a *Agent) changeSession(ctx context.Context, id string, change func(*conversation.Session)) (conversation.Session, error) {
	unlock, err := a.sessions.inUse.Lock(ctx, id)
	if err != nil {
		return conversation.Session{}, err
	}
	defer unlock()
	s, err := conversation.FindSession(ctx, a.vault, id)
	if err != nil {
		return s, err
	}
	change(&s)
	return s, wrap("save session", conversation.SaveSession(ctx, a.vault, s))
}
