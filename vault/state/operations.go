package state

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// An Entry is what the index holds of one operation.
type Entry struct {
	ID    string   // sorts by age, such as a ULID; without a zero byte
	Keys  []string // what it is listed by, such as a path or a session; without zero bytes
	Value []byte   // anything, at most 64 MiB
}

// Operation returns an operation's value; false when the id isn't known.
func (db *DB) Operation(id string) (value []byte, ok bool, err error) {
	if id == "" {
		return nil, false, nil
	}
	err = db.read(func(tx *bolt.Tx) error {
		record := db.operationRecord(tx, id)
		if record == nil {
			return nil
		}
		ok = true
		_, value, err = decodeOperation(id, record)
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("operation %s: %w", id, err)
	}
	return value, ok, nil
}

func (db *DB) operationRecord(tx *bolt.Tx, id string) []byte {
	if op, ok := db.pendingOperation(id); ok {
		return op.record
	}
	if db.dropped() {
		return nil
	}
	return tx.Bucket(opsBucket).Get([]byte(id))
}

// PutOperations adds operations, or replaces those whose id is known, together
// with how far each log file was read: no crash keeps one without the other. A
// position of 0 forgets the file. Empty keys and doubles are left out. With an
// error that wraps [ErrInvalid] nothing is put.
func (db *DB) PutOperations(entries []Entry, positions map[string]int64) error {
	ops := make([]pendingOperation, len(entries))
	for i, e := range entries {
		if err := checkEntry(e); err != nil {
			return fmt.Errorf("put operations: %w", err)
		}
		ops[i].keys = distinct(e.Keys)
		ops[i].record = encodeOperation(e.ID, ops[i].keys, e.Value)
	}
	for file := range positions {
		if err := checkPath(file); err != nil {
			return fmt.Errorf("put operations: log file: %w", err)
		}
	}
	err := db.write(func() error {
		for i, e := range entries {
			db.active.putOperation(e.ID, ops[i])
		}
		for file, n := range positions {
			db.active.positions[file] = n
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("put operations: %w", err)
	}
	return nil
}

func checkEntry(e Entry) error {
	if e.ID == "" || strings.Contains(e.ID, "\x00") {
		return fmt.Errorf("%w: operation id %q", ErrInvalid, e.ID)
	}
	if len(e.Value) > maxValue {
		return fmt.Errorf("%w: operation %s has %d bytes", ErrInvalid, e.ID, len(e.Value))
	}
	size := 0
	for _, key := range e.Keys {
		if strings.Contains(key, "\x00") || len(key)+1+len(e.ID) > maxKey {
			return fmt.Errorf("%w: a key of %d bytes of operation %.40q", ErrInvalid, len(key), e.ID)
		}
		size += len(key)
	}
	if len(e.ID) >= maxKey || size > maxValue {
		return fmt.Errorf("%w: operation %.40q: too long", ErrInvalid, e.ID)
	}
	return nil
}

// distinct keeps the order.
func distinct(keys []string) (out []string) {
	for _, key := range keys {
		if key != "" && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// DropOperations forgets all operations and positions.
func (db *DB) DropOperations() error {
	err := db.write(func() error {
		db.active.drop()
		return nil
	})
	if err != nil {
		return fmt.Errorf("drop operations: %w", err)
	}
	return nil
}

// Position returns how far a log file was read, or 0.
func (db *DB) Position(file string) (n int64, err error) {
	if file == "" {
		return 0, nil
	}
	err = db.read(func(tx *bolt.Tx) error {
		waits, ok := db.pendingPosition(file)
		if ok {
			n = waits
			return nil
		}
		if record := tx.Bucket(logsBucket).Get([]byte(file)); record != nil {
			n, err = decodeNumber(file, record)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("position in %s: %w", file, err)
	}
	return n, nil
}

// Positions returns how far each log file was read; there are few of them.
func (db *DB) Positions() (map[string]int64, error) {
	all := map[string]int64{}
	err := db.read(func(tx *bolt.Tx) error {
		for c, k, v := first(tx.Bucket(logsBucket)); k != nil && !db.dropped(); k, v = c.Next() {
			if err := checkKey(k); err != nil {
				return err
			}
			n, err := decodeNumber(string(k), v)
			if err != nil {
				return err
			}
			all[string(k)] = n
		}
		for _, layer := range slices.Backward(db.layers()) {
			if layer.dropped {
				clear(all)
			}
			for file, n := range layer.positions {
				if all[file] = n; n == 0 {
					delete(all, file)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	return all, nil
}

func first(b *bolt.Bucket) (c *bolt.Cursor, k, v []byte) {
	c = b.Cursor()
	k, v = c.First()
	return c, k, v
}

// Operations yields the operations that have a key, newest id first, and with the
// key "" all of them; only those with ids before a given one, unless that is "".
// The caller may write meanwhile, as with [DB.Documents]. An error comes last.
func (db *DB) Operations(key, before string) iter.Seq2[Entry, error] {
	return db.list(scan{key: key, from: before, down: true, rows: pageSize})
}

// OperationsAscending is [DB.Operations] with the oldest id first, and only ids
// after a given one.
func (db *DB) OperationsAscending(key, after string) iter.Seq2[Entry, error] {
	return db.list(scan{key: key, from: after, rows: pageSize})
}

func (db *DB) list(s scan) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for s, more := s.first(), true; more; {
			var page []Entry
			err := db.read(func(tx *bolt.Tx) (err error) {
				var ids []string
				if ids, s.from, err = db.ids(tx, s); err == nil {
					page, err = db.entries(tx, s.key, ids)
				}
				return err
			})
			if err != nil {
				yield(Entry{}, fmt.Errorf("operations: %w", err))
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
			}
			s, more = s.next(), s.from != ""
		}
	}
}

// entries reads operations whose ids the index or a layer named.
func (db *DB) entries(tx *bolt.Tx, key string, ids []string) ([]Entry, error) {
	page := make([]Entry, 0, len(ids))
	for _, id := range ids {
		record := db.operationRecord(tx, id)
		if record == nil {
			return nil, fmt.Errorf("%w: operation %s is in the index alone", ErrDamaged, id)
		}
		keys, value, err := decodeOperation(id, record)
		if err != nil {
			return nil, err
		}
		if key != "" && !slices.Contains(keys, key) {
			return nil, fmt.Errorf("%w: operation %s is listed by a key that it lacks", ErrDamaged, id)
		}
		page = append(page, Entry{ID: id, Keys: keys, Value: value})
	}
	return page, nil
}

// IDsEndingWith returns ids that end in suffix, newest first and at most limit of
// them; 0 is no limit. It looks at every id, but at no operation.
func (db *DB) IDsEndingWith(suffix string, limit int) (found []string, err error) {
	s := scan{suffix: suffix, down: true, rows: 16 * pageSize}
	for more := true; more; more = s.from != "" {
		err = db.read(func(tx *bolt.Tx) (err error) {
			var ids []string
			ids, s.from, err = db.ids(tx, s)
			found = append(found, ids...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("ids that end in %q: %w", suffix, err)
		}
		if limit > 0 && len(found) >= limit {
			return found[:limit], nil
		}
	}
	return found, nil
}

// A scan goes over the rows of one key.
type scan struct {
	key    string
	suffix string // only ids that end in it
	from   string // exclusive; "": from the end that it begins at
	down   bool   // newest first
	rows   int    // stored rows to look at
}

// A list's first page is small, since most callers want a screenful; reading
// values is what costs.
func (s scan) first() scan { s.rows = pageSize / 4; return s }
func (s scan) next() scan  { s.rows = pageSize; return s }

// ids returns one page of ids in order, and where the next one begins, or "" when
// there is none.
func (db *DB) ids(tx *bolt.Tx, s scan) (ids []string, last string, err error) {
	if !db.dropped() {
		if ids, last, err = db.storedIDs(tx, s); err != nil {
			return nil, "", err
		}
	}
	ids = append(ids, db.pendingIDs(func(id string) bool {
		if !strings.HasSuffix(id, s.suffix) || !s.within(id, last) {
			return false
		}
		op, _ := db.pendingOperation(id)
		return op.has(s.key)
	})...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if s.down {
		slices.Reverse(ids)
	}
	return ids, last, nil
}

// within reports whether id lies after where the scan began and not after last.
func (s scan) within(id, last string) bool {
	if s.down {
		return (s.from == "" || id < s.from) && (last == "" || id >= last)
	}
	return id > s.from && (last == "" || id <= last)
}

// storedIDs leaves out the operations that a layer knows better.
func (db *DB) storedIDs(tx *bolt.Tx, s scan) (ids []string, last string, err error) {
	prefix := row(s.key, "")
	c := tx.Bucket(byBucket).Cursor()
	k, step := s.begin(c, prefix)
	for rows := 0; bytes.HasPrefix(k, prefix); rows++ {
		if err := checkKey(k); err != nil {
			return nil, "", err
		}
		if rows == s.rows {
			return ids, last, nil
		}
		id := k[len(prefix):]
		last = string(id)
		if _, ok := db.pendingOperation(last); !ok && strings.HasSuffix(last, s.suffix) {
			ids = append(ids, last)
		}
		k, _ = step()
	}
	return ids, "", nil
}

// begin moves the cursor to the first row, and returns how to go on.
func (s scan) begin(c *bolt.Cursor, prefix []byte) (k []byte, step func() (k, v []byte)) {
	if !s.down {
		from := append(bytes.Clone(prefix), s.from...)
		k, _ = c.Seek(from)
		if s.from != "" && bytes.Equal(k, from) {
			k, _ = c.Next()
		}
		return k, c.Next
	}
	end := append(bytes.Clone(prefix), s.from...)
	if s.from == "" {
		end[len(end)-1] = 1 // what follows all rows of the key
	}
	if k, _ = c.Seek(end); k == nil {
		k, _ = c.Last()
	} else {
		k, _ = c.Prev()
	}
	return k, c.Prev
}
