package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kist/vault"
	"kist/vault/documents"
)

// The brake: a comparison that finds more than this many known files gone, and
// more than this share of them, deletes nothing.
const (
	brakeFiles = 50
	brakeShare = 5 // one in
)

// A difference is what a comparison of the manifest with the disk finds.
type difference struct {
	changed []string     // newest first
	infos   []vault.Info // of these
	gone    []string     // or ignored by now
	held    int          // files gone that the brake keeps in the index
	known   int
	seq     vault.Seq // newer changes may not be among them
}

// compare compares the manifest with all that the vault lists as of a change. An
// error means that the vault's root could not be read, or ctx's.
func (x *Index) compare(ctx context.Context, g *generation, since vault.Seq) (difference, error) {
	l, err := x.source.List(ctx, since)
	if err != nil {
		return difference{}, err
	}
	x.mu.Lock()
	x.walked = l.Problems
	x.mu.Unlock()
	leftOut := func(p string) bool { // although it is there
		_, err := x.source.Stat(p)
		return documents.IsOtherName(err) || x.source.Ignored(p)
	}
	d := g.manifest.compare(l.Files, l.Problems, leftOut, x.missing)
	d.seq = l.Seq
	return d, nil
}

// compare matches files found with those known. Below a folder that could not be
// read nothing is gone, nor is anything that missing denies. What is ignored by now
// is the owner's wish, and none of the brake's business.
func (m *manifest) compare(infos []vault.Info, problems []vault.Problem, ignored, missing func(path string) bool) difference {
	d := difference{known: len(m.files)}
	found := 0
	for _, i := range infos {
		e, known := m.files[i.Path]
		if known {
			found++
		}
		if !known || !e.same(i) {
			d.infos = append(d.infos, i)
		}
	}
	slices.SortFunc(d.infos, func(a, b vault.Info) int { return b.ModTime.Compare(a.ModTime) })
	for _, i := range d.infos {
		d.changed = append(d.changed, i.Path)
	}
	if found == len(m.files) {
		return d
	}
	seen := make(map[string]bool, len(infos))
	for _, i := range infos {
		seen[i.Path] = true
	}
	var left []string // out, by the rules
	for p := range m.files {
		switch {
		case seen[p]:
		case ignored(p):
			left = append(left, p)
		case !below(p, problems) && missing(p):
			d.gone = append(d.gone, p)
		}
	}
	if m.tooMany(len(d.gone)) {
		d.held, d.gone = len(d.gone), nil
	}
	d.gone = append(d.gone, left...)
	slices.Sort(d.gone)
	return d
}

func below(path string, problems []vault.Problem) bool {
	return slices.ContainsFunc(problems, func(p vault.Problem) bool {
		return path == p.Path || strings.HasPrefix(path, p.Path+"/")
	})
}

// missing reports whether there is certainly no such file.
func (x *Index) missing(path string) bool {
	_, err := x.source.Stat(path)
	return errors.Is(err, vault.ErrNotFound) || errors.Is(err, vault.ErrNotRegular)
}

// brakeNotice explains why the index is paused.
func (d difference) brakeNotice() string {
	return fmt.Sprintf("%d of %d indexed files are gone from the folder, so nothing was removed from the index. "+
		"If a disk or folder is missing, bring it back: the index resumes by itself. If they are meant to be gone, `kist index rebuild` says so.", d.held, d.known)
}

// vanishing counts which of some changed paths are gone, and says whether they
// are too many to be believed without a look at everything.
func (m *manifest) vanishing(paths []string, missing func(string) bool) bool {
	if !m.tooMany(len(paths)) {
		return false
	}
	gone := 0
	for _, p := range paths {
		if _, known := m.files[p]; known && missing(p) {
			gone++
		}
	}
	return m.tooMany(gone)
}

func (m *manifest) tooMany(gone int) bool {
	return gone > brakeFiles && gone > len(m.files)/brakeShare
}
