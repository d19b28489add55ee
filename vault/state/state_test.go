package state_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/vault/state"
)

func open(t testing.TB, file string) *state.DB {
	t.Helper()
	db, err := state.Open(file, state.Options{Flush: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func temp(t testing.TB) string { return filepath.Join(t.TempDir(), "state.db") }

func reopen(t testing.TB, db *state.DB, file string) *state.DB {
	t.Helper()
	must(t, db.Close())
	return open(t, file)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func doc(path, text string) state.Document {
	return state.Document{Path: path, Hash: hash(text), Stamp: state.Stamp{Size: int64(len(text)), ModTime: -5, ChangeTime: 7, Inode: 1 << 63}}
}

func putText(t testing.TB, db *state.DB, path, text string) {
	t.Helper()
	must(t, db.PutDocument(doc(path, text), []byte(text)))
}

func collect[T any](t testing.TB, seq iter.Seq2[T, error]) (all []T) {
	t.Helper()
	for v, err := range seq {
		must(t, err)
		all = append(all, v)
	}
	return all
}

func paths(t testing.TB, db *state.DB) (all []string) {
	t.Helper()
	for _, d := range collect(t, db.Documents()) {
		all = append(all, d.Path)
	}
	return all
}

func ids(t testing.TB, seq iter.Seq2[state.Entry, error]) (all []string) {
	t.Helper()
	for _, e := range collect(t, seq) {
		all = append(all, e.ID)
	}
	return all
}

// Everything below is looked at three times: as it waits, flushed, and reopened.
func stages(t *testing.T, fill func(t *testing.T, db *state.DB), check func(t *testing.T, db *state.DB)) {
	t.Helper()
	file := temp(t)
	db := open(t, file)
	fill(t, db)
	t.Run("waiting", func(t *testing.T) { check(t, db) })
	must(t, db.Flush())
	t.Run("flushed", func(t *testing.T) { check(t, db) })
	db = reopen(t, db, file)
	t.Run("reopened", func(t *testing.T) { check(t, db) })
}

func TestDocuments(t *testing.T) {
	noise := make([]byte, 3000)
	for i := range noise {
		noise[i] = byte(rand.IntN(256))
	}
	texts := map[string]string{
		"empty.md": "", "a.md": "one\n", "long.md": strings.Repeat("line\n", 5000),
		"noise.md": string(noise), "limit.md": strings.Repeat("x", state.MaxText),
	}
	stages(t, func(t *testing.T, db *state.DB) {
		for path, text := range texts {
			putText(t, db, path, text)
		}
		putText(t, db, "big.md", strings.Repeat("x", state.MaxText+1))
		must(t, db.PutDocument(state.Document{Path: "bare", Outside: true}, nil))
	}, func(t *testing.T, db *state.DB) {
		for path, text := range texts {
			want := doc(path, text)
			want.Kept = true
			if d, ok, err := db.Document(path); err != nil || !ok || d != want {
				t.Errorf("%s: %+v, %v, %v, want %+v", path, d, ok, err, want)
			}
			if got, ok, err := db.Text(path); err != nil || !ok || string(got) != text {
				t.Errorf("%s: %d bytes, %v, %v", path, len(got), ok, err)
			}
		}
		for _, path := range []string{"big.md", "bare"} {
			if d, ok, err := db.Document(path); err != nil || !ok || d.Kept || d.Outside != (path == "bare") {
				t.Errorf("%s: %+v, %v, %v", path, d, ok, err)
			}
			if _, ok, err := db.Text(path); err != nil || ok {
				t.Errorf("%s: text %v, %v", path, ok, err)
			}
		}
		if _, ok, err := db.Document("none"); ok || err != nil {
			t.Error(ok, err)
		}
		if n, err := db.Len(); n != 7 || err != nil {
			t.Error(n, err)
		}
	})
}

func TestTextBecomesTooLong(t *testing.T) {
	stages(t, func(t *testing.T, db *state.DB) {
		putText(t, db, "a", "short")
		must(t, db.Flush())
		putText(t, db, "a", strings.Repeat("x", state.MaxText+1))
	}, func(t *testing.T, db *state.DB) {
		if text, ok, err := db.Text("a"); ok || err != nil {
			t.Errorf("%q, %v", text, err)
		}
	})
}

func TestDeleteAndMove(t *testing.T) {
	stages(t, func(t *testing.T, db *state.DB) {
		for _, path := range []string{"stored-gone", "stored-from", "stored-over", "x", "y"} {
			putText(t, db, path, path)
		}
		must(t, db.Flush())
		putText(t, db, "from", "from")
		must(t, db.DeleteDocument("stored-gone"))
		must(t, db.DeleteDocument("never"))
		must(t, db.MoveDocument("stored-from", "to"))
		must(t, db.MoveDocument("from", "stored-over"))
		must(t, db.MoveDocument("unknown", "x"))
		must(t, db.MoveDocument("y", "y"))
	}, func(t *testing.T, db *state.DB) {
		if diff := cmp.Diff([]string{"stored-over", "to", "y"}, paths(t, db)); diff != "" {
			t.Error(diff)
		}
		if text, _, err := db.Text("to"); string(text) != "stored-from" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		if text, _, err := db.Text("stored-over"); string(text) != "from" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		if d, _, _ := db.Document("to"); d.Path != "to" || d.Hash != hash("stored-from") {
			t.Errorf("%+v", d)
		}
		if n, _ := db.Len(); n != 3 {
			t.Error(n)
		}
	})
}

// Pages are of 256 records, and what waits falls into their middle and their ends.
func TestDocumentsInOrder(t *testing.T) {
	db := open(t, temp(t))
	var want []string
	for i := range 1000 {
		path := fmt.Sprintf("%04d", i)
		want = append(want, path)
		if i%3 != 0 && i < 900 {
			putText(t, db, path, path)
		}
	}
	must(t, db.Flush())
	for i := range 1000 {
		if i%3 == 0 || i >= 900 {
			putText(t, db, fmt.Sprintf("%04d", i), "waits")
		}
	}
	if diff := cmp.Diff(want, paths(t, db)); diff != "" {
		t.Error(diff)
	}
	for i := 100; i < 500; i++ {
		must(t, db.DeleteDocument(fmt.Sprintf("%04d", i)))
	}
	if diff := cmp.Diff(slices.Concat(want[:100], want[500:]), paths(t, db)); diff != "" {
		t.Error(diff)
	}
}

func TestPagingWhileWriting(t *testing.T) {
	db := open(t, temp(t))
	for i := range 2000 {
		must(t, db.PutDocument(state.Document{Path: fmt.Sprintf("old-%04d", i)}, nil))
		must(t, db.PutOperations([]state.Entry{{ID: fmt.Sprintf("old-%04d", i), Keys: []string{"k"}}}, nil))
	}
	seen := 0
	for d, err := range db.Documents() { // each step writes, and some flush
		must(t, err)
		if strings.HasPrefix(d.Path, "old-") {
			seen++
		}
		must(t, db.PutDocument(state.Document{Path: "new-" + d.Path[max(0, len(d.Path)-4):]}, nil))
		if seen%100 == 0 {
			must(t, db.Flush())
		}
	}
	if seen != 2000 {
		t.Errorf("saw %d of 2000 documents", seen)
	}
	seen = 0
	for e, err := range db.Operations("k", "") {
		must(t, err)
		seen++
		must(t, db.PutOperations([]state.Entry{{ID: "z" + e.ID, Keys: []string{"k"}}}, nil))
		if seen%100 == 0 {
			must(t, db.Flush())
		}
	}
	if seen != 2000 {
		t.Errorf("saw %d of 2000 operations", seen)
	}
}

func TestOperations(t *testing.T) {
	entry := func(n int, keys ...string) state.Entry {
		return state.Entry{ID: fmt.Sprintf("%05d", n), Keys: keys, Value: []byte{byte(n)}}
	}
	stages(t, func(t *testing.T, db *state.DB) {
		for n := range 600 {
			keys := []string{"all"}
			if n%2 == 0 {
				keys = append(keys, "even", "", "even")
			}
			must(t, db.PutOperations([]state.Entry{entry(n, keys...)}, map[string]int64{"log": int64(n)}))
			if n == 400 {
				must(t, db.Flush())
			}
		}
		must(t, db.PutOperations([]state.Entry{entry(2, "moved"), entry(598, "moved")}, map[string]int64{"b": 3, "gone": 1}))
		must(t, db.PutOperations(nil, map[string]int64{"gone": 0}))
	}, func(t *testing.T, db *state.DB) {
		all := ids(t, db.Operations("", ""))
		if len(all) != 600 || all[0] != "00599" || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
			t.Errorf("%d operations, %q first", len(all), all[0])
		}
		up := ids(t, db.OperationsAscending("", ""))
		slices.Reverse(up)
		if diff := cmp.Diff(all, up); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"00598", "00002"}, ids(t, db.Operations("moved", ""))); diff != "" {
			t.Error(diff)
		}
		if even := ids(t, db.Operations("even", "")); len(even) != 298 || even[0] != "00596" || slices.Contains(even, "00002") {
			t.Error(even)
		}
		if diff := cmp.Diff([]string{"00004", "00000"}, ids(t, db.Operations("even", "00006"))); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"00597", "00599"}, ids(t, db.OperationsAscending("all", "00596"))); diff != "" {
			t.Error(diff)
		}
		if none := ids(t, db.Operations("eve", "")); none != nil {
			t.Error(none)
		}
		if v, ok, err := db.Operation("00300"); !ok || err != nil || !bytes.Equal(v, []byte{300 % 256}) {
			t.Error(v, ok, err)
		}
		if _, ok, err := db.Operation("0030"); ok || err != nil {
			t.Error(ok, err)
		}
		got, err := db.Positions()
		if diff := cmp.Diff(map[string]int64{"log": 599, "b": 3}, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		if n, err := db.Position("log"); n != 599 || err != nil {
			t.Error(n, err)
		}
		ending, err := db.IDsEndingWith("99", 4)
		if diff := cmp.Diff([]string{"00599", "00499", "00399", "00299"}, ending); diff != "" || err != nil {
			t.Error(diff, err)
		}
		if ending, _ = db.IDsEndingWith("99", 0); len(ending) != 6 {
			t.Error(ending)
		}
	})
}

func TestStaleRowsGo(t *testing.T) {
	db := open(t, temp(t))
	must(t, db.PutOperations([]state.Entry{{ID: "1", Keys: []string{"a", "b", "c"}}}, nil))
	must(t, db.Flush())
	must(t, db.PutOperations([]state.Entry{{ID: "1", Keys: []string{"b"}}}, nil))
	must(t, db.Flush())
	if n := state.Rows(db); n != 2 { // b, and the one of all ids
		t.Errorf("%d rows in the index, want 2", n)
	}
}

func TestDropOperations(t *testing.T) {
	stages(t, func(t *testing.T, db *state.DB) {
		must(t, db.PutOperations([]state.Entry{{ID: "1", Keys: []string{"a"}}}, map[string]int64{"x": 1}))
		must(t, db.Flush())
		must(t, db.PutOperations([]state.Entry{{ID: "2", Keys: []string{"a"}}}, map[string]int64{"y": 1}))
		must(t, db.DropOperations())
		if all := ids(t, db.Operations("a", "")); all != nil {
			t.Error(all)
		}
		must(t, db.PutOperations([]state.Entry{{ID: "3", Keys: []string{"a"}}}, map[string]int64{"z": 1}))
	}, func(t *testing.T, db *state.DB) {
		if diff := cmp.Diff([]string{"3"}, ids(t, db.Operations("a", ""))); diff != "" {
			t.Error(diff)
		}
		got, err := db.Positions()
		if diff := cmp.Diff(map[string]int64{"z": 1}, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
		if n, _ := db.Position("x"); n != 0 {
			t.Error(n)
		}
	})
}

func TestFreshAndFilled(t *testing.T) {
	file := temp(t)
	db := open(t, file)
	if !db.Fresh() || db.Filled() {
		t.Error("a new file isn't fresh, or is filled")
	}
	db = reopen(t, db, file)
	if !db.Fresh() {
		t.Error("an empty file isn't fresh")
	}
	must(t, db.SetFilled())
	if !db.Filled() {
		t.Error("not filled")
	}
	if db = reopen(t, db, file); db.Fresh() || !db.Filled() {
		t.Error("the flag was lost")
	}
}

func TestInvalid(t *testing.T) {
	db := open(t, temp(t))
	for name, err := range map[string]error{
		"no path":     db.PutDocument(state.Document{}, nil),
		"bad hash":    db.PutDocument(state.Document{Path: "a", Hash: "xyz"}, nil),
		"short hash":  db.PutDocument(state.Document{Path: "a", Hash: "abcd"}, nil),
		"no id":       db.PutOperations([]state.Entry{{}}, nil),
		"zero in id":  db.PutOperations([]state.Entry{{ID: "a\x00b"}}, nil),
		"zero in key": db.PutOperations([]state.Entry{{ID: "1"}, {ID: "2", Keys: []string{"a\x00"}}}, nil),
		"long key":    db.PutOperations([]state.Entry{{ID: "1", Keys: []string{strings.Repeat("k", 33000)}}}, nil),
		"no log":      db.PutOperations([]state.Entry{{ID: "1"}}, map[string]int64{"": 1}),
		"move":        db.MoveDocument("a", ""),
	} {
		if !errors.Is(err, state.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := ids(t, db.Operations("", "")); all != nil {
		t.Errorf("half of a refused call was put: %q", all)
	}
	must(t, db.Flush())
}

func TestStamp(t *testing.T) {
	a := state.Stamp{Size: 1}
	if !a.Same(a) || a.Same(state.Stamp{Size: 2}) || (state.Stamp{}).Same(state.Stamp{}) {
		t.Error("wrong")
	}
}

func TestClosed(t *testing.T) {
	db := open(t, temp(t))
	must(t, db.Close())
	must(t, db.Close())
	if _, _, err := db.Document("a"); !errors.Is(err, state.ErrClosed) {
		t.Error(err)
	}
	if err := db.PutDocument(state.Document{Path: "a"}, nil); !errors.Is(err, state.ErrClosed) {
		t.Error(err)
	}
	for _, err := range db.Documents() {
		if !errors.Is(err, state.ErrClosed) {
			t.Error(err)
		}
	}
	if err := db.Flush(); !errors.Is(err, state.ErrClosed) {
		t.Error(err)
	}
}

func TestFlushedInTime(t *testing.T) {
	file := temp(t)
	synctest.Test(t, func(t *testing.T) {
		db, err := state.Open(file, state.Options{})
		must(t, err)
		defer db.Close()
		putText(t, db, "a", "text")
		time.Sleep(900 * time.Millisecond)
		synctest.Wait()
		if state.Waiting(db) == 0 {
			t.Error("flushed at once")
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		if n := state.Waiting(db); n != 0 {
			t.Errorf("%d bytes wait after a second", n)
		}
	})
}

// A fill outruns the disk, and must not outgrow the memory.
func TestMuchDoesNotWait(t *testing.T) {
	db := open(t, temp(t))
	text := make([]byte, 200<<10)
	for i := range text {
		text[i] = byte(rand.IntN(256))
	}
	for i := range 200 {
		must(t, db.PutDocument(state.Document{Path: fmt.Sprint(i)}, text))
		if n := state.Waiting(db); n > 17<<20 {
			t.Fatalf("%d MB wait", n>>20)
		}
	}
}

func TestTogether(t *testing.T) {
	db := open(t, temp(t))
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range 200 {
				path := fmt.Sprintf("%d-%d", w, i)
				putText(t, db, path, path)
				if text, ok, err := db.Text(path); !ok || err != nil || string(text) != path {
					t.Error(path, ok, err)
				}
				must(t, db.PutOperations([]state.Entry{{ID: path, Keys: []string{"k"}}}, map[string]int64{"log": int64(i)}))
			}
		})
		all.Go(func() {
			for range 5 {
				if err := db.Flush(); err != nil {
					t.Error(err)
				}
				for _, err := range db.Documents() {
					if err != nil {
						t.Error(err)
					}
				}
				for _, err := range db.Operations("k", "") {
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if n, _ := db.Len(); n != 800 || len(paths(t, db)) != 800 {
		t.Error(n)
	}
}
