package boltcheck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"
)

// build makes a file of several pages, with nested buckets, inline ones and free pages.
func build(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.bolt")
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	for round := range 4 {
		if err := db.Update(func(tx *bbolt.Tx) error { return fill(tx, round) }); err != nil {
			t.Fatal(err)
		}
		if err := Check(file); err != nil {
			t.Fatalf("round %d, while it is open: %v", round, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func fill(tx *bbolt.Tx, round int) error {
	for i := range 3 {
		outer, err := tx.CreateBucketIfNotExists(fmt.Appendf(nil, "bucket %d", i))
		if err != nil {
			return err
		}
		inner, err := outer.CreateBucketIfNotExists([]byte("inline"))
		if err != nil {
			return err
		}
		if err := inner.Put([]byte("k"), []byte{byte(round)}); err != nil {
			return err
		}
		for j := range 300 {
			if err := outer.Put(fmt.Appendf(nil, "key %d %d", j, round), make([]byte, 50)); err != nil {
				return err
			}
		}
	}
	if round == 3 { // leave pages free
		return tx.DeleteBucket([]byte("bucket 1"))
	}
	return nil
}

func TestCheck(t *testing.T) {
	file := build(t)
	if err := Check(file); err != nil {
		t.Fatal(err)
	}
	if err := Check(filepath.Join(t.TempDir(), "none")); err != nil {
		t.Error(err)
	}
	if err := Check(t.TempDir()); !errors.Is(err, ErrDamaged) {
		t.Errorf("a folder: %v", err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 100, 4096, len(whole) / 4} {
		if err := os.WriteFile(file, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Check(file); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d: %v", size, err)
		}
	}
}

// TestCircle: a branch that points back to itself sends bbolt round until its stack
// is full, which nothing can recover from.
func TestCircle(t *testing.T) {
	file := build(t)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	size, found := os.Getpagesize(), 0
	for id := 2; id < len(b)/size; id++ {
		page := b[id*size:]
		if binary.NativeEndian.Uint64(page) == uint64(id) && binary.NativeEndian.Uint16(page[8:]) == branchPage {
			binary.NativeEndian.PutUint64(page[headerSize+8:], uint64(id))
			found++
		}
	}
	if found == 0 {
		t.Fatal("no branch page")
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Check(file); !errors.Is(err, ErrDamaged) {
		t.Errorf("a circle: %v", err)
	}
}

// FuzzCheck: whatever the bytes are, there is an answer.
func FuzzCheck(f *testing.F) {
	whole, err := os.ReadFile(build(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, 5, byte(1))
	f.Add(whole, 4096+10, byte(255))
	f.Add(whole, 8192+8, byte(3))
	f.Fuzz(func(t *testing.T, b []byte, at int, bits byte) {
		if at >= 0 && at < len(b) {
			b[at] ^= bits
		}
		file := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Check(file); err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	})
}

// What bbolt believes of a file is looked at before it is opened.
func TestCheckHead(t *testing.T) {
	good, err := os.ReadFile(build(t))
	if err != nil {
		t.Fatal(err)
	}
	size := os.Getpagesize()
	m, err := newest(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	list := int(m.freelist) * size
	for name, damage := range map[string]func(b []byte) []byte{
		"both meta pages":      func(b []byte) []byte { clear(b[:2*size]); return b },
		"cut short":            func(b []byte) []byte { return b[:int(m.pages-1)*size] },
		"another page's head":  func(b []byte) []byte { b[list] ^= 1; return b },
		"another kind of page": func(b []byte) []byte { b[list+8] = leafPage; return b },
		"a wild count":         func(b []byte) []byte { b[list+10], b[list+11], b[list+23] = 0xFF, 0xFF, 0x7F; return b },
		"a wild overflow":      func(b []byte) []byte { b[list+15] = 0x7F; return b },
	} {
		file := filepath.Join(t.TempDir(), "x.bolt")
		if err := os.WriteFile(file, damage(bytes.Clone(good)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := CheckHead(file); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string][]byte{"good": good, "empty": nil} {
		file := filepath.Join(t.TempDir(), "x.bolt")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := CheckHead(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := CheckHead(t.TempDir()); !errors.Is(err, ErrDamaged) {
		t.Errorf("a folder: %v", err)
	}
}
