package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// opLog is the operation log: one append-only file per device and day. It reads
// each file once and then only what was appended, by us or by a sync; patches
// stay on disk.
type opLog struct {
	v  *Vault
	mu sync.Mutex
	// files by path; what was read of each.
	files  map[string]*logFile
	ops    map[string]*loggedOp
	linked bool // which operation undid which is worked out
}

type logFile struct {
	read int64 // bytes whose records are folded in
}

// loggedOp is an operation without its patches, and where they are.
type loggedOp struct {
	Operation
	patchFile string
	patchAt   int64
	patchLen  int
	last      time.Time // of the record that gave the status
}

func newOpLog(v *Vault) *opLog {
	return &opLog{v: v, files: map[string]*logFile{}, ops: map[string]*loggedOp{}}
}

// path returns today's file of this device.
func (l *opLog) path(at time.Time) string {
	return path.Join(l.v.layout.Operations, at.UTC().Format("2006/01/02")+"-"+l.v.device+".yaml")
}

// own reports whether this device writes the file p, named DD-device.yaml.
func (l *opLog) own(p string) bool {
	base := path.Base(p)
	return len(base) > 3 && base[3:] == l.v.device+".yaml"
}

// append writes records as one piece and makes them durable before it returns.
func (l *opLog) append(at time.Time, records ...record) error {
	var text []byte
	for _, r := range records {
		doc, err := encodeRecord(r)
		if err != nil {
			return err
		}
		text = append(text, doc...)
	}
	p := l.path(at)
	if err := l.v.appendFile(p, text); err != nil {
		return fmt.Errorf("write operation log: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refreshFile(p)
}

// refresh folds in what any device has appended since the last look. The first
// time that is the whole log; a write in between need not wait for it.
func (l *opLog) refresh() error {
	paths, err := l.list()
	if err != nil {
		return err
	}
	for _, p := range paths {
		l.mu.Lock()
		err := l.refreshFile(p)
		l.mu.Unlock()
		if err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.link()
	return nil
}

// refreshRecent folds in the files that this device wrote last, by their names and,
// since a clock may have been wrong, by their times. An operation that a crash
// interrupted is in one of them: nothing is written before it has been ended.
func (l *opLog) refreshRecent() error {
	const recent = 3
	paths, err := l.list()
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !l.own(p) })
	times := map[string]time.Time{}
	for _, p := range paths {
		if fi, err := l.v.root.Stat(p); err == nil {
			times[p] = fi.ModTime()
		}
	}
	newest := slices.Clone(paths[max(0, len(paths)-recent):])
	slices.SortFunc(paths, func(a, b string) int { return times[a].Compare(times[b]) })
	newest = append(newest, paths[max(0, len(paths)-recent):]...)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range newest {
		if err := l.refreshFile(p); err != nil {
			return err
		}
	}
	return nil
}

// list returns the log's files, oldest first.
func (l *opLog) list() ([]string, error) {
	var paths []string
	err := fs.WalkDir(l.v.root.FS(), l.v.layout.Operations, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if d.Type().IsRegular() && strings.HasSuffix(p, ".yaml") {
			paths = append(paths, p)
		}
		return nil
	})
	slices.Sort(paths)
	return paths, err
}

func (l *opLog) refreshFile(p string) error {
	lf := l.files[p]
	if lf == nil {
		lf = &logFile{}
		l.files[p] = lf
	}
	fi, err := l.v.root.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read operation log: %w", err)
	}
	if fi.Size() < lf.read {
		lf.read = 0 // rewritten by hand or by a merge; folding again is harmless
	}
	if fi.Size() == lf.read {
		return nil
	}
	text, err := l.readAt(p, lf.read, fi.Size()-lf.read)
	if err != nil {
		return fmt.Errorf("read operation log: %w", err)
	}
	docs, n := splitRecords(text)
	for _, doc := range docs {
		r, err := decodeRecord(doc)
		if err != nil {
			l.v.log.Warn("operation log: record passed over", "path", p, "err", err)
			continue
		}
		l.fold(r, p, lf.read+offsetIn(text, doc), len(doc))
	}
	lf.read += int64(n)
	return nil
}

// offsetIn returns where sub, a slice of text, starts in it.
func offsetIn(text, sub []byte) int64 { return int64(cap(text) - cap(sub)) }

func (l *opLog) readAt(p string, off, n int64) ([]byte, error) {
	f, err := l.v.root.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, n)
	m, err := f.ReadAt(text, off)
	if err == io.EOF {
		err = nil
	}
	return text[:m], err
}

// fold adds a record to its operation. Records may come from several devices
// and files in any order.
func (l *opLog) fold(r record, file string, at int64, n int) {
	op := l.ops[r.ID]
	if op == nil {
		op = &loggedOp{Operation: Operation{ID: r.ID, At: r.At}}
		l.ops[r.ID] = op
	}
	// An end is an end, whatever the clocks of two devices, or of one that was set
	// back, say; among equals the later record counts.
	if a, b := rank(r.Event), rank(op.Status); a > b || a == b && !r.At.Before(op.last) {
		op.Status, op.last, op.Error = r.Event, r.At, r.Error
	}
	if r.At.Before(op.At) {
		op.At = r.At
	}
	if r.Type != "" {
		op.Type, op.Actor, op.Client = r.Type, r.Actor, r.Client
		op.Session, op.Turn, op.Batch = r.Session, r.Turn, r.Batch
		op.Reason, op.Undoes = r.Reason, r.Undoes
	}
	if r.Entity != nil {
		op.Entity = Entity(*r.Entity)
	}
	if len(r.Changes) > 0 {
		op.Changes = op.Changes[:0:0]
		for _, c := range r.Changes {
			op.Changes = append(op.Changes, FileChange{Path: c.Path, Before: c.Before, After: c.After})
		}
		op.patchFile, op.patchAt, op.patchLen = file, at, n
	}
	if r.Digest != "" {
		op.Digest = r.Digest
	}
	op.Seq = max(op.Seq, r.Seq)
	op.Duration = max(op.Duration, time.Duration(r.DurationMS)*time.Millisecond)
	l.linked = false
}

func rank(s Status) int {
	switch s {
	case "":
		return 0
	case StatusProposed:
		return 1
	case StatusApproved:
		return 2
	case StatusBegun:
		return 3
	}
	return 4
}

// link works out which operation was taken back by which. Taking back an undo
// makes what it had undone stand again.
func (l *opLog) link() {
	if l.linked {
		return
	}
	l.linked = true
	var undos []*loggedOp
	for _, op := range l.ops {
		op.UndoneBy = ""
		if op.Undoes != "" && op.Status == StatusCompleted {
			undos = append(undos, op)
		}
	}
	sortOps(undos)
	for _, op := range undos {
		target := l.ops[op.Undoes]
		if target == nil {
			continue
		}
		target.UndoneBy = op.ID
		if again := l.ops[target.Undoes]; again != nil && again.UndoneBy == target.ID {
			again.UndoneBy = ""
		}
	}
}

// patches reads an operation's patches from its record.
func (l *opLog) patches(op *loggedOp) (Operation, error) {
	full := op.Operation
	if op.patchFile == "" {
		return full, nil
	}
	text, err := l.readAt(op.patchFile, op.patchAt, int64(op.patchLen))
	if err != nil {
		return Operation{}, fmt.Errorf("read operation log: %w", err)
	}
	r, err := decodeRecord(text)
	if err != nil || r.ID != op.ID {
		return Operation{}, fmt.Errorf("read operation %s from %s: %w", op.ID, op.patchFile, errors.Join(ErrInvalid, err))
	}
	full.Changes = nil
	for _, c := range r.Changes {
		full.Changes = append(full.Changes, FileChange{Path: c.Path, Before: c.Before, After: c.After, Patch: c.patch()})
	}
	return full, nil
}

// appendFile adds text at the end of a file of kist's own, creating it, and makes
// it durable. A line that a crash cut off is closed first.
func (v *Vault) appendFile(p string, text []byte) error {
	if err := v.makeDirs(path.Dir(p)); err != nil {
		return err
	}
	_, statErr := v.root.Lstat(p)
	if err := v.fault("log append"); err != nil {
		return err
	}
	f, err := v.root.OpenFile(p, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666&^v.umask)
	if err != nil {
		return err
	}
	defer f.Close()
	if size, err := f.Seek(0, io.SeekEnd); err == nil && size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err == nil && last[0] != '\n' {
			text = append([]byte("\n"), text...)
		}
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := v.sync(f); err != nil {
		return err
	}
	if statErr == nil {
		return nil
	}
	dir, err := v.root.Open(path.Dir(p))
	if err != nil {
		return err
	}
	defer dir.Close()
	return v.syncDir(dir)
}
