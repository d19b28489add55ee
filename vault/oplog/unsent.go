package oplog

import (
	"slices"
	"strings"
)

// UnsentEnd ends the names of the log's files that no sync may send: they have the texts of
// documents that aren't sent.
const UnsentEnd = ".unsent.yaml"

// unsent reports whether a record is of a change that stays on this machine. A record that names
// no file goes where those before it of its operation went, which before has by id, or the database.
func (log *Log) unsent(r Record, before map[string]bool) (bool, error) {
	if log.opts.Unsent == nil {
		return false, nil
	}
	paths := pathsOf(r.Entity, r.Changes)
	if len(paths) == 0 {
		if stays, ok := before[r.ID]; ok {
			return stays, nil
		}
		op, ok, err := log.Get(r.ID)
		if err != nil {
			return false, err
		}
		if ok {
			return strings.HasSuffix(op.File, UnsentEnd), nil
		}
	}
	before[r.ID] = slices.ContainsFunc(paths, log.opts.Unsent)
	return before[r.ID], nil
}

func pathsOf(e *Entity, changes []Change) (paths []string) {
	if e != nil && e.Path != "" {
		paths = append(paths, e.Path)
	}
	for _, c := range changes {
		paths = append(paths, c.Path)
		if c.From != "" {
			paths = append(paths, c.From)
		}
	}
	return paths
}
