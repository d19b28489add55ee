package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"kist/vault/fsys"
)

// tornTail is how much of a file's end is looked at for a line that a crash cut off,
// in bytes.
const tornTail = 4 << 10

// appendRecord adds text at the end of a file of kist's own bookkeeping; one that
// isn't there begins with head. What the file holds is neither read nor written
// again, so that the cost doesn't grow with it. An editor may replace the file, or
// empty it, in the moment of writing; so it is looked at afterwards, and the text
// added once more where it isn't.
func (v *Vault) appendRecord(ctx context.Context, p string, head, text []byte) error {
	r := &replacement{path: p}
	for range replaceTries {
		plain, err := v.plainFile(p)
		if err != nil {
			return err
		}
		if !plain {
			err := v.writeRecord(ctx, p, func(now []byte) ([]byte, error) {
				if len(now) == 0 {
					now = head
				}
				out := bytes.Clone(now)
				return append(append(out, closing(out)...), text...), nil
			})
			if err == nil {
				v.remember(p, text) // an editor may have emptied it to write it anew
			}
			return err
		}
		there, err := v.appendOnce(ctx, r, text)
		if there || err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return &ConflictError{Path: p, Reason: "another program keeps saving this file"}
}

// appendOnce appends and looks whether the text is there.
func (v *Vault) appendOnce(ctx context.Context, r *replacement, text []byte) (there bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.ready(ctx); err != nil {
		return false, err
	}
	v.waitClosed(r)
	tail, _, err := v.readTail(r.path, tornTail)
	if err != nil {
		return false, err
	}
	whole := append(v.lost(r.path), text...)
	// It closes an open line by itself.
	if err := v.appendFile(r.path, append(bytes.TrimPrefix(closing(tail), []byte("\n")), whole...)); err != nil || !v.endsIn(r.path, text) {
		return false, err
	}
	v.remember(r.path, text)
	v.changed([]FileChange{{Path: r.path}})
	return true, nil
}

// plainFile reports whether p is a file with text that only has this one name.
func (v *Vault) plainFile(p string) (bool, error) {
	fi, err := v.lstat(p)
	switch {
	case errors.Is(err, ErrNotDownloaded):
		return false, err
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, v.pathError("file", p, err)
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
func (v *Vault) endsIn(p string, text []byte) bool {
	tail, _, err := v.readTail(p, int64(len(text)))
	if err == nil && bytes.Equal(tail, text) {
		return true
	}
	all, err := v.Read(p)
	return err == nil && bytes.Contains(all, text)
}

// readTail reads at most limit bytes of a file's end; whole says that it is all.
func (v *Vault) readTail(p string, limit int64) (text []byte, whole bool, err error) {
	f, info, err := v.open(p)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	from := max(0, info.Size-limit)
	text = make([]byte, info.Size-from)
	n, err := f.ReadAt(text, from)
	if errors.Is(err, io.EOF) {
		err = nil // an editor emptied it, or wrote less, just now
	}
	if err != nil && n == 0 && info.Size > 0 {
		return nil, false, fmt.Errorf("%s: %w", p, fsys.BareError(err))
	}
	return text[:n], from == 0, nil
}
