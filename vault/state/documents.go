package state

import (
	"fmt"
	"iter"
	"slices"
	"sort"

	bolt "go.etcd.io/bbolt"
)

// MaxText is the longest text that is kept, in bytes.
const MaxText = 1 << 20

// pageSize is how many stored records an iterator reads at a time.
const pageSize = 256

// A Stamp is what a file system says of a file without reading it. The zero Stamp
// stands for not known.
type Stamp struct {
	Size       int64
	ModTime    int64 // ns since 1970
	ChangeTime int64 // ns since 1970; 0 where the system has none
	Inode      uint64
}

// Same reports whether both are known and equal, so that the file may be taken
// for unchanged.
func (s Stamp) Same(other Stamp) bool { return s == other && s != Stamp{} }

// A Document is what was last known of one file.
type Document struct {
	Path  string // from the vault's root, with forward slashes; any non-empty name will do
	Hash  string // sha-256 of the text, in hexadecimal; or empty
	Stamp Stamp
	Kept  bool // the text is kept; set by the DB

	// Outside says that the text came from elsewhere without the log telling of it.
	Outside bool
}

// Document returns what is known of a path; false when nothing is.
func (db *DB) Document(path string) (d Document, ok bool, err error) {
	if path == "" {
		return d, false, nil
	}
	err = db.read(func(tx *bolt.Tx) error {
		record := db.documentRecord(tx, path)
		if record == nil {
			return nil
		}
		ok = true
		d, err = decodeDocument(path, record)
		return err
	})
	if err != nil {
		return Document{}, false, fmt.Errorf("known document %s: %w", path, err)
	}
	return d, ok, nil
}

// documentRecord returns nil when the path isn't known.
func (db *DB) documentRecord(tx *bolt.Tx, path string) []byte {
	if d, ok := db.pendingDocument(path); ok {
		return d.record
	}
	return tx.Bucket(docsBucket).Get([]byte(path))
}

// Text returns a document's last known text; false when the path isn't known or
// its text wasn't kept, or is damaged.
func (db *DB) Text(path string) (text []byte, ok bool, err error) {
	if path == "" {
		return nil, false, nil
	}
	err = db.read(func(tx *bolt.Tx) error {
		record := db.packedText(tx, path)
		if record == nil {
			return nil
		}
		if text, err = db.packs.unpack(path, record); err != nil {
			db.log.Warn("a known text is damaged and counts as not kept", "path", path, "err", err)
			return nil
		}
		ok = true
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("known text of %s: %w", path, err)
	}
	return text, ok, nil
}

func (db *DB) packedText(tx *bolt.Tx, path string) []byte {
	if d, ok := db.pendingDocument(path); ok {
		return d.text
	}
	return tx.Bucket(textsBucket).Get([]byte(path))
}

// PutDocument replaces what is known of d.Path. A nil text, and one over
// [MaxText], is not kept: Document then says so, and Text finds none. The text
// may be changed by the caller afterwards. The error wraps [ErrInvalid] for an
// empty path and a hash of another form.
func (db *DB) PutDocument(d Document, text []byte) error {
	if err := checkPath(d.Path); err != nil {
		return fmt.Errorf("put document: %w", err)
	}
	var packed []byte
	var err error
	if d.Kept = text != nil && len(text) <= MaxText; d.Kept {
		if packed, err = db.packs.pack(d.Path, text); err != nil {
			return fmt.Errorf("put document %s: %w", d.Path, err)
		}
	}
	record, err := encodeDocument(d)
	if err != nil {
		return fmt.Errorf("put document %s: %w", d.Path, err)
	}
	err = db.write(func() error {
		return db.replaceDocument(d.Path, pendingDocument{record: record, text: packed})
	})
	if err != nil {
		return fmt.Errorf("put document %s: %w", d.Path, err)
	}
	return nil
}

func checkPath(path string) error {
	if path == "" || len(path) > maxKey {
		return fmt.Errorf("%w: a path of %d bytes", ErrInvalid, len(path))
	}
	return nil
}

// replaceDocument puts or, without a record, deletes a document, and counts; the
// caller holds mu.
func (db *DB) replaceDocument(path string, d pendingDocument) error {
	var known bool
	err := db.view(func(tx *bolt.Tx) error {
		known = db.documentRecord(tx, path) != nil
		return nil
	})
	if err != nil {
		return err
	}
	switch {
	case known && d.record == nil:
		db.count--
	case !known && d.record == nil:
		return nil
	case !known:
		db.count++
	}
	db.active.putDocument(path, d)
	return nil
}

// DeleteDocument forgets a document and its text; one that isn't known is no error.
func (db *DB) DeleteDocument(path string) error {
	if path == "" {
		return nil
	}
	if err := db.write(func() error { return db.replaceDocument(path, pendingDocument{}) }); err != nil {
		return fmt.Errorf("delete document %s: %w", path, err)
	}
	return nil
}

// MoveDocument makes what is known of from the knowledge of to, which loses its
// own. When from isn't known, nothing is known of to either.
func (db *DB) MoveDocument(from, to string) error {
	if err := checkPath(to); err != nil {
		return fmt.Errorf("move document %s: %w", from, err)
	}
	if from == to || from == "" {
		return nil
	}
	err := db.write(func() error {
		var moved pendingDocument
		err := db.view(func(tx *bolt.Tx) (err error) {
			record := db.documentRecord(tx, from)
			if moved.record, err = move(from, to, record); err == nil {
				moved.text, err = move(from, to, db.packedText(tx, from))
			}
			return err
		})
		if err != nil {
			return err
		}
		if err := db.replaceDocument(to, moved); err != nil {
			return err
		}
		return db.replaceDocument(from, pendingDocument{})
	})
	if err != nil {
		return fmt.Errorf("move document %s to %s: %w", from, to, err)
	}
	return nil
}

// Len returns how many documents are known. It reads nothing.
func (db *DB) Len() (int, error) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.count, db.err
}

// Documents yields all documents in the order of their paths' bytes. The caller
// may write meanwhile: a document that was there all the time comes once, and one
// that comes or goes meanwhile may be missed. An error comes last.
func (db *DB) Documents() iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for after, more := "", true; more; {
			page, last, err := db.documentPage(after)
			if err != nil {
				yield(Document{}, fmt.Errorf("known documents: %w", err))
				return
			}
			for _, d := range page {
				if !yield(d, nil) {
					return
				}
			}
			after, more = last, last != ""
		}
	}
}

// documentPage returns the documents after a path, and the last path that was
// looked at, or "" when there are no more.
func (db *DB) documentPage(after string) (page []Document, last string, err error) {
	err = db.read(func(tx *bolt.Tx) error {
		c := tx.Bucket(docsBucket).Cursor()
		k, v := c.Seek([]byte(after))
		if after != "" && string(k) == after {
			k, v = c.Next()
		}
		for range pageSize {
			if k == nil {
				break
			}
			if err := checkKey(k); err != nil {
				return err
			}
			last = string(k)
			if _, ok := db.pendingDocument(last); !ok {
				d, err := decodeDocument(last, v)
				if err != nil {
					return err
				}
				page = append(page, d)
			}
			k, v = c.Next()
		}
		if k == nil {
			last = ""
		}
		return db.addPending(&page, after, last)
	})
	return page, last, err
}

// addPending adds to a page the documents that wait and belong into it.
func (db *DB) addPending(page *[]Document, after, until string) error {
	paths := db.pendingPaths(after, until)
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		waits, _ := db.pendingDocument(path)
		if waits.record == nil {
			continue
		}
		d, err := decodeDocument(path, waits.record)
		if err != nil {
			return err
		}
		*page = append(*page, d)
	}
	sort.Slice(*page, func(i, j int) bool { return (*page)[i].Path < (*page)[j].Path })
	return nil
}

// checkKey guards against a damaged page, whose keys may claim any length.
func checkKey(k []byte) error {
	if len(k) > 2*maxKey {
		return fmt.Errorf("%w: a key of %d bytes", ErrDamaged, len(k))
	}
	return nil
}
