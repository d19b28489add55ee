package state

import bolt "go.etcd.io/bbolt"

// SetFlushError makes every flush fail with what fn returns, before the file is
// touched; nil lets it through.
func SetFlushError(db *DB, fn func() error) {
	db.flushing.Lock()
	defer db.flushing.Unlock()
	db.update = func(tx func(*bolt.Tx) error) error {
		if err := fn(); err != nil {
			return err
		}
		return db.bolt.Update(tx)
	}
}

// Rows counts the index rows in the file.
func Rows(db *DB) (n int) {
	db.bolt.View(func(tx *bolt.Tx) error {
		return tx.Bucket(byBucket).ForEach(func(k, v []byte) error { n++; return nil })
	})
	return n
}

// Waiting returns how many bytes wait in memory.
func Waiting(db *DB) int {
	db.mu.RLock()
	defer db.mu.RUnlock()
	n := db.active.size
	if db.frozen != nil {
		n += db.frozen.size
	}
	return n
}

const GiveUpSize = giveUpSize
