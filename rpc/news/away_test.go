package news

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/vaulttest"
)

// TestMain has the tests make their folders in memory: none is about the disk.
func TestMain(m *testing.M) { os.Exit(vaulttest.InMemory(m).Run()) }

const shed = `
-- kist.yaml --
-- keel.md --
# Keel
-- mast.md --
# Mast
- [ ] sand it
-- old/rope.md --
# Rope
`

// A run is one of the program, from its start to its end.
type run struct {
	t    *testing.T
	v    *vault.Vault
	news *Documents
	end  func()
}

func begin(t *testing.T, dir, program string) *run {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("saves in several folders come in order on Linux alone")
	}
	v, err := vault.Open(t.Context(), dir, vault.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{t: t, v: v, news: Resume(v, program)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- v.Run(ctx) }()
	r.end = func() {
		cancel()
		<-done
		v.Close()
		r.end = func() {}
	}
	t.Cleanup(func() { r.end() })
	for v.Watching() == nil {
		time.Sleep(time.Millisecond)
	}
	<-v.Watching()
	if err := r.news.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// leave ends a run as it should end.
func (r *run) leave() {
	r.t.Helper()
	if err := r.news.Leave(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	r.end()
}

// A listener is a client: what it listed, and what it was told since.
type listener struct {
	after   vault.Seq
	docs    map[string]vault.Hash
	resyncs int
	told    []string // since it began or was told to list
	tasks   bool
}

var errQuiet = errors.New("nothing more comes")

// hear watches until there is nothing more to be told, and at most for a number of changes.
func (l *listener) hear(r *run, limit int) {
	r.t.Helper()
	if _, err := r.v.Barrier(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	first := true
	err := r.news.Each(r.t.Context(), l.after, l.tasks, time.Millisecond, func(c Change) error {
		l.after = c.Seq
		switch {
		case c.Resync, l.docs == nil:
			l.docs, l.told, l.resyncs = list(r.v), nil, l.resyncs+1
		case c.Path != "":
			what := fmt.Sprintf("%s %.8s", c.Path, c.Hash)
			if slices.Contains(l.told, what) {
				r.t.Errorf("%s was told twice", what)
			}
			l.told = append(l.told, what)
			if l.docs[c.Path] = c.Hash; c.Hash == "" {
				delete(l.docs, c.Path)
			}
			if limit--; limit == 0 {
				return errQuiet
			}
		case !first:
			return errQuiet
		}
		first = false
		return nil
	})
	if !errors.Is(err, errQuiet) {
		r.t.Fatal(err)
	}
	if now := list(r.v); limit > 0 && !maps.Equal(now, l.docs) {
		r.t.Errorf("it knows %v\nand there are %v", l.docs, now)
	}
}

const all = 1 << 30

func list(v *vault.Vault) map[string]vault.Hash {
	docs := map[string]vault.Hash{}
	_ = v.Walk(context.Background(), func(i vault.Info) error {
		docs[i.Path] = hashNow(v, i.Path)
		return nil
	}, nil)
	return docs
}

func write(t *testing.T, dir, p, text string) {
	t.Helper()
	p = filepath.Join(dir, p)
	if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// expect fails where a client wasn't told of these documents alone, or had to list.
func (l *listener) expect(t *testing.T, paths ...string) {
	t.Helper()
	var told []string
	for _, what := range l.told {
		told = append(told, what[:len(what)-len(filepath.Ext(what))]+".md")
	}
	slices.Sort(told)
	if !slices.Equal(told, paths) || l.resyncs != 1 {
		t.Errorf("told of %q, want %q; listed %d times", l.told, paths, l.resyncs)
	}
	l.told = nil
}

// TestRestart: who comes back after restarts is told once of each document that changed, while
// the program ran and while it didn't, and of no other.
func TestRestart(t *testing.T) {
	dir := vaulttest.Write(t, shed)
	r := begin(t, dir, "1")
	here, away := &listener{after: -1}, &listener{after: -1}
	here.hear(r, all)
	away.hear(r, all)
	write(t, dir, "new.md", "new\n")
	here.hear(r, all)
	here.expect(t, "new.md")
	write(t, dir, "unheard.md", "saved just before the end\n")
	r.leave()

	r = begin(t, dir, "1") // nothing changed
	here.hear(r, all)
	here.expect(t, "unheard.md")
	here.hear(r, all)
	here.expect(t)
	r.leave()

	write(t, dir, "keel.md", "# Keel\nof steel\n")
	write(t, dir, "new.md", "newer\n")
	write(t, dir, "made/away.md", "made\n")
	write(t, dir, ".gitignore", "mast.md\n")
	if err := errors.Join(os.Rename(filepath.Join(dir, "old/rope.md"), filepath.Join(dir, "rope.md")), os.Remove(filepath.Join(dir, "unheard.md"))); err != nil {
		t.Fatal(err)
	}
	r = begin(t, dir, "1")
	for range 6 { // cut off after each
		here.hear(r, 1)
	}
	here.hear(r, all)
	here.expect(t, "keel.md", "made/away.md", "mast.md", "new.md", "old/rope.md", "rope.md", "unheard.md")
	away.hear(r, all)
	away.expect(t, "keel.md", "made/away.md", "mast.md", "new.md", "old/rope.md", "rope.md", "unheard.md")
	r.leave()

	r = begin(t, dir, "1")
	write(t, dir, "keel.md", "# Keel\nof oak\n")
	here.hear(r, all)
	here.expect(t, "keel.md")
}

// TestTouched: a save that changes nothing is no change, where what there was is known.
func TestTouched(t *testing.T) {
	dir := vaulttest.Write(t, shed)
	r := begin(t, dir, "1")
	l := &listener{after: -1}
	l.hear(r, all)
	write(t, dir, "keel.md", "# Keel\nof steel\n")
	l.hear(r, all)
	l.expect(t, "keel.md")
	r.leave()
	write(t, dir, "keel.md", "# Keel\nof steel\n")
	r = begin(t, dir, "1")
	l.hear(r, all)
	l.expect(t)
}

// TestAnything: when all documents are compared, because events may have been lost or every ten
// minutes, who watches is told what differs, and needn't list.
func TestAnything(t *testing.T) {
	dir := vaulttest.Write(t, shed)
	time.Sleep(100 * time.Millisecond) // of younger documents nobody is sure whether they differ
	r := begin(t, dir, "1")
	l := &listener{after: -1}
	l.hear(r, all)
	vault.Notice(r.v, "")
	l.hear(r, all)
	if l.resyncs != 1 {
		t.Error("it had to list")
	}
	write(t, dir, "new.md", "new\n")
	vault.Notice(r.v, "")
	r.leave()
	r = begin(t, dir, "1")
	if l.hear(r, all); l.resyncs != 1 || l.docs["new.md"] == "" {
		t.Errorf("listed %d times; it knows %v", l.resyncs, l.docs)
	}
}

// TestNoWayBack: where it can't be known what changed, it is said so.
func TestNoWayBack(t *testing.T) {
	dir := vaulttest.Write(t, shed)
	r := begin(t, dir, "1")
	l := &listener{after: -1}
	again := func(what, dir string, resyncs int) {
		t.Helper()
		r = begin(t, dir, "1")
		l.resyncs = 0
		if l.hear(r, all); l.resyncs != resyncs {
			t.Errorf("%s: listed %d times, want %d", what, l.resyncs, resyncs)
		}
	}
	l.hear(r, all)
	r.leave()
	again("a clean end", dir, 0)
	r.end() // as by a kill: what the vault does is no more than a crash undoes
	again("a kill", dir, 1)
	r.leave()
	old, err := os.ReadFile(filepath.Join(dir, ".kist", file))
	if err != nil {
		t.Fatal(err)
	}
	again("a clean end", dir, 0)
	crashed := t.TempDir()
	if err := os.CopyFS(crashed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	r.end()
	write(t, crashed, ".kist/"+file, string(old))
	if err := errors.Join(os.RemoveAll(dir), os.Rename(crashed, dir)); err != nil {
		t.Fatal(err)
	}
	again("a kill, and the table of before the last start", dir, 1)
	r.leave()
	other := t.TempDir()
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	again("a copy of the vault", other, 1)
	r.end()
	l.after--
	again("the vault itself", dir, 0)
	r.leave()
	write(t, dir, ".kist/"+file, string(old[:len(old)-1]))
	again("a damaged table", dir, 1)
	if _, err := os.Stat(filepath.Join(dir, ".kist", file)); err == nil {
		t.Error("a table is still there after the start")
	}
}

// TestReading: other settings, or another version of the program, may read other tasks.
func TestReading(t *testing.T) {
	dir := vaulttest.Write(t, shed)
	docs, tasks := &listener{after: -1}, &listener{after: -1, tasks: true}
	hear := func(r *run) {
		t.Helper()
		docs.hear(r, all)
		tasks.hear(r, all)
	}
	r := begin(t, dir, "1")
	hear(r)
	r.leave()
	r = begin(t, dir, "2")
	hear(r)
	if docs.resyncs != 1 || tasks.resyncs != 2 {
		t.Errorf("another version: %d and %d", docs.resyncs, tasks.resyncs)
	}
	r.leave()
	write(t, dir, ".obsidian/app.json", `{"userIgnoreFilters": ["old/"]}`)
	r = begin(t, dir, "2")
	hear(r)
	if docs.resyncs != 1 || tasks.resyncs != 3 {
		t.Errorf("other settings: %d and %d", docs.resyncs, tasks.resyncs)
	}
	write(t, dir, ".obsidian/app.json", `{}`)
	r.leave()
	r = begin(t, dir, "2")
	hear(r)
	if docs.resyncs != 1 || tasks.resyncs != 4 {
		t.Errorf("settings that changed before the end: %d and %d", docs.resyncs, tasks.resyncs)
	}
}

// TestTableForm: a table is read as it was written, and not at all where a byte is missing,
// or another one.
func TestTableForm(t *testing.T) {
	dir := vaulttest.Write(t, shed)
	r := begin(t, dir, "1")
	l := &listener{after: -1}
	l.hear(r, all)
	write(t, dir, "new.md", "new\n")
	l.hear(r, all)
	r.leave()
	text, err := os.ReadFile(filepath.Join(dir, ".kist", file))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := parse(text)
	if err != nil || string(whole.bytes()) != string(text) || len(whole.versions) != 4 || len(whole.recent) != 1 {
		t.Fatalf("%+v, %v", whole, err)
	}
	for i := range text {
		if _, err := parse(text[:i]); err == nil {
			t.Errorf("cut at %d it is read", i)
		}
		other := slices.Clone(text)
		other[i] ^= 1 << (i % 8)
		if _, err := parse(other); err == nil {
			t.Errorf("changed at %d it is read", i)
		}
	}
	if _, err := parse(append(text, 0)); err == nil {
		t.Error("with a byte more it is read")
	}
}

// TestRestartsUnderSaves: saves go on while runs begin and end, so that each is heard, found at
// a start, or both.
func TestRestartsUnderSaves(t *testing.T) {
	dir, rounds := vaulttest.Write(t, shed), 6
	if os.Getenv("KIST_RPC_LONG") != "" {
		rounds = 200
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Duration(rand.IntN(8)) * time.Millisecond):
			}
			p := filepath.Join(dir, fmt.Sprintf("saved-%d.md", rand.IntN(20)))
			if rand.IntN(4) == 0 {
				os.Remove(p)
			} else if err := os.WriteFile(p, fmt.Appendf(nil, "save %d\n", i), 0o666); err != nil {
				t.Error(err)
			}
		}
	}()
	often, seldom := &storm{}, &storm{}
	for i := range rounds {
		r := begin(t, dir, "1")
		often.hear(r)
		if i%3 == 0 {
			seldom.hear(r)
		}
		if err := r.news.Leave(t.Context()); err != nil {
			t.Log(err) // while it is saved all the time that may be
		}
		r.end()
	}
	close(stop)
	<-stopped
	r := begin(t, dir, "1")
	for _, l := range []*storm{often, seldom} {
		l.hear(r)
		if now := list(r.v); !maps.Equal(now, l.docs) {
			t.Errorf("it knows %v\nand there are %v", l.docs, now)
		}
		if l.resyncs > rounds/2 {
			t.Errorf("listed %d times in %d rounds", l.resyncs, rounds)
		}
	}
}

// A storm is a listener that doesn't wait for quiet.
type storm struct{ listener }

func (l *storm) hear(r *run) {
	r.t.Helper()
	if l.docs == nil {
		l.after = -1
	}
	if _, err := r.v.Barrier(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	n := 0
	err := r.news.Each(r.t.Context(), l.after, false, time.Millisecond, func(c Change) error {
		l.after = c.Seq
		switch {
		case c.Resync, l.docs == nil:
			l.docs, l.resyncs = list(r.v), l.resyncs+1
		case c.Hash != "":
			l.docs[c.Path] = c.Hash
		case c.Path != "":
			delete(l.docs, c.Path)
		case n > 0:
			return errQuiet
		}
		if n++; n > 50 {
			return errQuiet
		}
		return nil
	})
	if !errors.Is(err, errQuiet) {
		r.t.Fatal(err)
	}
}

// TestDoubt: what was saved while the table was made is told again where nobody was told of it, and else compared with what was
// told; what isn't old enough for its times is read.
func TestDoubt(t *testing.T) {
	v := vaulttest.New(t, shed)
	tab := &table{seq: 9, floor: 2, versions: []version{{path: "keel.md", known: true}, {path: "mast.md", known: true}, {path: "hull.md", known: true}, {path: "gone.md"}}}
	recent := []Change{{Seq: 3, Path: "keel.md"}, {Seq: 4, Path: "mast.md"}}
	unread := []vault.PathChange{{Path: "", Seq: 5}, {Path: "old/rope.md", Seq: 6}, {Path: "keel.md", Seq: 8}, {Path: "hull.md", Seq: 9}}
	if err := tab.conclude(recent, unread, 7); err != nil {
		t.Fatal(err)
	}
	if k, m, h := tab.versions[0], tab.versions[1], tab.versions[2]; !k.known || !k.young || !m.known || m.young || h.known || !h.young {
		t.Errorf("of %+v, %+v and %+v the first is compared with what was told, and the last is in doubt", k, m, h)
	}
	if got := tab.recent; len(got) != 4 || got[0].Path != "keel.md" || got[0].unread || got[1].Path != "mast.md" || !got[2].unread || got[3].Seq != 9 || !got[3].unread {
		t.Errorf("recent: %+v", got)
	}
	if err := tab.conclude(nil, []vault.PathChange{{Path: "", Seq: 8}}, 7); err == nil {
		t.Error("anything may have changed, and nobody is told")
	}
	d := differing{vault: v, found: map[string]bool{}, doubt: []version{tab.versions[0], tab.versions[2]}}
	if d.read(t.Context()); !d.found["keel.md"] {
		t.Error("what is in doubt isn't told")
	}
	docs := New(v)
	docs.prepend(tab.recent, d.found)
	if got := docs.live(); len(got) != 2 || got[0].Path != "mast.md" || got[1].Path != "old/rope.md" {
		t.Errorf("what changed since is told with its old number: %+v", got)
	}
}

// TestReadLaterIsToldOnce has a change that an earlier run left unread be told, and then get a number again, as the vault gives one
// to what it compares behind a start: what it holds is what was told last.
func TestReadLaterIsToldOnce(t *testing.T) {
	dir := vaulttest.Write(t, shed)
	r := begin(t, dir, "1")
	defer r.end()
	d := r.news
	d.mu.Lock()
	c := Change{Seq: r.v.Seq(), Path: "keel.md", unread: true}
	d.latest[c.Path], d.order = c, append(d.order, c)
	d.mu.Unlock()
	if got, _, err := d.since(t.Context(), c.Seq-1); err != nil || len(got) != 1 || got[0].Hash == "" {
		t.Fatal(got, err)
	}
	vault.Notice(r.v, "keel.md")
	if got, _, err := d.since(t.Context(), c.Seq); err != nil || len(got) != 0 {
		t.Error("told twice:", got, err)
	}
}
