package vault

import (
	"errors"
	"path"
	"slices"
	"strings"

	"kist/vault/disk"
	"kist/vault/oplog"
)

// A sweeper deals with temporary files that a killed process left behind.
type sweeper struct{ v *Vault }

// dirs looks for temporary files beside an operation's targets, and for
// folders that it left empty.
func (s sweeper) dirs(op Operation) {
	seen := map[string]bool{}
	for _, c := range op.Changes {
		for _, p := range []string{c.Path, c.From} {
			if dir := path.Dir(p); p != "" && !seen[dir] {
				seen[dir] = true
				s.dir(dir)
			}
		}
	}
}

func (s sweeper) dir(dir string) {
	entries, err := s.v.tree.Root.ReadDir(dir)
	if err != nil {
		return
	}
	var found []string
	for _, e := range entries {
		if disk.IsTemp(e.Name()) {
			found = append(found, path.Join(dir, e.Name()))
		}
	}
	s.files(found)
	s.v.tree.Lock()
	defer s.v.tree.Unlock()
	s.v.tree.RemoveEmptyDirs(dir)
}

// files deals with temporary files that a killed process left behind. A displaced
// file may hold the one copy of what an editor saved, and a program may still have it
// open, so it is removed only when its text is accounted for, and watched otherwise.
func (s sweeper) files(paths []string) {
	for _, p := range paths {
		if s.v.tree.Watches(p) {
			continue
		}
		if err := s.one(p); err != nil && !errors.Is(err, ErrNotFound) {
			s.v.log.Error("left-over temporary file", "path", p, "err", err)
		}
	}
}

func (s sweeper) one(p string) error {
	id, tag, part, ok := disk.ParseTemp(path.Base(p))
	if !ok {
		return nil // not named by us
	}
	s.v.tree.Lock()
	defer s.v.tree.Unlock()
	if s.v.tree.Watches(p) {
		return nil
	}
	if part {
		return s.v.tree.Disk().Remove(p)
	}
	l, err := s.v.tree.Leftover(p)
	if err != nil {
		return err
	}
	op, err := s.v.ops.Find(id)
	switch {
	case errors.Is(err, ErrNotFound) && l.Open:
		return nil // a later look will find it closed
	case errors.Is(err, ErrNotFound):
		return s.record(p, l.Text)
	case err != nil:
		return err
	case op.Status == StatusBegun:
		return nil // the next start ends it first
	}
	defer s.v.tree.RemoveEmptyDirs(path.Dir(p))
	return s.swap(l, tag, op)
}

// swap deals with a file that op displaced, or didn't come to put in place. The
// tag says for which of its targets.
func (s sweeper) swap(l disk.Leftover, tag string, op *oplog.Folded) error {
	done := func(target string) error {
		if !l.Open {
			return s.v.tree.Disk().Remove(l.Path)
		}
		s.v.tree.Later(l.Path, target, l.Text)
		return nil
	}
	var of *FileChange
	texts := slices.Clone(op.Stated) // of earlier attempts
	for _, c := range op.Changes {
		if c.From != "" {
			if same, err := s.v.tree.SameFile(l.Path, c.Path); err == nil && same {
				return s.v.tree.Disk().Remove(l.Path)
			}
			c.Path = c.From
		}
		// A folder may have been moved with all that is in it.
		if tag != disk.TempTag(c.Path) && (tag != "" || path.Dir(c.Path) != path.Dir(l.Path)) {
			continue
		}
		texts = append(texts, c.Before, c.After)
		if of == nil || path.Dir(c.Path) == path.Dir(l.Path) && path.Dir(of.Path) != path.Dir(l.Path) {
			of = &c
		}
	}
	if of == nil {
		return nil
	}
	target := path.Join(path.Dir(l.Path), path.Base(of.Path))
	switch {
	case !slices.Contains(texts, l.Hash):
		// What it held is brought in from the text that it had in its place.
		base, ok := s.v.tree.Accounted(l.Path)
		if !ok {
			base, _ = s.v.ops.TextAt(of.Before, target) // nil: there will be a conflict copy
		}
		s.v.tree.Later(l.Path, target, base)
		return nil
	case l.Hash != of.Before || s.v.tree.Exists(target) || op.Status == StatusCompleted:
		return done(target)
	}
	// The operation failed, and this is the only copy in sight.
	return s.v.tree.Restore(l.Path, target)
}

// record deals with the displaced text of a conversation or session file,
// whose writes aren't in the operation log. Records only grow, or are kist's own
// state, so the older text is in the newer one.
func (s sweeper) record(p string, text []byte) error {
	dir := path.Dir(p)
	entries, err := s.v.tree.Root.ReadDir(dir)
	if err != nil {
		return err
	}
	if dir == s.v.Layout().Sessions {
		return s.v.tree.Disk().Remove(p)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.IsDir() {
			continue
		}
		now, err := s.v.tree.Read(path.Join(dir, e.Name()))
		if err == nil && (strings.HasPrefix(string(now), string(text)) || strings.HasPrefix(string(text), string(now))) {
			return s.v.tree.Disk().Remove(p)
		}
	}
	return s.v.tree.KeepCopy(p, path.Join(dir, "recovered.md"))
}
