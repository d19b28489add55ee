package state

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"kist/vault/boltcheck"
	"kist/vault/control"
)

// format changes with the form of the buckets; a file of another one is begun anew.
const format = 1

// lockTimeout is short: whoever has the file open keeps it for long. But a program that a killed daemon was about to start has it until
// it is started, which on a busy machine takes some tenths of a second.
const lockTimeout = time.Second

// errForeign: a file that is none of ours, or of another format.
var errForeign = errors.New("not a state file of this version")

// Open opens the state file, or makes a new one; its folder must exist. A file
// that is damaged, foreign or of another version is set aside as
// file.damaged-<unix time>, where only the last one is kept, and a new one begun.
// The error wraps [ErrLocked] when the file is open elsewhere; otherwise it says
// why there can't be a new file. The caller closes the DB.
func Open(file string, opts Options) (*DB, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Flush == 0 {
		opts.Flush = time.Second
	}
	db, err := open(file)
	if err != nil && !errors.Is(err, ErrLocked) && !passing(err) {
		opts.Log.Warn("the state file is set aside and begun anew", "file", file, "err", err)
		if err = setAside(file); err == nil {
			db, err = open(file)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open state file: %w", err)
	}
	db.file, db.log, db.every = file, opts.Log, opts.Flush
	go db.run()
	return db, nil
}

// OpenTemporary opens a state file that has nothing to begin with, lies among the system's
// temporary files and is gone with the DB, or with the process. The caller closes the DB.
func OpenTemporary(opts Options) (*DB, error) {
	dir, err := os.MkdirTemp("", "kist-state-")
	if err != nil {
		return nil, fmt.Errorf("open state file: %w", err)
	}
	db, err := Open(filepath.Join(dir, "state.db"), opts)
	if rmErr := os.RemoveAll(dir); err == nil && rmErr != nil && opts.Log != nil {
		opts.Log.Debug("the system keeps the name of an open file", "dir", dir, "err", rmErr)
	}
	return db, err
}

// passing reports whether an error says nothing of the file itself.
func passing(err error) bool {
	for _, errno := range []syscall.Errno{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS,
	} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// marker is the file that says that the state file turned out to be damaged.
func marker(file string) string { return file + ".damaged" }

func mark(file string) error {
	f, err := control.OpenFile(marker(file), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// setAside renames the file, and removes those that were set aside before.
func setAside(file string) error {
	old, err := filepath.Glob(escape(file) + ".damaged-*")
	if err != nil {
		return fmt.Errorf("set aside: %w", err)
	}
	for _, name := range old {
		if err := os.RemoveAll(name); err != nil {
			return fmt.Errorf("set aside: %w", err)
		}
	}
	if err := os.Rename(file, marker(file)+"-"+strconv.FormatInt(time.Now().Unix(), 10)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("set aside: %w", err)
	}
	if err := os.Remove(marker(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("set aside: %w", err)
	}
	return nil
}

// escape makes a path match itself alone in a glob.
func escape(path string) string {
	var out []byte
	for i := range len(path) {
		if c := path[i]; c == '*' || c == '?' || c == '[' {
			out = append(out, '[', c, ']')
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

func open(file string) (*DB, error) {
	if _, err := os.Lstat(marker(file)); err == nil {
		return nil, fmt.Errorf("%w: it was found so before", ErrDamaged)
	}
	if err := boltcheck.CheckHead(file); err != nil {
		return nil, err
	}
	b, handle, err := openBolt(file)
	if err != nil {
		if handle != nil {
			handle.Close() // after a panic bbolt leaves it open, and locked
		}
		return nil, err
	}
	db := &DB{
		bolt: b, handle: handle, active: newPending(),
		kick: make(chan struct{}, 1), full: make(chan struct{}, 1),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	db.update = b.Update
	err = db.load()
	if err == nil && !db.fresh {
		err = db.check()
	}
	if err != nil {
		return nil, errors.Join(err, closeBolt(b, handle))
	}
	return db, nil
}

// openBolt keeps the freelist in the file: without one, bbolt looks at all pages
// when it opens a file, and if one is damaged it panics in a goroutine of its own,
// which nobody can recover from. Reads are short, so that the memory map may start
// small: a larger one would be a larger file on some systems.
func openBolt(file string) (b *bolt.DB, handle *os.File, err error) {
	defer recovered(&err)()
	b, err = bolt.Open(file, 0o600, &bolt.Options{
		Timeout:      lockTimeout,
		FreelistType: bolt.FreelistMapType,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := control.OpenFile(name, flag, mode)
			handle = f
			return f, err
		},
	})
	if errors.Is(err, berrors.ErrTimeout) {
		err = fmt.Errorf("%w: %s", ErrLocked, file)
	}
	return b, handle, err
}

// load makes the buckets of a new file, or checks an old one's.
func (db *DB) load() (err error) {
	defer recovered(&err)()
	empty := false
	err = db.bolt.View(func(tx *bolt.Tx) error {
		k, _ := tx.Cursor().First()
		if empty = k == nil; empty {
			return nil
		}
		return db.loadMeta(tx)
	})
	if err != nil || !empty {
		return err
	}
	db.fresh = true
	return db.bolt.Update(func(tx *bolt.Tx) error {
		for _, name := range [][]byte{docsBucket, textsBucket, opsBucket, byBucket, logsBucket, metaBucket} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		if err := tx.Bucket(metaBucket).Put(countKey, encodeNumber(string(countKey), 0)); err != nil {
			return err
		}
		return tx.Bucket(metaBucket).Put(formatKey, encodeNumber(string(formatKey), format))
	})
}

func (db *DB) loadMeta(tx *bolt.Tx) error {
	for _, name := range [][]byte{docsBucket, textsBucket, opsBucket, byBucket, logsBucket, metaBucket} {
		if tx.Bucket(name) == nil {
			return fmt.Errorf("%w: no bucket %s", errForeign, name)
		}
	}
	number := func(key []byte) int64 {
		n, err := decodeNumber(string(key), tx.Bucket(metaBucket).Get(key))
		if err != nil {
			return -1
		}
		return n
	}
	if n := number(formatKey); n != format {
		return fmt.Errorf("%w: format %d", errForeign, n)
	}
	if db.count = int(number(countKey)); db.count < 0 {
		return fmt.Errorf("%w: no count of documents", ErrDamaged)
	}
	db.filled = number(filledKey) == 1
	_, ops, _ := first(tx.Bucket(opsBucket))
	_, logs, _ := first(tx.Bucket(logsBucket))
	db.fresh = db.count == 0 && !db.filled && ops == nil && logs == nil
	return nil
}
