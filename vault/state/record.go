package state

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
)

// bbolt has no checksums of its own for pages, so each record carries one of
// itself and of its key: a page that came back wrong must not become a diff in
// somebody's history.

const (
	sealSize     = 4
	documentSize = 1 + 32 + 4*8

	flagKept    = 1 << 0
	flagHashed  = 1 << 1
	flagOutside = 1 << 2

	methodRaw   = 0
	methodFlate = 1

	// maxValue bounds an operation's value, and what is believed of a record's
	// length when it is read: a damaged page may claim gigabytes.
	maxValue = 64 << 20
	maxKey   = 32 << 10 // bbolt's own limit
)

func checksum(key string, body []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum([]byte(key), table), table, body)
}

// seal puts the checksum in the first four bytes, which the caller left free.
func seal(key string, record []byte) []byte {
	binary.LittleEndian.PutUint32(record, checksum(key, record[sealSize:]))
	return record
}

func unseal(key string, record []byte) ([]byte, error) {
	if len(record) < sealSize || len(record) > 2*maxValue+maxKey {
		return nil, fmt.Errorf("%w: a record of %d bytes", ErrDamaged, len(record))
	}
	if binary.LittleEndian.Uint32(record) != checksum(key, record[sealSize:]) {
		return nil, fmt.Errorf("%w: a record's checksum is wrong", ErrDamaged)
	}
	return record[sealSize:], nil
}

// move returns a copy of a record, sealed for another key.
func move(from, to string, record []byte) ([]byte, error) {
	if record == nil {
		return nil, nil
	}
	if _, err := unseal(from, record); err != nil {
		return nil, err
	}
	return seal(to, bytes.Clone(record)), nil
}

func encodeDocument(d Document) ([]byte, error) {
	out := make([]byte, sealSize+1, sealSize+documentSize)
	if d.Kept {
		out[sealSize] |= flagKept
	}
	if d.Outside {
		out[sealSize] |= flagOutside
	}
	hash := make([]byte, 32)
	if d.Hash != "" {
		n, err := hex.Decode(hash, []byte(d.Hash[:min(len(d.Hash), 64)]))
		if err != nil || n != 32 || len(d.Hash) != 64 {
			return nil, fmt.Errorf("%w: hash %q is not 64 hexadecimal digits", ErrInvalid, d.Hash)
		}
		out[sealSize] |= flagHashed
	}
	out = append(out, hash...)
	for _, n := range []uint64{uint64(d.Stamp.Size), uint64(d.Stamp.ModTime), uint64(d.Stamp.ChangeTime), d.Stamp.Inode} {
		out = binary.LittleEndian.AppendUint64(out, n)
	}
	return seal(d.Path, out), nil
}

func decodeDocument(path string, record []byte) (Document, error) {
	b, err := unseal(path, record)
	if err != nil {
		return Document{}, err
	}
	if len(b) != documentSize {
		return Document{}, fmt.Errorf("%w: a document's record has %d bytes", ErrDamaged, len(b))
	}
	d := Document{Path: path, Kept: b[0]&flagKept != 0, Outside: b[0]&flagOutside != 0}
	if b[0]&flagHashed != 0 {
		d.Hash = hex.EncodeToString(b[1:33])
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(b[33+8*i:]) }
	d.Stamp = Stamp{Size: int64(number(0)), ModTime: int64(number(1)), ChangeTime: int64(number(2)), Inode: number(3)}
	return d, nil
}

// A packer packs and unpacks texts. Its writers and readers are kept for the next
// text, since a writer takes more than half a megabyte and a reader 40 KB.
type packer struct{ writers, readers sync.Pool }

// pack returns the record of a text: compressed, or as it is when that is smaller.
func (p *packer) pack(path string, text []byte) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(text)/2 + 64)
	out.Write(make([]byte, sealSize))
	out.WriteByte(methodFlate)
	out.Write(binary.AppendUvarint(nil, uint64(len(text))))
	w, _ := p.writers.Get().(*flate.Writer)
	if w == nil {
		var err error
		if w, err = flate.NewWriter(&out, flate.BestSpeed); err != nil {
			return nil, fmt.Errorf("compress: %w", err)
		}
	} else {
		w.Reset(&out)
	}
	if _, err := w.Write(text); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	p.writers.Put(w)
	if out.Len() < sealSize+1+len(text) {
		return seal(path, bytes.Clone(out.Bytes())), nil // exactly as long as it is: it may wait for a while
	}
	raw := make([]byte, sealSize+1, sealSize+1+len(text))
	raw[sealSize] = methodRaw
	return seal(path, append(raw, text...)), nil
}

func (p *packer) unpack(path string, record []byte) ([]byte, error) {
	b, err := unseal(path, record)
	if err != nil {
		return nil, err
	}
	if len(b) == 0 || b[0] > methodFlate {
		return nil, fmt.Errorf("%w: a text of an unknown form", ErrDamaged)
	}
	if b[0] == methodRaw {
		return bytes.Clone(b[1:]), nil
	}
	size, n := binary.Uvarint(b[1:])
	if n <= 0 || size > MaxText {
		return nil, fmt.Errorf("%w: a text of %d bytes", ErrDamaged, size)
	}
	text := make([]byte, size)
	from := bytes.NewReader(b[1+n:])
	r, _ := p.readers.Get().(io.ReadCloser)
	if r == nil {
		r = flate.NewReader(from)
	} else if err := r.(flate.Resetter).Reset(from, nil); err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	defer func() {
		from.Reset(nil) // a kept reader must not point into a transaction's pages
		p.readers.Put(r)
	}()
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, fmt.Errorf("%w: a text doesn't unpack: %w", ErrDamaged, err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return nil, fmt.Errorf("%w: a text is longer than it says", ErrDamaged)
	}
	return text, nil
}

func encodeOperation(id string, keys []string, value []byte) []byte {
	size := sealSize + binary.MaxVarintLen64 + len(value)
	for _, key := range keys {
		size += binary.MaxVarintLen32 + len(key)
	}
	out := binary.AppendUvarint(make([]byte, sealSize, size), uint64(len(keys)))
	for _, key := range keys {
		out = append(binary.AppendUvarint(out, uint64(len(key))), key...)
	}
	return seal(id, append(out, value...))
}

// decodeOperation returns copies, fit to outlive a transaction.
func decodeOperation(id string, record []byte) (keys []string, value []byte, err error) {
	b, err := unseal(id, record)
	if err != nil {
		return nil, nil, err
	}
	count, n := binary.Uvarint(b)
	if n <= 0 || count > uint64(len(b)) {
		return nil, nil, fmt.Errorf("%w: an operation of %d keys", ErrDamaged, count)
	}
	b = b[n:]
	keys = make([]string, 0, count)
	for range count {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return nil, nil, fmt.Errorf("%w: an operation's key of %d bytes", ErrDamaged, size)
		}
		keys = append(keys, string(b[n:n+int(size)]))
		b = b[n+int(size):]
	}
	return keys, bytes.Clone(b), nil
}

func encodeNumber(key string, n int64) []byte {
	return seal(key, binary.LittleEndian.AppendUint64(make([]byte, sealSize), uint64(n)))
}

func decodeNumber(key string, record []byte) (int64, error) {
	b, err := unseal(key, record)
	if err != nil {
		return 0, err
	}
	if len(b) != 8 {
		return 0, fmt.Errorf("%w: a number of %d bytes", ErrDamaged, len(b))
	}
	return int64(binary.LittleEndian.Uint64(b)), nil
}
