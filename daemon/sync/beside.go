package sync

import (
	"context"
	"fmt"
	"math"
	"path"
	"strings"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
	"kist/vault"
)

// A conflict copy that the user leaves out is in no commit: the machine that merged puts it on its disk alone, and so does the one whose
// version it is, which finds it named in the merge's message.

// besideTrailer begins the lines of a message that name such copies, by what git calls the text and by path.
const besideTrailer = "Kist-Beside: "

// beside takes the copies that are left out from what a merge makes, and returns them: ids of texts, by path in the vault.
func (m *merger) beside() map[string]string {
	var all map[string]string
	for _, name := range m.copies {
		own, ok := m.below(name)
		f := m.result[name]
		if !ok || f.ID == "" || !m.out.Match(own, false) {
			continue
		}
		if all == nil {
			all = map[string]string{}
		}
		all[own] = f.ID
		delete(m.result, name)
	}
	return all
}

// named are the trailers that name copies.
func named(beside map[string]string) string {
	var b strings.Builder
	for _, p := range sorted(beside) {
		fmt.Fprintf(&b, "%s%s %s\n", besideTrailer, beside[p], p)
	}
	return b.String()
}

// ownBeside adds to a journal the copies of this machine's versions that came only by name.
func (r *round) ownBeside(ctx context.Context, j *journal) error {
	log, err := r.news(ctx, j.There, j.From)
	if err != nil {
		return err
	}
	for _, c := range log {
		for _, line := range c.Beside {
			id, p, _ := strings.Cut(line, " ")
			_, is := copies.Of(p, func(string) bool { return true })
			if !is || !names.Handled(p) || !r.isOurs(p) || !r.out.Match(p, false) || r.repo.Exists(path.Join(r.repo.Prefix, p)) || !git.HasBlob(ctx, r.store, id) {
				continue
			}
			if j.Beside == nil {
				j.Beside = map[string]string{}
			}
			j.Beside[p] = id
		}
	}
	return nil
}

// isOurs reports whether a conflict copy has this machine's version, by its name.
func (r *round) isOurs(p string) bool {
	return strings.Contains(path.Base(p), copies.Mark+vault.Slug(r.vault.Device())+"-")
}

// putBeside puts the copies on the disk that are in no commit.
func (r *round) putBeside(ctx context.Context, j *journal) error {
	for _, p := range sorted(j.Beside) {
		id := j.Beside[p]
		texts, err := r.store.Blobs(ctx, []string{id}, math.MaxInt64)
		if err != nil {
			return err
		}
		r.step("beside")
		if err := r.writeRecord(ctx, arrival{path: p, after: texts[id]}); err != nil {
			return err
		}
	}
	return nil
}
