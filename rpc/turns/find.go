package turns

import (
	"context"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"kist/agent"
	"kist/vault"
	"kist/vault/conversation"
)

// isOlder reports whether an id may have been given before a time. Only of a ULID can that
// be told, with a minute's grace for clocks that are set.
func isOlder(id string, than time.Time) bool {
	u, err := ulid.ParseStrict(id)
	return err != nil || ulid.Time(u.Time()).Before(than.Add(time.Minute))
}

// find looks for the turn that a message began before this process: in the conversations of
// late, or cut off, in which case it returns the session that waits with it.
func find(ctx context.Context, v *vault.Vault, m agent.Message) (said *conversation.Turn, cut string, err error) {
	sessions, err := conversation.Sessions(ctx, v)
	if err != nil {
		return nil, "", err
	}
	for _, s := range sessions {
		if s.Interrupted != nil && s.Interrupted.ID == m.ID {
			return nil, s.ID, nil
		}
	}
	said, err = conversation.FindTurn(ctx, v, m.ID, v.Now().AddDate(0, 0, -7))
	return said, "", err
}

// sameText compares a message with what a conversation kept of one, which may differ in blanks.
func sameText(kept, text string) bool {
	return strings.Join(strings.Fields(kept), " ") == strings.Join(strings.Fields(vault.PlainText(text)), " ")
}
