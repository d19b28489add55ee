package agent

import (
	"context"

	"kist/vault"
	"kist/vault/conversation"
)

// A leftover is a session in which something that was said still waits for the answer to
// a question, when a new session begins.
type leftover struct {
	sess   conversation.Session
	unlock func()
}

type leftovers []leftover

// leftovers finds what this device's earlier sessions have left. One that is in use keeps
// its own.
func (s *sessions) leftovers(ctx context.Context) (out leftovers) {
	all, err := conversation.Sessions(ctx, s.vault)
	if err != nil {
		return nil // they are left for another time
	}
	for _, sess := range all {
		if sess.Device != s.vault.Device() || len(sess.Held) == 0 {
			continue
		}
		if unlock, ok := s.inUse.TryLock(sess.ID); ok {
			out = append(out, leftover{sess, unlock})
		}
	}
	return out
}

// taken empties the sessions, since what they held is offered elsewhere now. Where that
// fails it is offered twice.
func (all leftovers) taken(ctx context.Context, v *vault.Vault) error {
	for i := range all {
		all[i].sess.Held = nil
		if err := conversation.SaveSession(ctx, v, all[i].sess); err != nil {
			return err
		}
	}
	return nil
}

func (all leftovers) unlock() {
	for _, l := range all {
		l.unlock()
	}
}
