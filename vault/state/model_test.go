package state_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"kist/vault/state"
)

// A model is what a DB should know.
type model struct {
	texts     map[string]string
	ops       map[string]state.Entry
	positions map[string]int64
	filled    bool
}

func newModel() *model {
	return &model{texts: map[string]string{}, ops: map[string]state.Entry{}, positions: map[string]int64{}}
}

func (m *model) list(key string, keep func(id string) bool) []state.Entry {
	var all []state.Entry
	for _, id := range slices.Sorted(maps.Keys(m.ops)) {
		if e := m.ops[id]; keep(id) && (key == "" || slices.Contains(e.Keys, key)) {
			all = append(all, e)
		}
	}
	return all
}

// check compares everything.
func (m *model) check(t *rapid.T, db *state.DB) {
	var got []string
	for d, err := range db.Documents() {
		fail(t, err)
		got = append(got, d.Path)
		text, ok, err := db.Text(d.Path)
		if want := m.texts[d.Path]; err != nil || !ok || string(text) != want || d.Hash != hash(want) {
			t.Fatalf("%s: %q, %v, %v; want %q", d.Path, text, ok, err, want)
		}
	}
	same(t, slices.Sorted(maps.Keys(m.texts)), got)
	if n, err := db.Len(); n != len(m.texts) || err != nil {
		t.Fatalf("Len %d, want %d", n, len(m.texts))
	}
	for _, key := range []string{"", "a", "ab", "b"} {
		from := rapid.StringMatching("[0-9]{0,2}").Draw(t, "from")
		up := m.list(key, func(id string) bool { return id > from })
		down := m.list(key, func(id string) bool { return from == "" || id < from })
		slices.Reverse(down)
		same(t, up, entries(t, db.OperationsAscending(key, from)))
		same(t, down, entries(t, db.Operations(key, from)))
	}
	positions, err := db.Positions()
	fail(t, err)
	same(t, m.positions, positions)
	ending, err := db.IDsEndingWith("3", 0)
	fail(t, err)
	var want []string
	for _, e := range m.list("", func(id string) bool { return strings.HasSuffix(id, "3") }) {
		want = append(want, e.ID)
	}
	slices.Reverse(want)
	same(t, want, ending)
	if db.Filled() != m.filled {
		t.Fatalf("filled: %v", db.Filled())
	}
}

func entries(t *rapid.T, seq func(func(state.Entry, error) bool)) (all []state.Entry) {
	for e, err := range seq {
		fail(t, err)
		all = append(all, e)
	}
	return all
}

func fail(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *rapid.T, want, got any) {
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
}

// rare is for what syncs, which takes long.
func rare(t *rapid.T) bool { return rapid.IntRange(0, 2).Draw(t, "rare") == 0 }

func TestModel(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		file := filepath.Join(dir, fmt.Sprint(runs))
		db, err := state.Open(file, state.Options{})
		fail(t, err)
		defer func() { db.Close(); os.Remove(file) }()
		m := newModel()
		path := rapid.SampledFrom([]string{"a", "b", "b/c", "d", "é"})
		id := rapid.StringMatching("[0-9]{1,2}")
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				p, text := path.Draw(t, "path"), rapid.StringN(0, 50, -1).Draw(t, "text")
				fail(t, db.PutDocument(doc(p, text), []byte(text)))
				m.texts[p] = text
			},
			"delete": func(t *rapid.T) {
				p := path.Draw(t, "path")
				fail(t, db.DeleteDocument(p))
				delete(m.texts, p)
			},
			"move": func(t *rapid.T) {
				from, to := path.Draw(t, "from"), path.Draw(t, "to")
				fail(t, db.MoveDocument(from, to))
				if text, ok := m.texts[from]; from != to {
					delete(m.texts, from)
					delete(m.texts, to)
					if ok {
						m.texts[to] = text
					}
				}
			},
			"operations": func(t *rapid.T) {
				batch := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) state.Entry {
					keys := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "ab", "b"}), rapid.ID).Draw(t, "keys")
					return state.Entry{ID: id.Draw(t, "id"), Keys: keys, Value: rapid.SliceOf(rapid.Byte()).Draw(t, "value")}
				}), 0, 30).Draw(t, "batch")
				file, n := path.Draw(t, "log"), rapid.Int64Range(0, 9).Draw(t, "position")
				fail(t, db.PutOperations(batch, map[string]int64{file: n}))
				for _, e := range batch {
					m.ops[e.ID] = e
				}
				if m.positions[file] = n; n == 0 {
					delete(m.positions, file)
				}
			},
			"drop": func(t *rapid.T) {
				fail(t, db.DropOperations())
				clear(m.ops)
				clear(m.positions)
			},
			"filled": func(t *rapid.T) {
				fail(t, db.SetFilled())
				m.filled = true
			},
			"flush": func(t *rapid.T) {
				if rare(t) {
					fail(t, db.Flush())
				}
			},
			"reopen": func(t *rapid.T) {
				if !rare(t) {
					return
				}
				fail(t, db.Close())
				db, err = state.Open(file, state.Options{})
				fail(t, err)
			},
			"": func(t *rapid.T) { m.check(t, db) },
		})
	})
}
