// Package vectorcache keeps on disk what a server made of texts.
package vectorcache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"kist/index/vector"
	"kist/vault/control"
)

// A Key stands for a text that was embedded.
type Key [16]byte

func KeyOf(text string) (k Key) {
	sum := sha256.Sum256([]byte(text))
	copy(k[:], sum[:])
	return k
}

// A Cache keeps what a server made of texts, so that none has to be asked for twice:
// not after a move, not after a change that is taken back, not after a crash, and not
// when the index is rebuilt. It is one file for each model,
//
//	magic, length of the model's name, dimension (uint32 each), name
//	records: key (16 bytes), scale (float32), dimension signed bytes, CRC-32C
//
// with records of one length, in the order in which they came. A record that was not
// written to its end is passed over, so nothing has to be synced: a crash of the
// machine costs some requests. Its methods may be called concurrently.
type Cache struct {
	mu      sync.Mutex
	name    string
	model   string
	dim     int // 0: nothing is known of it yet
	file    *os.File
	records map[Key]int64 // offsets
	end     int64
	closed  bool
}

const (
	cacheMagic = "kistemb1"
	cacheHead  = len(cacheMagic) + 8
	// maxCaches is how many models' files are kept, so that trying another one and
	// going back costs nothing.
	maxCaches = 3
)

// suffix ends the names of caches.
const suffix = ".emb"

// MaxDim is the most dimensions that vectors may have; the largest models have half as many.
const MaxDim = 8192

// Errors of a [Cache].
var (
	ErrClosed  = errors.New("the cache of vectors is closed")
	ErrNothing = errors.New("all numbers are 0")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Open opens a model's cache in a folder; one that can't be used is begun anew.
func Open(dir, model string) (*Cache, error) {
	sum := sha256.Sum256([]byte(model))
	c := &Cache{name: filepath.Join(dir, hex.EncodeToString(sum[:8])+suffix), model: model, records: map[Key]int64{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open the cache of vectors: %w", err)
	}
	now := time.Now()
	_ = os.Chtimes(c.name, now, now) // says which models were used last
	dropCaches(dir)
	f, err := control.OpenFile(c.name, os.O_RDWR, 0)
	if errors.Is(err, control.ErrNotRegular) {
		err = os.Remove(c.name)
		if err == nil {
			return c, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the cache of vectors: %w", err)
	}
	c.file = f
	if err := c.load(); err != nil {
		f.Close()
		c.file, c.dim = nil, 0
		clear(c.records)
	}
	return c, nil
}

// dropCaches removes the files of models that weren't used for longest.
func dropCaches(dir string) {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	used := func(name string) time.Time {
		info, err := os.Stat(name)
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(names, func(a, b string) int { return used(b).Compare(used(a)) })
	for _, name := range names[min(maxCaches, len(names)):] {
		os.Remove(name)
	}
}

func (c *Cache) recordSize() int64 { return int64(len(Key{}) + 4 + c.dim + 4) }

// load reads the file's head and where its records are.
func (c *Cache) load() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	r := io.NewSectionReader(c.file, 0, info.Size())
	head := make([]byte, cacheHead+len(c.model))
	if _, err := io.ReadFull(r, head); err != nil {
		return err
	}
	c.dim = int(binary.LittleEndian.Uint32(head[cacheHead-4:]))
	if string(head) != string(c.head()) || c.dim < 1 || c.dim > MaxDim {
		return ErrNothing
	}
	size := c.recordSize()
	part := make([]byte, size*max(1, (1<<20)/size))
	for c.end = int64(len(head)); ; {
		n, err := io.ReadFull(r, part)
		for rec := part[:n]; int64(len(rec)) >= size; rec = rec[size:] {
			if key, _, ok := c.parse(rec[:size]); ok {
				c.records[key] = c.end
			}
			c.end += size
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil // what is left over gets overwritten
		}
		if err != nil {
			return err
		}
	}
}

func (c *Cache) head() []byte {
	b := binary.LittleEndian.AppendUint32([]byte(cacheMagic), uint32(len(c.model)))
	return append(binary.LittleEndian.AppendUint32(b, uint32(c.dim)), c.model...)
}

func (c *Cache) parse(rec []byte) (key Key, v []byte, ok bool) {
	body := rec[:len(rec)-4]
	copy(key[:], body)
	return key, body[len(key):], crc32.Checksum(body, castagnoli) == binary.LittleEndian.Uint32(rec[len(body):])
}

// Dimension is that of all vectors; 0: there are none.
func (c *Cache) Dimension() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dim
}

// Size is how many vectors there are.
func (c *Cache) Size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.records)
}

// Vector returns what was kept for a key.
func (c *Cache) Vector(key Key) ([]float32, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.records[key]
	if !ok || c.file == nil {
		return nil, false
	}
	rec := make([]byte, c.recordSize())
	if _, err := c.file.ReadAt(rec, at); err != nil {
		return nil, false
	}
	found, body, ok := c.parse(rec)
	if !ok || found != key {
		return nil, false
	}
	return unpack(body), true
}

// Add keeps vectors, which are unit and have all of them the cache's dimension. A nil
// one is kept as one without a direction.
func (c *Cache) Add(keys []Key, vectors [][]float32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range vectors {
		if c.dim == 0 {
			c.dim = len(v)
		}
	}
	if c.dim == 0 {
		return ErrNothing
	}
	if c.closed {
		return ErrClosed
	}
	if c.file == nil {
		if err := c.create(); err != nil {
			return fmt.Errorf("keep vectors: %w", err)
		}
	}
	var out []byte
	at := map[Key]int64{}
	for i, key := range keys {
		if _, known := c.records[key]; known {
			continue
		}
		at[key] = c.end + int64(len(out))
		from := len(out)
		out = append(out, key[:]...)
		out = packUnit(out, vectors[i], c.dim)
		out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out[from:], castagnoli))
	}
	if _, err := c.file.WriteAt(out, c.end); err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	c.end += int64(len(out))
	for key, offset := range at {
		c.records[key] = offset
	}
	return nil
}

func (c *Cache) create() (err error) {
	c.file, err = control.OpenFile(c.name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		c.file = nil
		return err
	}
	n, err := c.file.Write(c.head())
	c.end = int64(n)
	if err != nil {
		c.file.Close()
		c.file = nil
	}
	return err
}

// Keep writes the file anew with the wanted records, and of the others with the
// newest spare ones.
func (c *Cache) Keep(wanted func(Key) bool, spare int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil {
		return nil
	}
	type record struct {
		key Key
		at  int64
	}
	var all []record
	others := 0
	for key, at := range c.records {
		all = append(all, record{key, at})
		if !wanted(key) {
			others++
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].at < all[j].at })
	var out strings.Builder
	out.Write(c.head())
	records := make(map[Key]int64, len(all))
	rec := make([]byte, c.recordSize())
	for _, r := range all {
		if !wanted(r.key) {
			if others--; others >= spare {
				continue
			}
		}
		if _, err := c.file.ReadAt(rec, r.at); err != nil {
			return fmt.Errorf("shorten the cache of vectors: %w", err)
		}
		records[r.key] = int64(out.Len())
		out.Write(rec)
	}
	return c.replace(out.String(), records)
}

func (c *Cache) replace(data string, records map[Key]int64) error {
	temporary := c.name + ".tmp"
	err := os.WriteFile(temporary, []byte(data), 0o600)
	if err == nil {
		c.file.Close() // or Windows doesn't replace it
		if err = os.Rename(temporary, c.name); err == nil {
			c.records, c.end = records, int64(len(data))
		}
		var again error
		if c.file, again = control.OpenFile(c.name, os.O_RDWR, 0); again != nil {
			c.file = nil
			clear(c.records)
			err = errors.Join(err, again)
		}
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("shorten the cache of vectors: %w", err)
	}
	return nil
}

// Close may be called on nil.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.file == nil {
		return nil
	}
	f := c.file
	c.file = nil
	clear(c.records)
	return f.Close()
}

// packUnit appends a vector in units of a 127th of its largest component.
func packUnit(out []byte, v []float32, dim int) []byte {
	var largest float32
	for _, x := range v {
		largest = max(largest, x, -x)
	}
	scale := largest / math.MaxInt8
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(scale))
	for i := range dim {
		var x float64
		if i < len(v) && scale > 0 {
			x = math.Round(float64(v[i] / scale))
		}
		out = append(out, byte(int8(x)))
	}
	return out
}

// unpack is the opposite; nil for a vector without a direction.
func unpack(b []byte) []float32 {
	scale := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if scale == 0 {
		return nil
	}
	v := make([]float32, len(b)-4)
	for i, x := range b[4:] {
		v[i] = float32(int8(x)) * scale
	}
	return vector.Unit(v)
}
