package state

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Options tunes a [DB]. The zero value is what the daemon uses.
type Options struct {
	Log   *slog.Logger  // nil: nothing is logged
	Flush time.Duration // how long a write may wait in memory; 0: 1 s
}

// How much may wait, in bytes. A flush begins early at flushSize; at waitSize the
// writer waits for it, so that a fill can't outrun the disk; giveUpSize is for a
// disk that can't be written.
const (
	flushSize  = 4 << 20
	waitSize   = 16 << 20
	giveUpSize = 32 << 20
)

// closeTimeout is long for what takes a millisecond: nothing is written any more.
const closeTimeout = 2 * time.Second

// A DB is an open state file. Its methods may be called from several goroutines.
type DB struct {
	file  string
	log   *slog.Logger
	every time.Duration
	fresh bool
	packs packer

	kick chan struct{} // something waits
	full chan struct{} // much waits
	stop chan struct{}
	done chan struct{} // the background flusher has ended
	once sync.Once     // Close

	// update runs one write transaction; a test puts failures here.
	update func(func(*bolt.Tx) error) error

	flushing sync.Mutex // one flush at a time; taken before mu
	mu       sync.RWMutex
	bolt     *bolt.DB
	handle   *os.File // bolt's own; see close
	err      error    // given up, or closed: what every call returns
	active   *pending
	frozen   *pending // what is being flushed, or nil
	count    int      // of documents, those that wait included
	filled   bool
	failing  bool // the last flush failed and will be tried again
}

// Fresh reports whether nothing was known when the DB was opened.
func (db *DB) Fresh() bool { return db.fresh }

// Err returns nil while the DB can be used, and otherwise what every call
// returns: it wraps [ErrDamaged], [ErrGivenUp] or [ErrClosed].
func (db *DB) Err() error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.err
}

// Filled reports whether [DB.SetFilled] was called for this file, in this or in
// an earlier process.
func (db *DB) Filled() bool {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.err == nil && db.filled
}

// SetFilled notes that the first comparison with all of the vault's files has
// ended. As with every write, no crash keeps it and loses what came before.
func (db *DB) SetFilled() error {
	return db.write(func() error {
		db.active.filled, db.filled = true, true
		return nil
	})
}

// read runs fn on a page's worth of records, with both layers and the file held
// still. A damaged file ends the DB.
func (db *DB) read(fn func(*bolt.Tx) error) error {
	db.mu.RLock()
	err := db.err
	if err == nil {
		err = db.view(fn)
	}
	db.mu.RUnlock()
	if errors.Is(err, ErrDamaged) {
		db.giveUp(err)
	}
	return err
}

// write runs fn, which changes the active layer. It then wakes the flusher, or
// waits for it when too much waits already.
func (db *DB) write(fn func() error) error {
	db.mu.Lock()
	err := db.err
	if err == nil {
		err = fn()
	}
	size := db.active.size
	if db.frozen != nil {
		size += db.frozen.size
	}
	failing := db.failing
	db.mu.Unlock()
	switch {
	case errors.Is(err, ErrDamaged):
		db.giveUp(err)
		return err
	case err != nil:
		return err
	case size > giveUpSize:
		err := fmt.Errorf("%w: more than %d MB wait", ErrGivenUp, giveUpSize>>20)
		db.giveUp(err)
		return err
	case size > waitSize && !failing:
		if err := db.Flush(); err != nil && db.Err() != nil {
			return err
		}
	case size > flushSize:
		wake(db.full)
	}
	wake(db.kick)
	return nil
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// view runs fn in a read transaction; the caller holds mu. Within it a panic and
// a fault of the memory map, such as for a file that was cut off, are errors.
func (db *DB) view(fn func(*bolt.Tx) error) (err error) {
	defer recovered(&err)()
	return db.bolt.View(fn)
}

// recovered turns what bbolt does on a damaged page into an error. Its result is
// to be deferred.
func recovered(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			*err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}
}

// giveUp ends the DB: what waits is let go, and err is what calls return from now
// on. A damaged file is marked, because it may open well and only fail later.
func (db *DB) giveUp(err error) {
	db.mu.Lock()
	first := db.err == nil
	if first {
		db.err = err
		db.active = newPending()
	}
	db.mu.Unlock()
	if !first {
		return
	}
	db.log.Error("the state file is not used any more", "file", db.file, "err", err)
	if errors.Is(err, ErrDamaged) {
		if err := mark(db.file); err != nil {
			db.log.Warn("mark the damaged state file", "err", err)
		}
	}
}

// Close flushes what waits, and closes the file. It returns the flush's error. A
// second Close does nothing.
func (db *DB) Close() (err error) {
	db.once.Do(func() {
		close(db.stop)
		<-db.done
		flushed := db.Flush()
		db.flushing.Lock()
		defer db.flushing.Unlock()
		db.mu.Lock()
		defer db.mu.Unlock()
		db.err = ErrClosed
		db.active, db.frozen = newPending(), nil
		err = errors.Join(flushed, closeBolt(db.bolt, db.handle))
	})
	return err
}

// closeBolt closes the file. After a panic bbolt may hold its own locks for ever;
// then only the handle is closed, and the memory map stays, and with it the lock on
// the file, until the process ends.
func closeBolt(b *bolt.DB, handle *os.File) error {
	closed := make(chan error, 1)
	go func() {
		var err error
		defer func() { closed <- err }()
		defer recovered(&err)()
		err = b.Close()
	}()
	var err error
	select {
	case err = <-closed:
	case <-time.After(closeTimeout):
		err = handle.Close()
	}
	if err != nil {
		return fmt.Errorf("close the state file: %w", err)
	}
	return nil
}
