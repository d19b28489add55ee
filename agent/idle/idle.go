// Package idle finds projects in which nothing has happened for long, from their files and the
// operation log.
package idle

import (
	"context"
	"time"

	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
)

const after = 90 * 24 * time.Hour

// Projects finds active projects in which nothing has happened for three months, at most so
// many of them.
func Projects(ctx context.Context, v *vault.Vault, projects []entity.Project, at time.Time, most int) []entity.Project {
	var out []entity.Project
	for _, p := range projects {
		if p.Status != "active" || len(out) == most || ctx.Err() != nil {
			continue
		}
		if last := lastActive(ctx, v, p, at); !last.IsZero() && at.Sub(last) > after {
			out = append(out, p)
		}
	}
	return out
}

// lastActive is when a project was last worked on or talked about, as far as its
// files and the log tell; zero: nothing tells.
func lastActive(ctx context.Context, v *vault.Vault, p entity.Project, at time.Time) time.Time {
	last := p.Created
	if info, err := v.Stat(p.Path); err == nil && info.ModTime.After(last) {
		last = info.ModTime
	}
	if at.Sub(last) <= after {
		return last
	}
	if ops, err := v.Operations(ctx, vault.Filter{Project: p.Slug, Limit: 1}); err == nil && len(ops) > 0 && ops[0].At.After(last) {
		last = ops[0].At
	}
	if turns, err := conversation.RecentTurns(ctx, v, p.Slug, 1); err == nil && len(turns) > 0 && turns[0].At.After(last) {
		last = turns[0].At
	}
	return last
}
