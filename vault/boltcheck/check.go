/*
Package boltcheck reads a bbolt file without believing it. bbolt maps a file into memory
and follows what it finds there: a damaged page makes it fault, or go round in
circles until the stack is full, in whichever goroutine looks at it. Whoever opens a
file that may be damaged calls [Check] first.

It checks the form of everything that is in use: meta pages, freelist, every branch
and leaf, nested buckets, the order of keys. It doesn't know what the values mean, it
doesn't look at pages that are free, and it repairs nothing. [Check] takes no
lock, so the file must not be open for writing meanwhile.
*/
package boltcheck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"

	"kist/vault/control"
)

// ErrDamaged: bbolt could not be trusted with the file.
var ErrDamaged = errors.New("damaged bbolt file")

// The form of a file, see bbolt's internal/common/page.go and meta.go. Numbers are in
// the machine's order: bbolt writes its structs as they lie in memory.
const (
	headerSize  = 16
	elementSize = 16
	metaSize    = 64
	magic       = 0xED0CDAED
	version     = 2

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10

	bucketFlag = 0x01
	bucketSize = 16

	noFreelist = 1<<64 - 1 // the file keeps none

	minPage, maxPage = 1 << 10, 64 << 10
	// A tree of the smallest pages that is deeper than this holds more keys than
	// there are bytes on any disk.
	maxDepth = 64
)

// Check returns nil if bbolt can open and walk the file, also if there is none or an
// empty one, which bbolt makes anew. What is damaged, cut short or no regular file
// gives ErrDamaged; other errors are those of reading it.
func Check(file string) error { return with(file, check) }

// CheckHead is Check of what bbolt believes before it looks at any value, which are the
// meta pages, the file's length and the size of the freelist, in the time of two reads. A
// file without a freelist is refused: bbolt looks at all its pages to make one. It
// may be called while a writer has the file open: that writes one meta page at a time, and
// makes the file long enough before.
func CheckHead(file string) error { return with(file, checkHead) }

// with calls do with an open file that is there and not empty.
func with(file string, do func(f io.ReaderAt, size int64) error) error {
	f, err := control.Open(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, control.ErrNotRegular):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case err != nil:
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	return do(f, info.Size())
}

func checkHead(f io.ReaderAt, size int64) error {
	m, err := newest(f, size)
	if err != nil {
		return err
	}
	if m.pages > uint64(size)/m.pageSize {
		return fmt.Errorf("%w: %d bytes for %d pages", ErrDamaged, size, m.pages)
	}
	if m.freelist < 2 || m.freelist >= m.pages {
		return fmt.Errorf("%w: the list of free pages is page %d of %d", ErrDamaged, m.freelist, m.pages)
	}
	var head [headerSize + 8]byte
	if _, err := f.ReadAt(head[:], int64(m.freelist*m.pageSize)); err != nil {
		return fmt.Errorf("%w: the list of free pages: %w", ErrDamaged, err)
	}
	order := binary.NativeEndian
	count, extra := uint64(order.Uint16(head[10:])), uint64(order.Uint32(head[12:]))
	if count == 0xFFFF { // too many for its field
		count = order.Uint64(head[headerSize:]) + 1
	}
	if order.Uint64(head[:]) != m.freelist || order.Uint16(head[8:]) != freelistPage ||
		extra >= m.pages-m.freelist || count > (extra+1)*m.pageSize/8 {
		return fmt.Errorf("%w: the list of free pages", ErrDamaged)
	}
	return nil
}

func check(f io.ReaderAt, size int64) error {
	m, err := newest(f, size)
	if err != nil {
		return err
	}
	if m.pages > uint64(size)/m.pageSize {
		return fmt.Errorf("%w: %d bytes for %d pages", ErrDamaged, size, m.pages)
	}
	c := checker{file: f, meta: m, used: map[uint64]bool{0: true, 1: true}}
	free, err := c.freelist()
	if err != nil {
		return err
	}
	if _, err := c.tree(m.root, nil, nil, 0); err != nil {
		return err
	}
	for _, id := range free {
		if c.used[id] {
			return fmt.Errorf("%w: page %d is in use, or twice in the list of free ones", ErrDamaged, id)
		}
		c.used[id] = true
	}
	return nil
}

// meta is what a file says of itself, from its page 0 or 1.
type meta struct {
	pageSize, root, freelist, pages, tx uint64
}

// newest returns the meta page that bbolt would use: the valid one of the last
// transaction. The second one lies where the page size says.
func newest(f io.ReaderAt, size int64) (best meta, err error) {
	head := make([]byte, min(size, 2*maxPage))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return best, err
	}
	found := false
	for at := 0; at <= maxPage && at+headerSize+metaSize <= len(head); at = max(minPage, 2*at) {
		m, ok := parseMeta(head[at+headerSize:])
		if ok && (at == 0 || uint64(at) == m.pageSize) && (!found || m.tx > best.tx) {
			best, found = m, true
		}
	}
	if !found {
		return best, fmt.Errorf("%w: no valid meta page", ErrDamaged)
	}
	return best, nil
}

func parseMeta(b []byte) (meta, bool) {
	order := binary.NativeEndian
	sum := fnv.New64a()
	sum.Write(b[:56])
	m := meta{
		pageSize: uint64(order.Uint32(b[8:])), root: order.Uint64(b[16:]),
		freelist: order.Uint64(b[32:]), pages: order.Uint64(b[40:]), tx: order.Uint64(b[48:]),
	}
	ok := order.Uint32(b) == magic && order.Uint32(b[4:]) == version && order.Uint64(b[56:]) == sum.Sum64()
	return m, ok && m.pageSize >= minPage && m.pageSize <= maxPage
}

// A checker walks one file.
type checker struct {
	file io.ReaderAt
	meta meta
	used map[uint64]bool // pages that something points to
}

// page returns the page of that id with those that belong to it, which then are used.
func (c *checker) page(id uint64) ([]byte, error) {
	if id < 2 || id >= c.meta.pages {
		return nil, fmt.Errorf("%w: it points to page %d of %d", ErrDamaged, id, c.meta.pages)
	}
	var head [headerSize]byte
	if _, err := c.file.ReadAt(head[:], int64(id*c.meta.pageSize)); err != nil {
		return nil, fmt.Errorf("%w: page %d: %w", ErrDamaged, id, err)
	}
	order := binary.NativeEndian
	extra := uint64(order.Uint32(head[12:]))
	if order.Uint64(head[:]) != id || extra >= c.meta.pages-id {
		return nil, fmt.Errorf("%w: page %d has the head of another", ErrDamaged, id)
	}
	for i := id; i <= id+extra; i++ {
		if c.used[i] {
			return nil, fmt.Errorf("%w: page %d is used twice", ErrDamaged, i)
		}
		c.used[i] = true
	}
	b := make([]byte, (extra+1)*c.meta.pageSize)
	if _, err := c.file.ReadAt(b, int64(id*c.meta.pageSize)); err != nil {
		return nil, fmt.Errorf("%w: page %d: %w", ErrDamaged, id, err)
	}
	return b, nil
}

// freelist returns the pages that the file calls free; none where it keeps no list.
func (c *checker) freelist() ([]uint64, error) {
	if c.meta.freelist == noFreelist {
		return nil, nil
	}
	b, err := c.page(c.meta.freelist)
	if err != nil {
		return nil, err
	}
	order := binary.NativeEndian
	count, at := uint64(order.Uint16(b[10:])), headerSize
	if count == 0xFFFF { // too many for its field
		count, at = order.Uint64(b[headerSize:]), headerSize+8
	}
	if order.Uint16(b[8:]) != freelistPage || count > uint64(len(b)-at)/8 {
		return nil, fmt.Errorf("%w: the list of free pages", ErrDamaged)
	}
	free := make([]uint64, count)
	for i := range free {
		free[i] = order.Uint64(b[at+8*i:])
		if free[i] < 2 || free[i] >= c.meta.pages || i > 0 && free[i] <= free[i-1] {
			return nil, fmt.Errorf("%w: the list of free pages", ErrDamaged)
		}
	}
	return free, nil
}

// tree checks what is below a page: its keys are in order, not below low and, unless
// high is nil, below high. It returns the last one.
func (c *checker) tree(id uint64, low, high []byte, depth int) (last []byte, err error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%w: too deep", ErrDamaged)
	}
	b, err := c.page(id)
	if err != nil {
		return nil, err
	}
	switch binary.NativeEndian.Uint16(b[8:]) {
	case leafPage:
		return c.leaf(b, low, high, depth)
	case branchPage:
		return c.branch(b, low, high, depth)
	}
	return nil, fmt.Errorf("%w: page %d is neither branch nor leaf", ErrDamaged, id)
}

func (c *checker) branch(b, low, high []byte, depth int) (last []byte, err error) {
	order := binary.NativeEndian
	elements, err := elementsOf(b)
	if err == nil && len(elements) == 0 {
		err = fmt.Errorf("%w: an empty branch", ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	keys := make([][]byte, len(elements))
	for i, e := range elements {
		keys[i], err = part(b, e, uint64(order.Uint32(b[e:])), uint64(order.Uint32(b[e+4:])))
		if err != nil {
			return nil, err
		}
	}
	for i, e := range elements {
		end := high
		if i+1 < len(keys) {
			end = keys[i+1]
		}
		if !between(keys[i], low, end, i > 0) {
			return nil, fmt.Errorf("%w: keys out of order", ErrDamaged)
		}
		if low, err = c.tree(order.Uint64(b[e+8:]), keys[i], end, depth+1); err != nil {
			return nil, err
		}
	}
	return low, nil
}

func (c *checker) leaf(b, low, high []byte, depth int) (last []byte, err error) {
	order := binary.NativeEndian
	elements, err := elementsOf(b)
	if err != nil {
		return nil, err
	}
	for i, e := range elements {
		flags, pos := order.Uint32(b[e:]), uint64(order.Uint32(b[e+4:]))
		keyLen, valueLen := uint64(order.Uint32(b[e+8:])), uint64(order.Uint32(b[e+12:]))
		key, err := part(b, e, pos, keyLen)
		if err != nil {
			return nil, err
		}
		value, err := part(b, e, pos+keyLen, valueLen)
		if err != nil {
			return nil, err
		}
		if !between(key, low, high, i > 0) {
			return nil, fmt.Errorf("%w: keys out of order", ErrDamaged)
		}
		low = key
		if flags&^bucketFlag != 0 {
			return nil, fmt.Errorf("%w: an unknown kind of key", ErrDamaged)
		}
		if flags == bucketFlag {
			if err := c.bucket(value, depth); err != nil {
				return nil, err
			}
		}
	}
	return low, nil
}

// bucket checks a nested bucket: a page of its own, or one within the value.
func (c *checker) bucket(value []byte, depth int) error {
	if len(value) < bucketSize {
		return fmt.Errorf("%w: a bucket is cut short", ErrDamaged)
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		_, err := c.tree(root, nil, nil, depth+1)
		return err
	}
	inline := value[bucketSize:]
	if len(inline) < headerSize || depth > maxDepth || binary.NativeEndian.Uint16(inline[8:]) != leafPage {
		return fmt.Errorf("%w: a bucket is cut short", ErrDamaged)
	}
	_, err := c.leaf(inline, nil, nil, depth+1)
	return err
}

// elementsOf returns where the elements of a page begin.
func elementsOf(b []byte) ([]int, error) {
	n := int(binary.NativeEndian.Uint16(b[10:]))
	if headerSize+n*elementSize > len(b) {
		return nil, fmt.Errorf("%w: a page of %d elements", ErrDamaged, n)
	}
	at := make([]int, n)
	for i := range at {
		at[i] = headerSize + i*elementSize
	}
	return at, nil
}

// part returns length bytes that begin pos bytes after an element.
func part(b []byte, element int, pos, length uint64) ([]byte, error) {
	start := uint64(element) + pos // of 32 bits each: they can't overflow
	if start+length > uint64(len(b)) {
		return nil, fmt.Errorf("%w: an element points out of its page", ErrDamaged)
	}
	return b[start : start+length], nil
}

// between reports low <= key < high, or low < key if strictly; nil is no bound.
func between(key, low, high []byte, strictly bool) bool {
	if low != nil {
		if c := bytes.Compare(key, low); c < 0 || c == 0 && strictly {
			return false
		}
	}
	return high == nil || bytes.Compare(key, high) < 0
}
