package sync

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
)

// What kist doesn't write itself it has git put in place: what lies outside of the vault, links, folders of submodules, very large
// files, and files of which git keeps something else than what lies there. Else git would take them for deleted or old, and the
// next commit of all would undo what others did.

// A coming is what takes the work tree from one commit to another one.
type coming struct {
	from, to string
	arrivals []arrival              // what kist writes
	of       []git.Difference       // that arrivals are made of, in their order
	rest     map[string][2]git.File // what git writes
	off      map[string]bool        // what isn't put on the disk, and has a flag in the user's index that says so
	pointed  map[string]bool        // of rest: its content by Git LFS is on the disk, where its pointer was in the commit
}

// other takes in what kist doesn't write itself.
func (c *coming) other(d git.Difference) {
	if d.From != "" {
		c.rest[d.From] = [2]git.File{d.Before, {}}
		d.Before = git.File{}
	}
	c.rest[d.Path] = [2]git.File{d.Before, d.After}
}

// coming finds out what two commits (the first may be empty: none) have to be brought. It returns ErrHeld where something is among it that is the
// user's to bring.
func (r *round) coming(ctx context.Context, from, to string) (*coming, error) {
	if c := r.comes; c != nil && c.from == from && c.to == to {
		return c, nil
	}
	c := &coming{from: from, to: to, rest: map[string][2]git.File{}, off: map[string]bool{}, pointed: map[string]bool{}}
	outside, err := r.repo.Outside(ctx, r.store, cmp.Or(from, r.store.EmptyTree()), to)
	if err == nil {
		err = tooDeep(outside)
	}
	if err != nil {
		return nil, err
	}
	for _, d := range outside {
		c.other(d)
	}
	diff, err := r.differences(ctx, from, to)
	if err != nil {
		return nil, err
	}
	if err := r.arrivals(ctx, diff, c); err != nil {
		return nil, err
	}
	if err := r.filtered(ctx, c); err != nil {
		return nil, err
	}
	for _, p := range sorted(c.rest) {
		if f := c.rest[p][1]; f.ID != "" && strings.HasPrefix(r.repo.Prefix, p+"/") {
			return nil, fmt.Errorf("%w: %s (the vault lies in it, and the remote has a file there)", ErrHeld, p)
		}
		if why := r.held[p]; why != "" {
			return nil, fmt.Errorf("%w: %s (%s)", ErrHeld, p, why)
		}
	}
	if err := r.keepOff(ctx, c); err != nil {
		return nil, err
	}
	r.comes = c
	return c, nil
}

// filtered moves what git would write otherwise than it is kept from the arrivals to the rest.
func (r *round) filtered(ctx context.Context, c *coming) error {
	paths, attributes := sorted(c.rest), ""
	for _, d := range c.of {
		paths = append(paths, d.Path)
	}
	for _, p := range paths {
		if path.Base(p) == attributesFile {
			attributes = c.to
		}
	}
	filters, err := r.store.Filtered(ctx, paths, attributes)
	if err != nil || len(filters) == 0 {
		return err
	}
	arrivals, of := c.arrivals[:0], c.of[:0]
	for i, d := range c.of {
		if _, is := filters[d.Path]; is {
			c.other(d)
			continue
		}
		arrivals, of = append(arrivals, c.arrivals[i]), append(of, d)
	}
	c.arrivals, c.of = arrivals, of
	for _, p := range sorted(filters) {
		f := c.rest[p]
		if !isFile(f[0]) && !isFile(f[1]) || !r.repo.Filters(filters[p]) {
			continue // git writes it as it is kept
		}
		was, err := r.pointer(ctx, f[0])
		if err != nil {
			return err
		}
		is, err := r.pointer(ctx, f[1])
		if err != nil {
			return err
		}
		if is == "" && f[1].ID != "" || filters[p] != "lfs" {
			return fmt.Errorf("%w: %s (your git runs the filter %q over it, and kist none: git pull brings it)", ErrHeld, p, filters[p])
		}
		if c.pointed[p], err = git.Holds(r.repo.Abs(p), was); err != nil {
			return err
		}
	}
	return nil
}

// pointer returns what a pointer of Git LFS says of the file's content: its SHA-256 in hex and its size; empty: it is none.
func (r *round) pointer(ctx context.Context, f git.File) (string, error) {
	const most = 1 << 10
	if !isFile(f) {
		return "", nil
	}
	texts, err := r.store.Blobs(ctx, []string{f.ID}, most)
	text := texts[f.ID]
	if err != nil || !bytes.HasPrefix(text, []byte("version https://git-lfs.github.com/spec/")) {
		return "", err
	}
	return git.PointerOf(text), nil
}

// away reports whether the user has a file not in his work tree on purpose.
func (r *round) away(flags map[string][]git.Flag, p string) bool {
	return slices.Contains(flags[p], git.SkipWorktree) && !r.repo.Exists(p) && !slices.Contains(r.settings.Absent, p)
}

// keepOff takes out of the rest what isn't put on the disk: names that file systems may take for git's or kist's own, links that lead
// out of the work tree. What the user himself keeps off it by a flag isn't brought at all.
func (r *round) keepOff(ctx context.Context, c *coming) error {
	flags, err := r.repo.Flags(ctx)
	if err != nil {
		return err
	}
	arrivals := c.arrivals[:0]
	for i, a := range c.arrivals {
		if !r.away(flags, c.of[i].Path) || a.from != "" {
			arrivals = append(arrivals, a)
		}
	}
	c.arrivals, c.of = arrivals, nil
	for _, p := range sorted(c.rest) {
		f := c.rest[p]
		if r.away(flags, p) {
			delete(c.rest, p)
			continue
		}
		off := !names.Handled(p)
		if f[1].Mode == git.ModeLink && !off {
			texts, err := r.store.Blobs(ctx, []string{f[1].ID}, 4<<10)
			if err != nil {
				return err
			}
			if off = !names.StaysInside(p, string(texts[f[1].ID])); off {
				c.rest[p] = [2]git.File{f[0], {}} // the one before goes
			}
		} else if off {
			delete(c.rest, p)
		}
		if off && f[1].ID != "" {
			c.off[p] = true
		}
	}
	return nil
}

// place has git put the rest in place, or try whether it can.
func (r *round) place(ctx context.Context, c *coming, try bool) error {
	rest := map[string][2]git.File{}
	for p, f := range c.rest {
		if !c.pointed[p] {
			rest[p] = f
			continue
		}
		if try {
			continue
		}
		// Git LFS has the content, by its sum; what it has of the other one `git lfs pull` brings.
		if err := os.Remove(r.repo.Abs(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		rest[p] = [2]git.File{{}, f[1]}
	}
	why, err := r.repo.Place(ctx, r.store, rest, try)
	if err == nil && why != "" {
		err = fmt.Errorf("%w: %s", ErrHeld, strings.TrimPrefix(why, "error: "))
	}
	if err != nil || try {
		return err
	}
	r.settings.Absent = slices.DeleteFunc(r.settings.Absent, func(p string) bool { _, here := c.rest[p]; return here || c.off[p] })
	r.settings.Absent = append(r.settings.Absent, sorted(c.off)...)
	r.outcome.Left = append(r.outcome.Left, sorted(c.off)...)
	return nil
}
