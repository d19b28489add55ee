package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"kist/vault/fsys"
	"kist/vault/merge"
)

const (
	// settleTime is how long a displaced file is kept at least before it is looked
	// at again: an editor that had it open while we exchanged it may still be
	// writing into it.
	settleTime = 100 * time.Millisecond
	// settleLimit is how long we wait for a program to close it. After that the
	// file stays, and the next start looks at it.
	settleLimit = 30 * time.Second
)

// errHeldOpen: some program still has a displaced file open.
var errHeldOpen = errors.New("another program still has it open")

// settleLater keeps the displaced file tmp, which held expect, for settleTime.
func (v *Vault) settleLater(tmp, target string, expect []byte) {
	v.inFlight.Store(tmp, true)
	v.settling.Go(func() {
		defer v.inFlight.Delete(tmp)
		select {
		case <-time.After(settleTime):
		case <-v.closing:
		}
		if err := v.settle(tmp, target, expect); err != nil {
			v.log.Error("displaced file kept", "path", tmp, "err", err)
		}
	})
}

// settle removes the displaced file, or brings in what was saved into it.
func (v *Vault) settle(tmp, target string, expect []byte) error {
	text, err := v.readSettled(tmp, expect)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(text, expect) {
		return v.bringIn(tmp, target, expect, text)
	}
	if err := v.disk().Remove(tmp); err != nil {
		return err
	}
	// Under the lock: an operation may be about to write into the empty folder.
	v.mu.Lock()
	defer v.mu.Unlock()
	v.removeEmptyDirs(path.Dir(target))
	return nil
}

// readSettled reads a displaced file once nobody can write into it any more. Where
// the system can't tell, it waits until the text stays the same, and longer for an
// empty one: editors cut a file to nothing before they write it.
func (v *Vault) readSettled(tmp string, expect []byte) ([]byte, error) {
	var last []byte
	same := 0
	for start := time.Now(); ; {
		text, held, known, err := v.readLeased(tmp)
		if err != nil || known && !held {
			return text, err
		}
		if same++; !bytes.Equal(text, last) {
			same = 0
		}
		last = text
		if !known && (bytes.Equal(text, expect) || same >= 5 && len(text) > 0 || same >= 50) {
			return text, nil
		}
		select {
		case <-v.closing:
			// The next start finds the file and deals with it.
			return nil, errHeldOpen
		case <-time.After(settleTime / 5):
		}
		if time.Since(start) > settleLimit {
			return nil, errHeldOpen
		}
	}
}

func (v *Vault) readLeased(tmp string) (text []byte, held, known bool, err error) {
	f, _, err := v.open(tmp)
	if err != nil {
		return nil, false, false, err
	}
	defer f.Close()
	held, known = fsys.HeldOpen(f)
	text, err = io.ReadAll(f)
	return text, held, known, err
}

// removeEmptyDirs removes dir and its parents as far as they are empty, so that
// undoing a creation leaves the tree as it was. Only folders that kist makes by
// itself go away. The lock is held.
func (v *Vault) removeEmptyDirs(dir string) {
	for ; dir != "."; dir = path.Dir(dir) {
		top, _, _ := strings.Cut(dir, "/")
		if top != v.layout.Projects && top != v.layout.Memories && top != v.layout.Drafts {
			return
		}
		if v.disk().Rmdir(dir) != nil {
			return // not empty, or gone
		}
	}
}

// bringIn merges what an editor saved into a displaced file (base is what it held
// before) with what stands in its place, or keeps it as a conflict copy.
func (v *Vault) bringIn(tmp, target string, base, saved []byte) error {
	now, err := v.readOrNil(target)
	if err != nil {
		return err
	}
	if now != nil {
		if merged, err := merge.Lines(base, now, saved); err == nil {
			if bytes.Equal(merged, now) {
				return v.disk().Remove(tmp)
			}
			step := Step{Type: OpUpdate, Entity: Entity{Type: "document", Path: target}, Reason: "saved by an editor while kist wrote", Changes: []Change{{Path: target, Before: now, After: merged}}}
			if _, err := v.Apply(context.Background(), Batch{Origin: Origin{Actor: ActorEditor}, Steps: []Step{step}}); err == nil {
				return v.disk().Remove(tmp)
			}
		}
	}
	return v.keepCopy(tmp, target)
}

// keepCopy gives a displaced text a name of its own beside the document, and never
// one that is taken.
func (v *Vault) keepCopy(tmp, target string) error {
	dir, err := v.disk().OpenFolder(path.Dir(tmp))
	if err != nil {
		return err
	}
	defer dir.Close()
	stamp := v.now().Format("2006-01-02 150405")
	for n := 1; ; n++ {
		name := path.Join(path.Dir(tmp), copyName(path.Base(target), stamp, n))
		err := v.putBack(dir, tmp, name)
		if errors.Is(err, fs.ErrExist) && n < 1000 {
			continue
		}
		if err != nil {
			return err
		}
		v.log.Warn("kept a conflict copy", "path", name)
		v.changes.add(name)
		return nil
	}
}

// maxName is how many bytes a name may have on nearly all file systems.
const maxName = 255

// copyName returns "base (conflict stamp).md", with a number from the second one
// on, and with the end of a long base cut off.
func copyName(base, stamp string, n int) string {
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	end := fmt.Sprintf(" (conflict %s)%s", stamp, ext)
	if n > 1 {
		end = fmt.Sprintf(" (conflict %s %d)%s", stamp, n, ext)
	}
	if room := max(0, maxName-len(end)); len(stem) > room {
		stem = strings.ToValidUTF8(stem[:room], "")
	}
	return stem + end
}

// WaitSettled waits until every displaced file is dealt with, so that whoever looks into
// the folders finds nothing but documents, and at most for limit: an editor may hold
// one open. It reports whether none is left.
func (v *Vault) WaitSettled(ctx context.Context, limit time.Duration) bool {
	end := time.Now().Add(limit)
	for {
		left := false
		v.inFlight.Range(func(any, any) bool {
			left = true
			return false
		})
		if !left || time.Now().After(end) || ctx.Err() != nil {
			return !left
		}
		select {
		case <-time.After(settleTime / 10):
		case <-ctx.Done():
		}
	}
}
