package state

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// retryMost is the longest time between two tries while the disk is full.
const retryMost = 30 * time.Second

// fillPercent leaves little room in pages: paths and ids mostly come in order.
const fillPercent = 0.9

var (
	docsBucket  = []byte("docs")
	textsBucket = []byte("texts")
	opsBucket   = []byte("ops")
	byBucket    = []byte("by")
	logsBucket  = []byte("logs")
	metaBucket  = []byte("meta")

	formatKey = []byte("format")
	countKey  = []byte("count")
	filledKey = []byte("filled")
)

// run flushes in the background until stop.
func (db *DB) run() {
	defer close(db.done)
	wait, full := db.every, db.full
	for {
		select {
		case <-db.stop:
			return
		case <-db.kick:
		}
		timer := time.NewTimer(wait)
		select {
		case <-db.stop:
			timer.Stop()
			return
		case <-full:
			timer.Stop()
		case <-timer.C:
		}
		if err := db.Flush(); err != nil && db.Err() == nil {
			wait, full = min(2*max(wait, time.Second), retryMost), nil
			wake(db.kick)
		} else {
			wait, full = db.every, db.full
		}
	}
}

// Flush writes what waits to the file and syncs it. After an error that leaves
// the DB usable, such as a full disk, all of it waits still and is tried again
// later; otherwise see [DB.Err].
func (db *DB) Flush() error {
	db.flushing.Lock()
	defer db.flushing.Unlock()
	db.mu.Lock()
	if db.err != nil || db.active.empty() {
		defer db.mu.Unlock()
		return db.err
	}
	db.frozen, db.active = db.active, newPending()
	batch, count := db.frozen, db.count
	db.mu.Unlock()

	err := db.commit(batch, count)

	db.mu.Lock()
	was := db.failing
	db.failing = err != nil
	if err != nil && db.err == nil {
		batch.add(db.active) // no reader looks into it meanwhile: mu is held
		db.active = batch
	}
	db.frozen = nil
	db.mu.Unlock()
	switch {
	case err == nil:
		return nil
	case !retryable(err):
		if !errors.Is(err, ErrDamaged) {
			err = fmt.Errorf("%w: %w", ErrGivenUp, err)
		}
		db.giveUp(err)
	case !was:
		db.log.Warn("flush the state file; will try again", "file", db.file, "err", err)
	}
	return fmt.Errorf("flush: %w", err)
}

// retryable reports whether a flush that failed may be tried again. Only one that
// failed before any sync may: after a failed sync nobody knows what is on the
// disk, and pages of a state that is still needed could be written over.
func retryable(err error) bool {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Op == "write"
	}
	return strings.Contains(err.Error(), "file resize error") // bbolt doesn't wrap this one
}

// commit writes a batch in one transaction.
func (db *DB) commit(p *pending, count int) (err error) {
	defer recovered(&err)()
	return db.update(func(tx *bolt.Tx) error {
		if err := writeDocuments(tx, p); err != nil {
			return err
		}
		if p.dropped {
			if err := dropBuckets(tx, opsBucket, byBucket, logsBucket); err != nil {
				return err
			}
		}
		if err := writeOperations(tx, p); err != nil {
			return err
		}
		if err := writePositions(tx, p); err != nil {
			return err
		}
		if p.filled {
			if err := tx.Bucket(metaBucket).Put(filledKey, encodeNumber(string(filledKey), 1)); err != nil {
				return err
			}
		}
		return tx.Bucket(metaBucket).Put(countKey, encodeNumber(string(countKey), int64(count)))
	})
}

func dropBuckets(tx *bolt.Tx, names ...[]byte) error {
	for _, name := range names {
		if err := tx.DeleteBucket(name); err != nil {
			return err
		}
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// Rows are always written in order: bbolt splits pages only at the end of a
// transaction, so that a row put into the middle moves all that follow.

func writeDocuments(tx *bolt.Tx, p *pending) error {
	docs, texts := tx.Bucket(docsBucket), tx.Bucket(textsBucket)
	docs.FillPercent, texts.FillPercent = fillPercent, fillPercent
	for _, path := range slices.Sorted(maps.Keys(p.docs)) {
		d := p.docs[path]
		if err := put(docs, path, d.record); err != nil {
			return err
		}
		if err := put(texts, path, d.text); err != nil {
			return err
		}
	}
	return nil
}

// put deletes the row when value is nil.
func put(b *bolt.Bucket, key string, value []byte) error {
	if value == nil {
		return b.Delete([]byte(key))
	}
	return b.Put([]byte(key), value)
}

func writeOperations(tx *bolt.Tx, p *pending) error {
	ops, by := tx.Bucket(opsBucket), tx.Bucket(byBucket)
	ops.FillPercent = fillPercent
	var added, stale [][]byte
	for _, id := range slices.Sorted(maps.Keys(p.ops)) {
		op := p.ops[id]
		if record := ops.Get([]byte(id)); record != nil {
			old, _, err := decodeOperation(id, record)
			if err != nil {
				return err
			}
			for _, key := range old {
				if !op.has(key) {
					stale = append(stale, row(key, id))
				}
			}
		}
		if err := ops.Put([]byte(id), op.record); err != nil {
			return err
		}
		added = append(added, row("", id))
		for _, key := range op.keys {
			added = append(added, row(key, id))
		}
	}
	sort.Slice(stale, func(i, j int) bool { return bytes.Compare(stale[i], stale[j]) < 0 })
	for _, key := range stale {
		if err := by.Delete(key); err != nil {
			return err
		}
	}
	sort.Slice(added, func(i, j int) bool { return bytes.Compare(added[i], added[j]) < 0 })
	for _, key := range added {
		// A changed key would list the operation under something else, or nowhere.
		if err := by.Put(key, seal(string(key), make([]byte, sealSize))); err != nil {
			return err
		}
	}
	return nil
}

// row is the index row of an operation under one of its keys.
func row(key, id string) []byte {
	return append(append(append(make([]byte, 0, len(key)+1+len(id)), key...), 0), id...)
}

func writePositions(tx *bolt.Tx, p *pending) error {
	logs := tx.Bucket(logsBucket)
	for _, file := range slices.Sorted(maps.Keys(p.positions)) {
		var value []byte
		if n := p.positions[file]; n != 0 {
			value = encodeNumber(file, n)
		}
		if err := put(logs, file, value); err != nil {
			return err
		}
	}
	return nil
}
