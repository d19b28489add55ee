package oplog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"kist/vault/disk"
	"kist/vault/fsys"
	"kist/vault/state"
)

// A Log is the operation log: one append-only file per device and day, and one more for
// changes of what isn't to leave this machine. Its records
// are folded into operations in the state database, which is an index over the log
// and remembers how far each file was read; patches stay in the files.
type Log struct {
	opts Options
	db   *state.DB

	mu      sync.Mutex // held while folding
	ops     large[Folded]
	records large[Record]

	owed []Record // what could not be written yet; guarded by the vault's lock
	// tail holds, until the first comparison, the paths in records that were read
	// since Open: what is known of them may be older.
	tail map[string]bool

	heard sync.Mutex      // guards what follows
	whole bool            // every file was read, and dirty names those that changed since
	dirty map[string]bool // files that the watcher saw changing
}

// Options for [New].
type Options struct {
	Tree      *disk.Tree
	DB        *state.DB
	Folder    string // the log's, from the vault's root
	Device    string // whose log this is
	Log       *slog.Logger
	Now       func() time.Time
	Watched   func() bool              // [Log.Changed] is called for every file that changes
	ProjectOf func(path string) string // the slug of the project that a path belongs to
	Unsent    func(path string) bool   // what changes in the file is to stay on this machine; nil: nothing is
}

// New returns the log of a folder. Nothing of it is read yet.
func New(opts Options) *Log {
	return &Log{opts: opts, db: opts.DB, dirty: map[string]bool{}, tail: map[string]bool{}}
}

// path returns today's file of this device, or that of what stays here.
func (log *Log) path(at time.Time, unsent bool) string {
	end := ".yaml"
	if unsent {
		end = UnsentEnd
	}
	return path.Join(log.opts.Folder, at.UTC().Format("2006/01/02")+"-"+log.opts.Device+end)
}

// own reports whether this device writes the file p, named DD-device.yaml.
func (log *Log) own(p string) bool {
	return Device(p) == log.opts.Device
}

// Has reports whether p is one of the log's files.
func (log *Log) Has(p string) bool {
	return strings.HasPrefix(p, log.opts.Folder+"/") && strings.HasSuffix(p, ".yaml")
}

// Append writes records as one piece, those of what stays on this machine as one of their own,
// and makes them durable before it returns.
func (log *Log) Append(at time.Time, records ...Record) error {
	var texts [2][]byte
	before := map[string]bool{}
	for _, r := range slices.Concat(log.owed, records) {
		doc, err := Encode(r)
		if err != nil {
			return err
		}
		stays, err := log.unsent(r, before)
		if err != nil {
			return err
		}
		i := 0
		if stays {
			i = 1
		}
		texts[i] = append(texts[i], doc...)
	}
	for i, text := range texts {
		if len(text) == 0 {
			continue
		}
		if err := log.append(log.path(at, i == 1), text); err != nil {
			return err
		}
	}
	log.owed = nil
	return nil
}

func (log *Log) append(p string, text []byte) error {
	if err := log.opts.Tree.Append(p, text); err != nil {
		return fmt.Errorf("write operation log: %w", err)
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	return log.read(p)
}

// Owe keeps records that could not be written, for the next append.
func (log *Log) Owe(records []Record) { log.owed = append(log.owed, records...) }

// Owes reports whether records wait for the next Append.
func (log *Log) Owes() bool { return len(log.owed) > 0 }

// Changed notes that another program wrote a file of the log; empty: any of them.
func (log *Log) Changed(p string) {
	log.heard.Lock()
	defer log.heard.Unlock()
	if p == "" {
		log.whole = false
		return
	}
	log.dirty[p] = true
}

// Refresh folds in what any device has appended since the last look. While the
// watcher works, only the files that it named are looked at.
func (log *Log) Refresh() error {
	log.heard.Lock()
	whole, dirty := log.whole && log.opts.Watched(), log.dirty
	log.whole, log.dirty = true, map[string]bool{}
	log.heard.Unlock()
	var err error
	if whole {
		for p := range dirty {
			err = errors.Join(err, log.refreshFile(p))
		}
	} else {
		err = log.refreshAll()
	}
	if err != nil {
		log.Changed("")
	}
	return err
}

// RefreshDirty folds in what the watcher named, and leaves the rest for later.
func (log *Log) RefreshDirty() {
	log.heard.Lock()
	dirty := log.dirty
	log.dirty = map[string]bool{}
	log.heard.Unlock()
	for p := range dirty {
		if err := log.refreshFile(p); err != nil {
			log.opts.Log.Error("read operation log", "path", p, "err", err)
			log.Changed(p)
		}
	}
}

func (log *Log) refreshFile(p string) error {
	log.mu.Lock()
	defer log.mu.Unlock()
	return log.read(p)
}

func (log *Log) refreshAll() error {
	paths, err := log.list()
	if err != nil {
		return err
	}
	known, err := log.db.Positions()
	if err != nil {
		return err
	}
	for p := range known {
		if _, found := slices.BinarySearch(paths, p); !found && p != indexVersionFile {
			return log.rebuild(paths, p+" is gone")
		}
	}
	// A write in between need not wait for all of them.
	for _, p := range paths {
		if err := log.refreshFile(p); err != nil {
			return err
		}
	}
	return nil
}

// Rewritten says that a file was written anew, longer than before perhaps: what was read of it
// may stand elsewhere by now, and other records before it.
func (log *Log) Rewritten() error {
	log.mu.Lock()
	defer log.mu.Unlock()
	return log.forget()
}

// forget has the whole log be read again. The lock is held.
func (log *Log) forget() error {
	log.Changed("")
	return log.drop()
}

// rebuild forgets the index and reads the whole log.
func (log *Log) rebuild(paths []string, why string) error {
	log.mu.Lock()
	defer log.mu.Unlock()
	log.opts.Log.Info("reading the whole operation log", "why", why)
	if err := log.drop(); err != nil {
		return err
	}
	for _, p := range paths {
		if err := log.read(p); err != nil {
			return err
		}
	}
	return nil
}

// RefreshRecent folds in the files that this device wrote last, by their names and,
// since a clock may have been wrong, by their times. An operation that a crash
// interrupted is in one of them: nothing is written before it has been ended.
func (log *Log) RefreshRecent() error {
	const recent = 3
	paths, err := log.list()
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !log.own(p) })
	times := map[string]time.Time{}
	for _, p := range paths {
		if fi, err := log.opts.Tree.Root.Lstat(p); err == nil {
			times[p] = fi.ModTime()
		}
	}
	newest := slices.Clone(paths[max(0, len(paths)-recent):])
	slices.SortFunc(paths, func(a, b string) int { return times[a].Compare(times[b]) })
	for _, p := range append(newest, paths[max(0, len(paths)-recent):]...) {
		if err := log.refreshFile(p); err != nil {
			return err
		}
	}
	return nil
}

// list returns the log's files, oldest first.
func (log *Log) list() ([]string, error) {
	var paths []string
	err := fs.WalkDir(log.opts.Tree.Root.FS(), log.opts.Folder, func(p string, d fs.DirEntry, err error) error {
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
func (log *Log) read(p string) error {
	at, err := log.db.Position(p)
	if err != nil {
		return err
	}
	fi, err := log.opts.Tree.Root.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read operation log: %w", err)
	}
	if log.opts.Tree.Options.Elsewhere(fi) {
		return nil // once it is here, its change is news
	}
	if fi.Size() < at {
		// Rewritten by hand or by git: what is folded may not be true any more.
		log.opts.Log.Info("operation log was cut, reading it again", "path", p)
		if err := log.forget(); err != nil {
			return err
		}
		at = 0
	}
	for window := int64(readWindow); at < fi.Size(); {
		n, err := log.readPart(p, at, min(window, fi.Size()-at))
		if err != nil {
			return fmt.Errorf("read operation log: %w", err)
		}
		if n == 0 && (window >= maxRecord || log.isBinary(p, at)) {
			return log.passOver(p, at, fi.Size())
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

// maxRecord is more than the largest record has, that of a project that is deleted.
const maxRecord = 3 * MaxLogged

// MaxLogged is how many bytes of texts one operation may put into the log, so that it can
// be taken back.
const MaxLogged = 64 << 20

// isBinary reports whether a file has a zero byte soon: no record does.
func (log *Log) isBinary(p string, at int64) bool {
	head, err := log.readAt(p, at, 4<<10)
	return err == nil && bytes.IndexByte(head, 0) >= 0
}

// passOver leaves out what a file has from an offset on: whatever it is, it mustn't be
// read into memory to look for the end of a record.
func (log *Log) passOver(p string, at, size int64) error {
	e, err := unreadableEntry(p, at, int(min(size-at, 4<<10)), errors.New("it isn't text, or has no end"))
	if err != nil {
		return err
	}
	log.opts.Log.Warn("operation log: the rest of a file passed over", "path", p, "from", at)
	return log.db.PutOperations([]state.Entry{e}, map[string]int64{p: size})
}

// readPart folds the records in a part of a file and returns how many bytes they take.
func (log *Log) readPart(p string, at, size int64) (int64, error) {
	text, err := log.readAt(p, at, size)
	if err != nil {
		return 0, err
	}
	parts, n := Split(text)
	f := folding{db: log.db, now: log.opts.Now, own: log.opts.Device, ops: map[string]*Folded{}}
	var passed []state.Entry
	for _, part := range parts {
		r, err := Decode(text[part.From:part.To])
		if err != nil {
			log.opts.Log.Warn("operation log: record passed over", "path", p, "err", err)
			e, err := unreadableEntry(p, at+int64(part.From), part.To-part.From, err)
			if err != nil {
				return 0, err
			}
			passed = append(passed, e)
			continue
		}
		if err := f.fold(r, p, at+int64(part.From), part.To-part.From); err != nil {
			return 0, err
		}
		for _, c := range r.Changes {
			if log.tail != nil {
				log.tail[c.Path] = true
				if c.From != "" {
					log.tail[c.From] = true
				}
			}
		}
	}
	entries, err := f.entries(log.opts)
	if err != nil {
		return 0, err
	}
	return int64(n), log.db.PutOperations(append(entries, passed...), map[string]int64{p: at + int64(n)})
}

// TakeTail returns the paths of tail, and ends collecting them.
func (log *Log) TakeTail() map[string]bool {
	log.mu.Lock()
	defer log.mu.Unlock()
	tail := log.tail
	log.tail = nil
	return tail
}

func (log *Log) readAt(p string, off, n int64) ([]byte, error) {
	f, err := log.opts.Tree.Root.Open(p)
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

// Get returns an operation without its patches; false: there is none.
func (log *Log) Get(id string) (*Folded, bool, error) {
	value, ok, err := log.db.Operation(id)
	if err != nil || !ok {
		return nil, false, err
	}
	op, err := decodeOp(value)
	if err != nil {
		return nil, false, err
	}
	op.UndoneBy, err = log.undoneBy(id)
	return op, err == nil, err
}

// undoneBy returns the operation that took id back and stands itself, if any.
// Taking back an undo makes what it had undone stand again, and one that found the
// work done by an editor's save at that moment has taken nothing back.
func (log *Log) undoneBy(id string) (string, error) {
	for op, err := range log.With(byUndo(id)) {
		if err != nil {
			return "", err
		}
		if op.Status != Completed || !op.Effective() {
			continue
		}
		if by, err := log.undoneBy(op.ID); err != nil || by == "" {
			return op.ID, err
		}
	}
	return "", nil
}

// Patches reads an operation's patches from its record. If the record isn't where
// the index says, the log was changed by hand and is read anew.
func (log *Log) Patches(op *Folded) (Operation, error) {
	full := op.Operation
	if op.File == "" {
		return full, nil
	}
	r, err := log.recordAt(op)
	if err != nil {
		paths, listErr := log.list()
		if listErr != nil {
			return Operation{}, listErr
		}
		if err := log.rebuild(paths, "it is not what it was"); err != nil {
			return Operation{}, err
		}
		again, ok, findErr := log.Get(op.ID)
		if findErr != nil || !ok {
			return Operation{}, errors.Join(&disk.NotFoundError{Kind: "operation", Ref: op.ID}, findErr)
		}
		if r, err = log.recordAt(again); err != nil {
			return Operation{}, fmt.Errorf("read operation %s from %s: %w", op.ID, op.File, err)
		}
	}
	full.Changes = r.FileChanges()
	return full, nil
}

func (log *Log) recordAt(op *Folded) (Record, error) {
	text, err := log.readAt(op.File, op.Offset, int64(op.Length))
	if err != nil {
		return Record{}, fmt.Errorf("read operation log: %w", err)
	}
	r, err := log.records.of(text, func(text []byte) (*Record, error) {
		r, err := Decode(text)
		return &r, err
	})
	if err != nil {
		return Record{}, err
	}
	if r.ID != op.ID {
		return Record{}, fmt.Errorf("%w: another operation's record", ErrInvalid)
	}
	return *r, nil
}
