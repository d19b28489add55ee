package disk

import (
	"errors"
	"io/fs"
	"os"
)

// A Stroke is replacements that are carried out one after another and made durable
// together: a folder takes as long for a thousand names as for one. The tree's lock is
// held from [Tree.Begin] to [Stroke.End], which must be called, whatever failed.
type Stroke struct {
	t       *Tree
	folders map[string]open // that have names which aren't durable yet
	touched map[string]bool // files of these names
	left    []left
	twins   map[*Replacement]twin // that were written ahead
}

// An open folder, and the last file that was replaced in it.
type open struct {
	dir *os.File
	by  *Replacement
}

// A left file is one that a replacement took out of its place.
type left struct {
	tmp string
	r   *Replacement
}

// openFolders bounds how many folders a stroke keeps open.
const openFolders = 64

// Begin begins a stroke.
func (t *Tree) Begin() *Stroke { return &Stroke{t: t} }

// Replace is [Tree.Replace] as part of the stroke: before its End the change may not outlive
// a loss of power.
func (s *Stroke) Replace(r *Replacement, remerge func() error) error {
	return s.t.retry(r, remerge, func(r *Replacement) error {
		err := s.carryOut(r)
		if err == nil {
			s.t.Options.Wrote(r)
		}
		return err
	})
}

// End makes durable what was carried out.
func (s *Stroke) End() error {
	for _, tw := range s.twins {
		_ = s.t.Disk().Remove(tw.tmp) // or the next start does
	}
	s.twins = nil
	return s.sync()
}

// folder returns a folder, open. What was done in others is made durable first where
// they are too many.
func (s *Stroke) folder(p string, by *Replacement) (*os.File, error) {
	if o, ok := s.folders[p]; ok {
		s.folders[p] = open{o.dir, by}
		return o.dir, nil
	}
	if len(s.folders) >= openFolders {
		if err := s.sync(); err != nil {
			return nil, err
		}
	}
	dir, err := s.t.Disk().OpenFolder(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.t.PathError("folder", p, err)
	}
	if err != nil {
		return nil, s.t.writeError(by, err)
	}
	if s.folders == nil {
		s.folders, s.touched = map[string]open{}, map[string]bool{}
	}
	s.folders[p] = open{dir, by}
	return dir, nil
}

// again makes durable what was done to the files of r, if anything was: of two changes of one
// file a loss of power must not leave the second alone.
func (s *Stroke) again(r *Replacement) error {
	if s.touched[r.Path] || s.touched[r.From] {
		return s.sync()
	}
	return nil
}

// sync makes the names in all folders durable, and only then has displaced files looked
// after, which may be let go from then on.
func (s *Stroke) sync() (err error) {
	for _, o := range s.folders {
		if err == nil {
			err = s.t.writeError(o.by, s.t.Disk().SyncFolder(o.dir))
		}
		_ = o.dir.Close()
	}
	for _, l := range s.left {
		s.t.Later(l.tmp, l.r.Path, l.r.Before)
	}
	s.folders, s.touched, s.left = nil, nil, nil
	return err
}

// later has a file that r took out of its place looked after when that is durable.
func (s *Stroke) later(tmp string, r *Replacement) { s.left = append(s.left, left{tmp, r}) }
