package conversation

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	"kist/vault"
)

// dirs are the folders of conversations, by the slug of their project.
func dirs(v *vault.Vault) (map[string]string, error) {
	all := map[string]string{"": v.ConversationDir("")}
	slugs, err := v.ProjectSlugs()
	if err != nil && !errors.Is(err, vault.ErrNotFound) {
		return nil, err
	}
	for _, slug := range slugs {
		all[slug] = v.ConversationDir(slug)
	}
	return all, nil
}

// since yields the turns of the files that may hold some of a day or later. A file is named by
// the day of its turns, which a clock may have had wrong by a day.
func since(ctx context.Context, v *vault.Vault, from time.Time, has string, yield func(Turn)) error {
	all, err := dirs(v)
	if err != nil {
		return err
	}
	first := from.AddDate(0, 0, -1).Format(time.DateOnly)
	for _, slug := range slices.Sorted(maps.Keys(all)) { // in the same order each time
		dir := all[slug]
		files, err := v.Names(dir, false)
		if err != nil && !errors.Is(err, vault.ErrNotFound) {
			return err
		}
		for _, f := range files {
			if undated(f) || day(f) < first {
				continue
			}
			text, err := v.Read(path.Join(dir, f))
			if errors.Is(err, vault.ErrNotFound) || errors.Is(err, vault.ErrNotDownloaded) {
				continue
			}
			if err != nil {
				return err
			}
			if !strings.Contains(string(text), has) {
				continue
			}
			for _, t := range parseTurns(slug, string(text)) {
				yield(t)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// SessionTurns returns what was said in a session, the first turn first.
func SessionTurns(ctx context.Context, v *vault.Vault, s Session) ([]Turn, error) {
	var out []Turn
	err := since(ctx, v, s.Created, s.ID, func(t Turn) {
		if t.Session == s.ID {
			out = append(out, t)
		}
	})
	// Those of one moment in the order of their file: ids may be names that clients gave.
	sort.SliceStable(out, func(i, j int) bool { return out[i].At.Before(out[j].At) })
	return onceEach(out), err
}

// FindTurn looks for a turn by its id in the conversations from a day on; nil: there is none.
func FindTurn(ctx context.Context, v *vault.Vault, id string, from time.Time) (*Turn, error) {
	var found *Turn
	err := since(ctx, v, from, id, func(t Turn) {
		if t.ID == id {
			found = &t
		}
	})
	return found, err
}
