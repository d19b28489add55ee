package documents

import (
	"fmt"
	"sync/atomic"

	"kist/vault/disk"
	"kist/vault/ignore"
)

// Options for [New].
type Options struct {
	Tree    *disk.Tree
	Layout  Layout
	Changes *Changes
	// Watched reports whether changes by other programs get a number.
	Watched func() bool
	// Known is about how many documents there are.
	Known func() (int, error)
	// Owner returns the inode that a document is known to have had, 0 if that isn't known,
	// and whether it is known at all.
	Owner func(path string) (inode uint64, known bool)
	// Swept is given the temporary files that a walk has found.
	Swept func(paths []string)
}

// A Folder is a vault's documents, as people and programs name them.
type Folder struct {
	*folder
	hides func(p string) bool // nil: nothing
}

type folder struct {
	opts     Options
	tree     *disk.Tree
	layout   Layout
	changes  *Changes
	rules    *ignore.Rules
	listings listings
	names    names
	places   atomic.Pointer[Places]
	nowhere  *Places // before any was told
}

// New returns the documents of a tree.
func New(opts Options) *Folder {
	f := &Folder{folder: &folder{opts: opts, tree: opts.Tree, layout: opts.Layout, changes: opts.Changes, nowhere: NewPlaces(nil)}}
	f.rules = ignore.New(func(p string) ([]byte, error) {
		text, _, err := f.tree.ReadHead(p, ignore.MaxFile+1)
		return text, err
	})
	return f
}

// Without returns the folder as it is for who must not see the documents and folders that
// hides reports, by their path: they are neither listed nor read, as if they weren't there.
// Names for new documents are chosen beside them all the same.
func (f *Folder) Without(hides func(p string) bool) *Folder {
	return &Folder{folder: f.folder, hides: hides}
}

// Hides reports whether a path is hidden, see [Folder.Without].
func (f *Folder) Hides(p string) bool { return f.hidden(p) != nil }

// hidden says that nothing has a name here; nil: it isn't hidden.
func (f *Folder) hidden(p string) error {
	if f.hides != nil && f.hides(p) {
		return fmt.Errorf("%w: %s", disk.ErrNotFound, p)
	}
	return nil
}

// Layout returns the names of the folders with a meaning.
func (f *Folder) Layout() Layout { return f.layout }

// Rules are those of what is left out.
func (f *Folder) Rules() *ignore.Rules { return f.rules }
