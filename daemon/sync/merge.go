package sync

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
	"kist/daemon/sync/sides"
	"kist/vault"
	"kist/vault/merge/semantic"
)

// A merger merges two trees, and gathers what ours becomes.
type merger struct {
	*round
	ours, theirs sides.Side
	result       map[string]git.File // differences from our tree, by path; an empty one is gone
	texts        map[string][]byte   // of blobs
	written      map[string][]byte   // those of them that the merge made
	author       string              // whose theirs are, for names of conflict copies
	here         map[string]git.File // all of ours, where the file system takes some names for others
	stays        map[string]git.File // see standing
	folders      map[string]bool     // of those in stays
	copies       []string            // names that were given to conflict copies
}

// merge makes the commit that joins ours and theirs, which began at base (empty: nothing in
// common). It also returns the copies that are in no commit: ids of texts, by path in the vault.
func (r *round) merge(ctx context.Context, base, ours, theirs string) (string, map[string]string, error) {
	r.names = map[string]string{}
	m := &merger{round: r, result: map[string]git.File{}, texts: map[string][]byte{}, written: map[string][]byte{}}
	from := cmp.Or(base, r.store.EmptyTree())
	var err error
	if m.ours, err = sides.Of(ctx, r.store, from, ours, theirs); err != nil {
		return "", nil, err
	}
	if m.theirs, err = sides.Of(ctx, r.store, from, theirs, ours); err != nil {
		return "", nil, err
	}
	log, err := r.news(ctx, theirs, ours)
	if err != nil {
		return "", nil, err
	}
	m.author = "remote"
	if len(log) > 0 {
		if name := vault.Slug(log[0].Device); log[0].Device != "" {
			m.author = name
		} else {
			m.author = vault.Slug(log[0].Author)
		}
	}
	if r.repo.OneName() {
		if m.here, err = r.store.Files(ctx, ours); err != nil {
			return "", nil, err
		}
	}
	goes, err := sides.Meet(ctx, r.store, m.ours, m.theirs, r.placed)
	if err != nil {
		return "", nil, err
	}
	if err := m.follow(ctx, ours, theirs); err != nil {
		return "", nil, err
	}
	if err := m.all(ctx); err != nil {
		return "", nil, err
	}
	for _, p := range goes {
		m.put(p, git.File{})
	}
	if err := m.outside(ctx, base, ours, theirs); err != nil {
		return "", nil, err
	}
	beside := m.beside()
	if err := r.store.WriteBlobs(ctx, m.written); err != nil {
		return "", nil, err
	}
	r.step("write tree")
	tree, err := r.store.WriteTree(ctx, ours, m.result)
	if err != nil {
		return "", nil, err
	}
	message := fmt.Sprintf("Merge what came from %s\n\nKist-Device: %s\n%s", m.author, r.vault.Device(), named(beside))
	commit, err := r.store.Commit(ctx, tree, []string{ours, theirs}, message)
	return commit, beside, err
}

// all decides on every file that theirs changed, in the order of paths, so that the same
// two commits always give the same tree.
func (m *merger) all(ctx context.Context) error {
	if err := m.read(ctx); err != nil {
		return err
	}
	m.standing()
	for _, p := range sorted(m.theirs.Changed) {
		d := m.theirs.Changed[p]
		if err := m.decide(p, d); err != nil {
			return err
		}
	}
	for _, p := range sorted(m.theirs.Added) {
		if err := m.add(p, m.theirs.Added[p]); err != nil {
			return err
		}
	}
	return nil
}

// add takes a file of theirs where the base has none, or ours deleted it.
func (m *merger) add(p string, theirs git.File) error {
	if ours, both := m.at(p); both {
		return m.content(p, git.File{}, ours, theirs)
	}
	if q, ours := m.twin(p); q != "" {
		return m.content(q, git.File{}, ours, theirs)
	}
	m.put(m.free(p), theirs)
	return nil
}

// twin returns a file of ours whose name some file systems take for p: one that ours added as well,
// or any, where this machine's file system does. The two become one, since they can't lie beside each other.
func (m *merger) twin(p string) (string, git.File) {
	name := names.Same(p)
	for _, files := range []map[string]git.File{m.ours.Added, m.ours.Moved, m.here} {
		for _, q := range sorted(files) {
			if q != p && names.Same(q) == name && !m.gone(q) {
				return q, cmp.Or(m.result[q], files[q])
			}
		}
	}
	return "", git.File{}
}

// gone reports whether the merge takes a file of ours away.
func (m *merger) gone(p string) bool {
	f, ok := m.result[p]
	return ok && f.ID == ""
}

// at returns what our side has of its own at a path where the base had nothing.
func (m *merger) at(p string) (git.File, bool) {
	if f, ok := m.result[p]; ok && f.ID != "" {
		return f, true
	}
	if f, ok := m.ours.Added[p]; ok {
		return f, true
	}
	f, ok := m.ours.Moved[p]
	return f, ok
}

// decide says what becomes of a file of the base that theirs changed, moved or deleted.
func (m *merger) decide(p string, theirs git.Difference) error {
	base := theirs.Before
	at, ours := m.ours.At(p, base)
	switch {
	case theirs.After.ID == "" && ours == base && at == p:
		m.put(p, git.File{})
		return nil
	case theirs.After.ID == "":
		return nil // ours changed it, moved it, or deleted it as well
	case ours.ID == "":
		return m.add(theirs.Path, theirs.After) // theirs changed what ours deleted
	}
	if f := m.result[at]; at != p && f.ID != "" {
		ours = f // it is merged already, with another file that theirs gave the same name
	}
	to := at
	want := whither(p, at, theirs.Path)
	if m.theirs.Added[want] == theirs.After { // a copy of it, see blocked
		delete(m.theirs.Added, want)
	}
	if want != at && !m.blocked(want, theirs.Path, ours) {
		to = m.free(want)
	}
	m.names[to] = theirs.Path
	if to != at {
		m.put(at, git.File{})
		m.put(to, ours)
	}
	return m.content(to, base, ours, theirs.After)
}

// whither is where a file of the base goes that is at one path for ours, and at another one for theirs: to the folder
// of the one that moved it, under the name of the one that renamed it; of what both did, ours counts.
func whither(p, ours, theirs string) string {
	dir, name := path.Dir(ours), path.Base(ours)
	if dir == path.Dir(p) {
		dir = path.Dir(theirs)
	}
	if name == path.Base(p) {
		name = path.Base(theirs)
	}
	return path.Join(dir, name)
}

// blocked reports whether a file of ours can't go to a path. Where theirs has moved that file nothing of theirs is there, and a copy of the file
// gives way to it.
func (m *merger) blocked(p, theirs string, f git.File) bool {
	_, ours := m.at(p)
	free := m.ours.Added[p] == f && m.result[p].ID == ""
	return ours && !free || p != theirs && (m.theirs.Knows(p) || !free && m.repo.Exists(p))
}

// put notes what a path becomes. What was moved there isn't taken away again by what is
// moved from there: theirs may have exchanged two names.
func (m *merger) put(p string, f git.File) {
	if f.ID == "" && m.result[p].ID != "" {
		return
	}
	m.result[p] = f
}

// free returns a path for a file of theirs: its own, unless ours has a folder there. A file of ours that stands
// where it needs a folder goes aside.
func (m *merger) free(p string) string {
	for i, c := range p {
		if f, ok := m.stays[p[:i]]; ok && c == '/' {
			m.aside(p[:i], f)
		}
	}
	if !m.folders[p] {
		return p
	}
	m.outcome.Upheld = append(m.outcome.Upheld, p)
	return m.copyName(p, m.author)
}

// aside gives a file of ours the name of a conflict copy.
func (m *merger) aside(p string, f git.File) {
	delete(m.stays, p)
	f = cmp.Or(m.result[p], f)
	m.result[p] = git.File{}
	m.result[m.copyName(p, vault.Slug(m.vault.Device()))] = f
	m.outcome.Upheld = append(m.outcome.Upheld, p)
}

// standing finds which files of ours stay where they are, whatever theirs has there: those that ours added, moved or
// changed, without those that move along with theirs; and in which folders they are. Where ours has what the
// base had, theirs can't be in its way.
func (m *merger) standing() {
	m.stays, m.folders = map[string]git.File{}, map[string]bool{}
	stay := func(p string, f git.File) {
		m.stays[p] = f
		for dir := path.Dir(p); dir != "." && !m.folders[dir]; dir = path.Dir(dir) {
			m.folders[dir] = true
		}
	}
	for p, f := range m.ours.Added {
		stay(p, f)
	}
	for p, d := range m.ours.Changed {
		t, both := m.theirs.Changed[p]
		_, taken := m.at(t.Path)
		if d.After.ID != "" && (!both || d.Path != p || t.Path == p || t.After.ID == "" || taken) {
			stay(d.Path, d.After)
		}
	}
}

// content merges what both sides have of one file.
func (m *merger) content(p string, base, ours, theirs git.File) error {
	mode := ours.Mode
	if ours.Mode == base.Mode {
		mode = theirs.Mode
	}
	switch {
	case ours.ID == theirs.ID || theirs.ID == base.ID:
		if mode != ours.Mode || m.result[p].ID != "" {
			m.put(p, git.File{Mode: mode, ID: ours.ID})
		}
		return nil
	case ours.ID == base.ID:
		m.put(p, git.File{Mode: mode, ID: theirs.ID})
		return nil
	}
	own, known := m.below(p)
	b, o, t := m.texts[base.ID], m.texts[ours.ID], m.texts[theirs.ID]
	if !known || !isFile(ours) || !isFile(theirs) || !isText(b) || !isText(o) || !isText(t) || o == nil || t == nil || base.ID != "" && b == nil {
		return m.keepCopy(p, theirs)
	}
	result := m.text(b, o, t, semantic.Options{Path: own})
	if !result.Clean() {
		if err := m.keepCopy(p, theirs); err != nil {
			return err
		}
	}
	id := m.store.BlobID(result.Text)
	m.texts[id], m.written[id] = result.Text, result.Text
	if id != ours.ID || mode != ours.Mode || m.result[p].ID != "" {
		m.put(p, git.File{Mode: mode, ID: id})
	}
	return nil
}

func isFile(f git.File) bool { return f.Mode == git.ModeFile || f.Mode == git.ModeProgram }

func isText(b []byte) bool { return utf8.Valid(b) && !bytes.ContainsRune(b, 0) }

// keepCopy puts theirs beside ours, as it is.
func (m *merger) keepCopy(p string, theirs git.File) error {
	if !isFile(theirs) {
		return fmt.Errorf("%w: %s is a link or a module on one side", ErrHeld, p)
	}
	name := path.Join(path.Dir(p), copies.Former(m.repo.Abs(path.Dir(p)), path.Base(p), m.author))
	if _, theirs := m.theirs.Changed[name]; theirs || name == path.Dir(p) || !copies.Hidden(p) {
		name = m.copyName(p, m.author)
	} // else a program writes its settings all the time, and of each machine the newest is enough
	m.put(name, theirs)
	m.outcome.Upheld = append(m.outcome.Upheld, p)
	return nil
}

// copyName is a free name for a conflict copy of a file, which is somebody's version.
func (m *merger) copyName(p, whose string) string {
	ext := path.Ext(p)
	if strings.HasPrefix(path.Base(p), ".") && path.Base(p) == ext {
		ext = ""
	}
	stem := strings.TrimSuffix(p, ext) + copies.Mark + whose + "-" + m.vault.Now().UTC().Format("2006-01-02")
	for n := 1; ; n++ {
		name := stem + ext
		if n > 1 {
			name = stem + "-" + strconv.Itoa(n) + ext
		}
		_, planned := m.result[name]
		if _, theirs := m.theirs.Added[name]; planned || theirs || m.repo.Exists(name) {
			continue
		}
		m.copies = append(m.copies, name)
		return name
	}
}

// read reads the texts of all files that both sides have changed.
func (m *merger) read(ctx context.Context) error {
	wanted := map[string]bool{}
	add := func(files ...git.File) {
		for _, f := range files {
			if isFile(f) {
				wanted[f.ID] = true
			}
		}
	}
	for p, d := range m.theirs.Changed {
		if o, both := m.ours.Changed[p]; both {
			add(d.Before, d.After, o.After)
		}
	}
	for p, f := range m.theirs.Added {
		if o, both := m.at(p); both {
			add(f, o)
		} else if q, o := m.twin(p); q != "" {
			add(f, o)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	texts, err := m.store.Blobs(ctx, sorted(wanted), vault.MaxDocument)
	for id, text := range texts {
		m.texts[id] = text
	}
	return err
}
