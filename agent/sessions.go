package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kist/vault"
	"kist/vault/conversation"
)

// sessions finds sessions and makes their turns wait for each other.
type sessions struct {
	vault *vault.Vault

	mu    sync.Mutex
	last  map[string]string // ids of each program's last session, once known
	locks map[string]*latch // of sessions in use
}

// latch is a lock that a waiting turn can give up on.
type latch struct {
	held  chan struct{}
	users int
}

func newSessions(v *vault.Vault) *sessions {
	return &sessions{vault: v, last: map[string]string{}, locks: map[string]*latch{}}
}

// lock waits for the session's current turn to end.
func (s *sessions) lock(ctx context.Context, id string) (unlock func(), err error) {
	s.mu.Lock()
	l := s.locks[id]
	if l == nil {
		l = &latch{held: make(chan struct{}, 1)}
		s.locks[id] = l
	}
	l.users++
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(s.locks, id)
		}
	}
	select {
	case l.held <- struct{}{}:
		return func() { <-l.held; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}

// tryLock is lock for a session that nobody uses.
func (s *sessions) tryLock(id string) (unlock func(), ok bool) {
	s.mu.Lock()
	used := s.locks[id] != nil
	s.mu.Unlock()
	if used {
		return nil, false
	}
	unlock, err := s.lock(context.Background(), id) // at most one turn of it
	return unlock, err == nil
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
	switch {
	case err == nil:
		return sess, "", nil
	case ctx.Err() != nil:
		return sess, "", ctx.Err()
	case named && errors.Is(err, vault.ErrNotFound):
		return sess, "", wrap("session", err)
	case errors.Is(err, vault.ErrNotFound):
		return conversation.Session{}, "", nil
	}
	return conversation.Session{}, fmt.Sprintf("The saved session %s can't be read (%v), so this is a new one.", id, err), nil
}
