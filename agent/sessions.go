package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kist/agent/latch"
	"kist/vault"
	"kist/vault/conversation"
)

// sessions finds sessions and makes their turns wait for each other.
type sessions struct {
	vault *vault.Vault
	inUse latch.Set // by id
	loose sync.Map  // ids of those that were not kept

	mu   sync.Mutex
	last map[string]string // ids of each program's last session, once known
}

func newSessions(v *vault.Vault) *sessions {
	return &sessions{vault: v, last: map[string]string{}}
}

// find resolves what a message says of its session to an id; fresh says that
// it is to be made.
func (s *sessions) find(ctx context.Context, ref, client string) (id string, fresh bool, err error) {
	switch ref {
	case "new":
		return s.vault.NewID(), true, nil
	case "":
		if id = s.lastUsed(client); id != "" {
			return id, false, nil
		}
		all, err := conversation.Sessions(ctx, s.vault)
		if err != nil {
			return "", false, wrap("list sessions", err)
		}
		var newest time.Time
		for _, sess := range all {
			// One that was begun before programs were told apart is anybody's.
			if mine := sess.Client == client || sess.Client == ""; mine && sess.Device == s.vault.Device() && !sess.LastUsed.Before(newest) {
				id, newest = sess.ID, sess.LastUsed
			}
		}
		if id == "" {
			return s.vault.NewID(), true, nil
		}
		return id, false, nil
	}
	return ref, false, nil
}

func (s *sessions) lastUsed(client string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[client]
}

func (s *sessions) used(id, client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last[client] = id
}

// load reads a session under its lock. Only a session that was named must
// exist; where the last one has gone or no longer parses, a new one takes its
// place and notice says so.
func (s *sessions) load(ctx context.Context, id string, named bool) (sess conversation.Session, notice string, err error) {
	sess, err = conversation.FindSession(ctx, s.vault, id)
	_, loose := s.loose.Load(id)
	switch {
	case err == nil:
		return sess, "", nil
	case ctx.Err() != nil:
		return sess, "", ctx.Err()
	case named && errors.Is(err, vault.ErrNotFound) && !loose:
		return sess, "", wrap("session", err)
	case errors.Is(err, vault.ErrNotFound):
		return conversation.Session{}, "", nil
	}
	return conversation.Session{}, fmt.Sprintf("The saved session %s can't be read (%v), so this is a new one.", id, err), nil
}
