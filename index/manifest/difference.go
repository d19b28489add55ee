package manifest

import (
	"fmt"
	"kist/vault"
	"slices"
	"sort"
	"strings"
)

// The brake: a comparison that finds more than this many known files gone, and
// more than this share of them, deletes nothing.
const (
	brakeFiles = 50
	brakeShare = 5 // one in
)

// A Difference is what a comparison of the manifest with the disk finds.
type Difference struct {
	Changed []string     // newest first
	Infos   []vault.Info // of these
	Gone    []string     // or ignored by now
	Held    int          // files gone that the brake keeps in the index
	known   int
	Seq     vault.Seq // newer changes may not be among them
}

// Compare matches files found with those known. Below a folder that could not be
// read nothing is gone, nor is anything that missing denies. What is ignored by now
// is the owner's wish, and none of the brake's business.
func (m *Manifest) Compare(infos []vault.Info, problems []vault.Problem, ignored, missing func(path string) bool) Difference {
	d := Difference{known: len(m.Files)}
	found := 0
	for _, i := range infos {
		e, known := m.Files[i.Path]
		if known {
			found++
		}
		if !known || !e.Same(i) {
			d.Infos = append(d.Infos, i)
		}
	}
	sort.Slice(d.Infos, func(i, j int) bool { return d.Infos[i].ModTime.After(d.Infos[j].ModTime) })
	for _, i := range d.Infos {
		d.Changed = append(d.Changed, i.Path)
	}
	if found == len(m.Files) {
		return d
	}
	seen := make(map[string]bool, len(infos))
	for _, i := range infos {
		seen[i.Path] = true
	}
	var left []string // out, by the rules
	for p := range m.Files {
		switch {
		case seen[p]:
		case ignored(p):
			left = append(left, p)
		case !below(p, problems) && missing(p):
			d.Gone = append(d.Gone, p)
		}
	}
	if m.tooMany(len(d.Gone)) {
		d.Held, d.Gone = len(d.Gone), nil
	}
	d.Gone = append(d.Gone, left...)
	slices.Sort(d.Gone)
	return d
}

func below(path string, problems []vault.Problem) bool {
	return slices.ContainsFunc(problems, func(p vault.Problem) bool {
		return path == p.Path || strings.HasPrefix(path, p.Path+"/")
	})
}

// BrakeNotice explains why the index is paused.
func (d Difference) BrakeNotice() string {
	return fmt.Sprintf("%d of %d indexed files are gone from the folder, so nothing was removed from the index. "+
		"If a disk or folder is missing, bring it back: the index resumes by itself. If they are meant to be gone, `kist index rebuild` says so.", d.Held, d.known)
}

// Vanishing counts which of some changed paths are gone, and says whether they
// are too many to be believed without a look at everything.
func (m *Manifest) Vanishing(paths []string, missing func(string) bool) bool {
	if !m.tooMany(len(paths)) {
		return false
	}
	gone := 0
	for _, p := range paths {
		if _, known := m.Files[p]; known && missing(p) {
			gone++
		}
	}
	return m.tooMany(gone)
}

func (m *Manifest) tooMany(gone int) bool {
	return gone > brakeFiles && gone > len(m.Files)/brakeShare
}
