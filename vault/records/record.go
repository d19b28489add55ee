package records

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"kist/vault/disk"
	"kist/vault/fsys"
)

// tornTail is how much of a file's end is looked at for a line that a crash cut off,
// in bytes.
const tornTail = 4 << 10

// AppendRecord adds text at the end of a file of kist's own bookkeeping; one that
// isn't there begins with head. What the file holds is neither read nor written
// again, so that the cost doesn't grow with it. An editor may replace the file, or
// empty it, in the moment of writing; so it is looked at afterwards, and the text
// added once more where it isn't.
func (rec *Records) AppendRecord(ctx context.Context, p string, head, text []byte) error {
	r := &disk.Replacement{Path: p}
	for range disk.ReplaceTries {
		plain, err := rec.plainFile(p)
		if err != nil {
			return err
		}
		if !plain {
			err := rec.WriteRecord(ctx, p, func(now []byte) ([]byte, error) {
				if len(now) == 0 {
					now = head
				}
				out := bytes.Clone(now)
				return append(append(out, closing(out)...), text...), nil
			})
			if err == nil {
				rec.remember(p, text) // an editor may have emptied it to write it anew
			}
			return err
		}
		there, err := rec.appendOnce(ctx, r, text)
		if there || err != nil && !errors.Is(err, disk.ErrNotFound) {
			return err
		}
	}
	return &disk.ConflictError{Path: p, Reason: "another program keeps saving this file"}
}

// appendOnce appends and looks whether the text is there.
func (rec *Records) appendOnce(ctx context.Context, r *disk.Replacement, text []byte) (there bool, err error) {
	rec.opts.Tree.LockFor(ctx, r.Path)
	defer rec.opts.Tree.Unlock()
	if err := rec.opts.Ready(ctx); err != nil {
		return false, err
	}
	rec.opts.Tree.WaitClosed(r)
	tail, _, err := rec.opts.Tree.ReadTail(r.Path, tornTail)
	if err != nil {
		return false, err
	}
	whole := append(rec.lost(r.Path), text...)
	// It closes an open line by itself.
	if err := rec.opts.Tree.Append(r.Path, append(bytes.TrimPrefix(closing(tail), []byte("\n")), whole...)); err != nil || !rec.endsIn(r.Path, text) {
		return false, err
	}
	rec.remember(r.Path, text)
	rec.opts.Changed(r.Path)
	return true, nil
}

// plainFile reports whether p is a file with text that only has this one name.
func (rec *Records) plainFile(p string) (bool, error) {
	fi, err := rec.opts.Tree.Lstat(p)
	switch {
	case errors.Is(err, disk.ErrNotDownloaded):
		return false, err
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, rec.opts.Tree.PathError("file", p, err)
	}
	return fi.Mode().IsRegular() && fi.Size() > 0 && fsys.Links(fi) == 1, nil
}

// closing is what must come before text that is added to a file with this end: a
// crash may have cut off its last line, and an open comment would hide what follows.
func closing(tail []byte) []byte {
	if len(tail) == 0 || tail[len(tail)-1] == '\n' {
		return nil
	}
	last := tail[bytes.LastIndexByte(tail, '\n')+1:]
	if bytes.HasPrefix(last, []byte("<!--")) && !bytes.Contains(last, []byte("-->")) {
		return []byte("\n-->\n")
	}
	return []byte("\n")
}

// endsIn reports whether a file, found anew by its name, has a text at or near its
// end.
func (rec *Records) endsIn(p string, text []byte) bool {
	tail, _, err := rec.opts.Tree.ReadTail(p, int64(len(text)))
	if err == nil && bytes.Equal(tail, text) {
		return true
	}
	all, err := rec.opts.Tree.Read(p)
	return err == nil && bytes.Contains(all, text)
}

// WriteRecord replaces a file of kist's own bookkeeping by what edit makes of it,
// with the same care for concurrent editors as an operation but without one.
func (rec *Records) WriteRecord(ctx context.Context, p string, edit func(now []byte) ([]byte, error)) error {
	rec.opts.Tree.LockFor(ctx, p)
	defer rec.opts.Tree.Unlock()
	if err := rec.opts.Ready(ctx); err != nil {
		return err
	}
	r := &disk.Replacement{Path: p}
	for range disk.ReplaceTries {
		now, err := rec.opts.Tree.ReadOrNil(p)
		if err != nil {
			return err
		}
		after, err := edit(now)
		if err != nil {
			return err
		}
		r.ID, r.Before, r.After = rec.opts.NewID(), now, after
		err = rec.opts.Tree.ReplaceOnce(r)
		if errors.Is(err, disk.ErrRaced) || errors.Is(err, disk.ErrExists) {
			rec.opts.Tree.WaitClosed(r)
			continue
		}
		if err != nil {
			return err
		}
		rec.opts.Changed(p)
		return nil
	}
	return &disk.ConflictError{Path: p, Reason: "another program keeps saving this file"}
}
