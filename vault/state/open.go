package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// format changes with the form of the buckets; a file of another one is begun anew.
const format = 1

// lockTimeout is short: whoever has the file open keeps it for long.
const lockTimeout = 200 * time.Millisecond

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
	if err := inspect(file); err != nil {
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
	if err := db.load(); err != nil {
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
			f, err := os.OpenFile(name, flag, mode)
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

// inspect looks at the file before bbolt does, for what bbolt would not survive:
// see openBolt. It needs no lock, since a writer writes one meta page at a time,
// and has made the file long enough before.
func inspect(file string) error {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %v", errForeign, info.Mode())
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 2*maxPage)
	n, err := io.ReadFull(f, head)
	switch {
	case n == 0 && err == io.EOF:
		return nil // bbolt makes a new one of it
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	}
	m, ok := newest(head[:n])
	if !ok {
		return fmt.Errorf("%w: no valid meta page", errForeign)
	}
	if info, err = f.Stat(); err != nil {
		return err
	}
	if m.pages > uint64(info.Size())/m.pageSize {
		return fmt.Errorf("%w: %d bytes for %d pages", ErrDamaged, info.Size(), m.pages)
	}
	return inspectFreelist(f, m)
}

// maxPage is the largest page size of the systems that kist runs on.
const maxPage = 64 << 10

// meta is what a bbolt file says of itself, from its page 0 or 1: after 16 bytes
// of page header the magic number, version, page size, flags (4 bytes each), root
// page and sequence, freelist, page count, transaction and checksum (8 each).
type meta struct {
	pageSize, freelist, pages, tx uint64
}

// newest returns the meta page that bbolt would use.
func newest(head []byte) (best meta, ok bool) {
	for _, at := range []int{0, 4 << 10, 8 << 10, 16 << 10, 64 << 10} {
		if len(head) < at+16+64 {
			break
		}
		m, valid := parseMeta(head[at+16:])
		if valid && (at == 0 || uint64(at) == m.pageSize) && (!ok || m.tx > best.tx) {
			best, ok = m, true
		}
	}
	return best, ok
}

func parseMeta(b []byte) (meta, bool) {
	const magic, version = 0xED0CDAED, 2
	order := binary.NativeEndian
	sum := fnv.New64a()
	sum.Write(b[:56])
	m := meta{
		pageSize: uint64(order.Uint32(b[8:])), freelist: order.Uint64(b[32:]),
		pages: order.Uint64(b[40:]), tx: order.Uint64(b[48:]),
	}
	valid := order.Uint32(b) == magic && order.Uint32(b[4:]) == version && order.Uint64(b[56:]) == sum.Sum64()
	return m, valid && m.pageSize >= 1<<10 && m.pageSize <= maxPage
}

// inspectFreelist checks the freelist's page, whose length bbolt believes: a wild
// one would be asked of the memory at once.
func inspectFreelist(f io.ReaderAt, m meta) error {
	if m.freelist >= m.pages {
		return fmt.Errorf("%w: the freelist is page %d of %d", errForeign, m.freelist, m.pages)
	}
	var head [24]byte
	if _, err := f.ReadAt(head[:], int64(m.freelist*m.pageSize)); err != nil {
		return fmt.Errorf("%w: the freelist: %w", ErrDamaged, err)
	}
	const freelistPage = 0x10
	order := binary.NativeEndian
	count, extra := uint64(order.Uint16(head[10:])), uint64(order.Uint32(head[12:]))
	if count == 0xFFFF { // too many for its field
		count = order.Uint64(head[16:]) + 1
	}
	if order.Uint64(head[:]) != m.freelist || order.Uint16(head[8:]) != freelistPage ||
		m.freelist+extra >= m.pages || count > (extra+1)*m.pageSize/8 {
		return fmt.Errorf("%w: the freelist's page", ErrDamaged)
	}
	return nil
}
