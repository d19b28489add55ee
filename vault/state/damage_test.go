package state_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"kist/vault/state"
)

const filledCount = 600

// filledFile has several pages of everything.
func filledFile(t *testing.T) string {
	t.Helper()
	file := temp(t)
	db := open(t, file)
	for i := range filledCount {
		putText(t, db, fmt.Sprintf("notes/%04d.md", i), fmt.Sprintf("text %d\n%d\n", i, rand.Uint64()))
		must(t, db.PutOperations([]state.Entry{{ID: fmt.Sprint(i), Keys: []string{"k", fmt.Sprint(i % 7)}, Value: make([]byte, 100)}}, map[string]int64{"log": int64(i)}))
		if i%200 == 0 { // so that pages are freed, too
			must(t, db.Flush())
		}
	}
	must(t, db.Close())
	return file
}

func asides(t *testing.T, file string) []string {
	t.Helper()
	found, err := filepath.Glob(file + ".damaged*")
	must(t, err)
	return found
}

func TestSetAside(t *testing.T) {
	good, err := os.ReadFile(filledFile(t))
	must(t, err)
	tests := map[string]func(t *testing.T, file string){
		"garbage": func(t *testing.T, file string) {
			must(t, os.WriteFile(file, bytes.Repeat([]byte("garbage "), 9999), 0o600))
		},
		"one byte":   func(t *testing.T, file string) { must(t, os.WriteFile(file, []byte("x"), 0o600)) },
		"two pages":  func(t *testing.T, file string) { must(t, os.Truncate(file, 8192)) },
		"half":       func(t *testing.T, file string) { must(t, os.Truncate(file, size(t, file)/2)) },
		"zeros":      func(t *testing.T, file string) { overwrite(t, file, 0, make([]byte, size(t, file))) },
		"zero metas": func(t *testing.T, file string) { overwrite(t, file, 0, make([]byte, 8192)) },
		"a folder": func(t *testing.T, file string) {
			must(t, os.Remove(file))
			must(t, os.MkdirAll(filepath.Join(file, "x"), 0o700))
		},
		"a link": func(t *testing.T, file string) {
			must(t, os.Rename(file, file+"-x"))
			must(t, os.Symlink(file+"-x", file))
		},
		"a marker": func(t *testing.T, file string) { must(t, os.WriteFile(file+".damaged", nil, 0o600)) },
		"another version": func(t *testing.T, file string) {
			raw(t, file, func(tx *bolt.Tx) error { return tx.Bucket([]byte("meta")).Put([]byte("format"), []byte("2")) })
		},
		"another program's": func(t *testing.T, file string) {
			must(t, os.Remove(file))
			raw(t, file, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err })
		},
		"without a freelist": func(t *testing.T, file string) {
			b, err := bolt.Open(file, 0o600, &bolt.Options{NoFreelistSync: true})
			must(t, err)
			must(t, b.Update(func(tx *bolt.Tx) error { return tx.Bucket([]byte("docs")).Delete([]byte("x")) }))
			must(t, b.Close())
		},
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			file := temp(t)
			must(t, os.WriteFile(file, good, 0o600))
			must(t, os.WriteFile(file+".damaged-1", []byte("an old one"), 0o600))
			damage(t, file)
			db := open(t, file)
			if n, err := db.Len(); !db.Fresh() || n != 0 || err != nil {
				t.Errorf("fresh: %v, %d documents, %v", db.Fresh(), n, err)
			}
			if found := asides(t, file); len(found) != 1 || strings.HasSuffix(found[0], "damaged-1") || strings.HasSuffix(found[0], ".damaged") {
				t.Errorf("set aside: %q", found)
			}
			putText(t, db, "a", "works")
			must(t, db.Flush())
		})
	}
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	must(t, err)
	return info.Size()
}

func overwrite(t *testing.T, file string, at int64, b []byte) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	must(t, err)
	_, err = f.WriteAt(b, at)
	must(t, errors.Join(err, f.Close()))
}

func raw(t *testing.T, file string, fn func(*bolt.Tx) error) {
	t.Helper()
	b, err := bolt.Open(file, 0o600, nil)
	must(t, err)
	must(t, errors.Join(b.Update(fn), b.Close()))
}

// Each page in turn is zeroed, becomes noise below a good header, or has one byte
// changed. Whatever is then asked gives the right answer or an error, never a
// panic; and after an ErrDamaged the next Open begins anew.
func TestDamagedPages(t *testing.T) {
	good, err := os.ReadFile(filledFile(t))
	must(t, err)
	kinds := map[string]func(page []byte){
		"zeros": func(page []byte) { clear(page) },
		"noise": func(page []byte) {
			for i := range page[16:] {
				page[16+i] = byte(rand.IntN(256))
			}
		},
		"one byte": func(page []byte) { page[2048+rand.IntN(2048)] ^= 0x55 },
	}
	stride := 7
	if os.Getenv("KIST_TEST_LONG") != "" {
		stride = 1
	}
	for name, damage := range kinds {
		t.Run(name, func(t *testing.T) {
			dir, found := t.TempDir(), 0
			for page := 0; (page+1)*4096 <= len(good); page += stride {
				b := bytes.Clone(good)
				damage(b[page*4096 : (page+1)*4096])
				file := filepath.Join(dir, fmt.Sprint(page))
				must(t, os.WriteFile(file, b, 0o600))
				if useDamaged(t, file) {
					found++
				}
			}
			if found == 0 {
				t.Error("no damage was found; does the test still reach the pages?")
			}
		})
	}
}

// A changed byte in the index, where its rows stay in order, lists an operation that isn't
// there: the next Open finds it.
func TestDamagedIndexRow(t *testing.T) {
	file := temp(t)
	db := open(t, file)
	must(t, db.PutOperations([]state.Entry{{ID: "01A", Keys: []string{"fnotes/a.md"}, Value: []byte("x")}}, nil))
	must(t, db.Close())
	text, err := os.ReadFile(file)
	must(t, err)
	row := []byte("fnotes/a.md\x0001A")
	if !bytes.Contains(text, row) {
		t.Fatal("the file has no such row")
	}
	must(t, os.WriteFile(file, bytes.ReplaceAll(text, row, []byte("fnotes/a.md\x0001B")), 0o600))
	db = open(t, file)
	for e, err := range db.Operations("fnotes/a.md", "") {
		t.Errorf("%v, %v", e, err)
	}
}

// A changed byte in a text must not become a diff in somebody's history.
func TestDamagedText(t *testing.T) {
	file := temp(t)
	db := open(t, file)
	noise := make([]byte, 500)
	for i := range noise {
		noise[i] = byte(rand.IntN(256))
	}
	must(t, db.PutDocument(state.Document{Path: "a"}, noise))
	must(t, db.Close())
	b, err := os.ReadFile(file)
	must(t, err)
	at := bytes.Index(b, noise)
	overwrite(t, file, int64(at+100), []byte{noise[100] ^ 1})
	db = open(t, file)
	if text, ok, err := db.Text("a"); err != nil || ok || text != nil {
		t.Errorf("%d bytes, %v, %v", len(text), ok, err)
	}
	if d, known, err := db.Document("a"); err != nil || !known || d.Path != "a" {
		t.Errorf("what else is known: %+v, %v, %v", d, known, err)
	}
}

func useDamaged(t *testing.T, file string) bool {
	t.Helper()
	db, err := state.Open(file, state.Options{Flush: time.Hour})
	must(t, err)
	if db.Fresh() { // found at once, and set aside
		must(t, db.Close())
		return true
	}
	var errs []error
	note := func(err error) { errs = append(errs, err) }
	for i := range filledCount {
		path := fmt.Sprintf("notes/%04d.md", i)
		text, ok, err := db.Text(path)
		d, known, err2 := db.Document(path) // a damaged name may make it unknown
		if ok && known && err == nil && err2 == nil && d.Hash != hash(string(text)) {
			t.Errorf("%s: wrong text %q", path, text)
		}
		note(err)
		note(err2)
	}
	for _, err := range db.Documents() {
		note(err)
	}
	for _, err := range db.Operations("k", "") {
		note(err)
	}
	note(db.PutDocument(doc("notes/0300.md", "new"), []byte("new")))
	note(db.PutOperations([]state.Entry{{ID: "500", Keys: []string{"k"}}}, map[string]int64{"log": 1}))
	note(db.Flush())
	note(db.DropOperations())
	note(db.Flush())
	gaveUp := db.Err() != nil
	note(db.Close())
	for _, err := range errs {
		if err != nil && !errors.Is(err, state.ErrDamaged) && !errors.Is(err, state.ErrGivenUp) {
			t.Errorf("neither damaged nor given up: %v", err)
		}
	}
	if errors.Is(errors.Join(errs...), state.ErrDamaged) {
		db := open(t, file)
		if !db.Fresh() {
			t.Error("the damaged file is in use again")
		}
		must(t, db.Close())
	}
	return gaveUp
}

// A file that is cut off while it is open faults in the memory map.
func TestCutOffWhileOpen(t *testing.T) {
	file := filledFile(t)
	db := open(t, file)
	must(t, os.Truncate(file, 4096*4))
	_, _, err := db.Text("notes/0500.md")
	if !errors.Is(err, state.ErrDamaged) {
		t.Fatalf("%v, want damaged", err)
	}
	if err := db.Err(); !errors.Is(err, state.ErrDamaged) {
		t.Error(err)
	}
	if err := db.PutDocument(doc("a", "a"), []byte("a")); !errors.Is(err, state.ErrDamaged) {
		t.Error(err)
	}
	db.Close()
	if db := open(t, file); !db.Fresh() || len(asides(t, file)) != 1 {
		t.Error("not set aside", asides(t, file))
	}
}

func TestLocked(t *testing.T) {
	file := temp(t)
	db := open(t, file)
	putText(t, db, "a", "a")
	if _, err := state.Open(file, state.Options{}); !errors.Is(err, state.ErrLocked) {
		t.Errorf("second Open: %v", err)
	}
	if found := asides(t, file); found != nil {
		t.Errorf("a file in use was set aside: %q", found)
	}
	reopen(t, db, file)
}

func TestNoFolder(t *testing.T) {
	if _, err := state.Open(filepath.Join(t.TempDir(), "none", "state.db"), state.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// On a full disk everything waits, is read all the same, and reaches the file
// when there is room again.
func TestDiskFullForAWhile(t *testing.T) {
	file := temp(t)
	db := open(t, file)
	putText(t, db, "a", "stored")
	must(t, db.PutOperations([]state.Entry{{ID: "1", Keys: []string{"k"}}}, map[string]int64{"log": 1}))
	must(t, db.Flush())
	full := true
	state.SetFlushError(db, func() error {
		if full {
			return &fs.PathError{Op: "write", Path: file, Err: syscall.ENOSPC}
		}
		return nil
	})
	putText(t, db, "a", "waits")
	must(t, db.DropOperations())
	if err := db.Flush(); !errors.Is(err, syscall.ENOSPC) || db.Err() != nil {
		t.Fatal(err, db.Err())
	}
	putText(t, db, "b", "later")
	must(t, db.PutOperations([]state.Entry{{ID: "2", Keys: []string{"k"}}}, nil))
	if err := db.Flush(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		if text, _, err := db.Text("a"); string(text) != "waits" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		if got := ids(t, db.Operations("k", "")); len(got) != 1 || got[0] != "2" {
			t.Error(got)
		}
		if n, _ := db.Position("log"); n != 0 {
			t.Error(n)
		}
		if n, _ := db.Len(); n != 2 || len(paths(t, db)) != 2 {
			t.Error(n)
		}
	}
	check()
	full = false
	must(t, db.Flush())
	check()
	db = reopen(t, db, file)
	check()
}

func TestGivesUp(t *testing.T) {
	tests := map[string]struct {
		err  error
		puts int // at least, before the DB gives up
	}{
		"disk full for long": {&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, 30},
		"a failed sync":      {syscall.EIO, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := temp(t)
			db := open(t, file)
			putText(t, db, "a", "stored")
			must(t, db.Flush())
			state.SetFlushError(db, func() error { return tt.err })
			noise := make([]byte, 1<<20)
			for i := range noise {
				noise[i] = byte(rand.IntN(256))
			}
			var err error
			puts := 0
			for ; puts < 40 && err == nil; puts++ {
				err = db.PutDocument(state.Document{Path: fmt.Sprint(puts)}, noise)
				if n := state.Waiting(db); n > state.GiveUpSize+2<<20 {
					t.Fatalf("%d MB wait", n>>20)
				}
			}
			if !errors.Is(err, state.ErrGivenUp) || !errors.Is(db.Err(), state.ErrGivenUp) || puts < tt.puts {
				t.Errorf("after %d puts: %v; %v", puts, err, db.Err())
			}
			if n := state.Waiting(db); n != 0 {
				t.Errorf("%d bytes wait for nothing", n)
			}
			db.Close()
			db = open(t, file) // what was stored before is good still
			if text, _, err := db.Text("a"); string(text) != "stored" || err != nil {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}
