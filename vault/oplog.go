package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/vault/fsys"
	"kist/vault/state"
)

// opLog is the operation log: one append-only file per device and day. Its records
// are folded into operations in the state database, which is an index over the log
// and remembers how far each file was read; patches stay in the files.
type opLog struct {
	v  *Vault
	db *state.DB

	mu   sync.Mutex // held while folding
	owed []record   // what could not be written yet; guarded by the vault's lock
	// tail holds, until the first comparison, the paths in records that were read
	// since Open: what is known of them may be older.
	tail map[string]bool

	heard sync.Mutex      // guards what follows
	whole bool            // every file was read, and dirty names those that changed since
	dirty map[string]bool // files that the watcher saw changing
}

func newOpLog(v *Vault, db *state.DB) *opLog {
	return &opLog{v: v, db: db, dirty: map[string]bool{}, tail: map[string]bool{}}
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

// has reports whether p is one of the log's files.
func (l *opLog) has(p string) bool {
	return strings.HasPrefix(p, l.v.layout.Operations+"/") && strings.HasSuffix(p, ".yaml")
}

// append writes records as one piece and makes them durable before it returns.
func (l *opLog) append(at time.Time, records ...record) error {
	var text []byte
	for _, r := range slices.Concat(l.owed, records) {
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
	l.owed = nil
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.read(p)
}

// owe keeps records that could not be written, for the next append.
func (l *opLog) owe(records []record) { l.owed = append(l.owed, records...) }

// changed notes that another program wrote a file of the log; empty: any of them.
func (l *opLog) changed(p string) {
	l.heard.Lock()
	defer l.heard.Unlock()
	if p == "" {
		l.whole = false
		return
	}
	l.dirty[p] = true
}

// refresh folds in what any device has appended since the last look. While the
// watcher works, only the files that it named are looked at.
func (l *opLog) refresh() error {
	l.heard.Lock()
	whole, dirty := l.whole && l.v.Watcher() == "watching", l.dirty
	l.whole, l.dirty = true, map[string]bool{}
	l.heard.Unlock()
	var err error
	if whole {
		for p := range dirty {
			err = errors.Join(err, l.refreshFile(p))
		}
	} else {
		err = l.refreshAll()
	}
	if err != nil {
		l.changed("")
	}
	return err
}

func (l *opLog) refreshFile(p string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.read(p)
}

func (l *opLog) refreshAll() error {
	paths, err := l.list()
	if err != nil {
		return err
	}
	known, err := l.db.Positions()
	if err != nil {
		return err
	}
	for p := range known {
		if _, found := slices.BinarySearch(paths, p); !found {
			return l.rebuild(paths, p+" is gone")
		}
	}
	// A write in between need not wait for all of them.
	for _, p := range paths {
		if err := l.refreshFile(p); err != nil {
			return err
		}
	}
	return nil
}

// rebuild forgets the index and reads the whole log.
func (l *opLog) rebuild(paths []string, why string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.v.log.Info("reading the whole operation log", "why", why)
	if err := l.db.DropOperations(); err != nil {
		return err
	}
	for _, p := range paths {
		if err := l.read(p); err != nil {
			return err
		}
	}
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
	for _, p := range append(newest, paths[max(0, len(paths)-recent):]...) {
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
		if file, ok := fsys.Stubbed(p); ok {
			p = file // not gone
		}
		if d.Type().IsRegular() && strings.HasSuffix(p, ".yaml") {
			paths = append(paths, p)
		}
		return nil
	})
	slices.Sort(paths)
	return slices.Compact(paths), err
}

// readWindow is how much of a log file is read and folded at a time.
const readWindow = 4 << 20

// read folds in what a file has that wasn't read yet. The lock is held.
func (l *opLog) read(p string) error {
	at, err := l.db.Position(p)
	if err != nil {
		return err
	}
	fi, err := l.v.root.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read operation log: %w", err)
	}
	if l.v.elsewhere(fi) {
		return nil // once it is here, its change is news
	}
	if fi.Size() < at {
		// Rewritten by hand or by git: what is folded may not be true any more.
		l.v.log.Info("operation log was cut, reading it again", "path", p)
		if err := l.db.DropOperations(); err != nil {
			return err
		}
		l.changed("")
		at = 0
	}
	for window := int64(readWindow); at < fi.Size(); {
		n, err := l.readPart(p, at, min(window, fi.Size()-at))
		if err != nil {
			return fmt.Errorf("read operation log: %w", err)
		}
		if n == 0 && at+window >= fi.Size() {
			return nil // a record that isn't complete yet, or never will be
		}
		if n == 0 {
			window *= 2 // a record that is larger than the window
		}
		at += n
	}
	return nil
}

// readPart folds the records in a part of a file and returns how many bytes they take.
func (l *opLog) readPart(p string, at, size int64) (int64, error) {
	text, err := l.readAt(p, at, size)
	if err != nil {
		return 0, err
	}
	docs, n := splitRecords(text)
	f := folding{db: l.db, ops: map[string]*loggedOp{}}
	for _, doc := range docs {
		r, err := decodeRecord(doc)
		if err != nil {
			l.v.log.Warn("operation log: record passed over", "path", p, "err", err)
			continue
		}
		if err := f.fold(r, p, at+offsetIn(text, doc), len(doc)); err != nil {
			return 0, err
		}
		for _, c := range r.Changes {
			if l.tail != nil {
				l.tail[c.Path] = true
				if c.From != "" {
					l.tail[c.From] = true
				}
			}
		}
	}
	entries, err := f.entries(l.v)
	if err != nil {
		return 0, err
	}
	return int64(n), l.db.PutOperations(entries, map[string]int64{p: at + int64(n)})
}

// takeTail returns the paths of tail, and ends collecting them.
func (l *opLog) takeTail() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	tail := l.tail
	l.tail = nil
	return tail
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

// operation returns an operation without its patches; false: there is none.
func (l *opLog) operation(id string) (*loggedOp, bool, error) {
	value, ok, err := l.db.Operation(id)
	if err != nil || !ok {
		return nil, false, err
	}
	op, err := decodeOp(value)
	if err != nil {
		return nil, false, err
	}
	op.UndoneBy, err = l.undoneBy(id)
	return op, err == nil, err
}

// undoneBy returns the operation that took id back and stands itself, if any.
// Taking back an undo makes what it had undone stand again.
func (l *opLog) undoneBy(id string) (string, error) {
	for e, err := range l.db.Operations(undoKey(id), "") {
		if err != nil {
			return "", err
		}
		op, err := decodeOp(e.Value)
		if err != nil {
			return "", err
		}
		if op.Status != StatusCompleted {
			continue
		}
		if by, err := l.undoneBy(op.ID); err != nil || by == "" {
			return op.ID, err
		}
	}
	return "", nil
}

// patches reads an operation's patches from its record. If the record isn't where
// the index says, the log was changed by hand and is read anew.
func (l *opLog) patches(op *loggedOp) (Operation, error) {
	full := op.Operation
	if op.File == "" {
		return full, nil
	}
	r, err := l.recordAt(op)
	if err != nil {
		paths, listErr := l.list()
		if listErr != nil {
			return Operation{}, listErr
		}
		if err := l.rebuild(paths, "it is not what it was"); err != nil {
			return Operation{}, err
		}
		again, ok, findErr := l.operation(op.ID)
		if findErr != nil || !ok {
			return Operation{}, errors.Join(&NotFoundError{Kind: "operation", Ref: op.ID}, findErr)
		}
		if r, err = l.recordAt(again); err != nil {
			return Operation{}, fmt.Errorf("read operation %s from %s: %w", op.ID, op.File, err)
		}
	}
	full.Changes = nil
	for _, c := range r.Changes {
		full.Changes = append(full.Changes, c.change())
	}
	return full, nil
}

func (l *opLog) recordAt(op *loggedOp) (record, error) {
	text, err := l.readAt(op.File, op.Offset, int64(op.Length))
	if err != nil {
		return record{}, fmt.Errorf("read operation log: %w", err)
	}
	r, err := decodeRecord(text)
	if err != nil {
		return record{}, err
	}
	if r.ID != op.ID {
		return record{}, fmt.Errorf("%w: another operation's record", ErrInvalid)
	}
	return r, nil
}
