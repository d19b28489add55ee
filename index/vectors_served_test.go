package index

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kist/agent/endpoint"
	"kist/agent/endpoint/endpointtest"
	"kist/agent/ollama"
	"kist/agent/openai"
	"kist/index/manifest"
	"kist/index/parallel"
	"kist/index/quiet"
	"kist/index/served"
	"kist/index/store"
	"kist/index/vector"
	"kist/vault/vaulttest"
)

// served is a vault whose documents a test server embeds.
type servedFixture struct {
	*fixture
	server *endpointtest.Server
	stop   func()
}

func embedderOf(t testing.TB, server *endpointtest.Server, model string) served.Embedder {
	t.Helper()
	e, err := endpoint.New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	return ollama.NewEmbedder(e, model)
}

func startServed(t *testing.T, archive string) *servedFixture {
	t.Helper()
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, archive)}, server: endpointtest.New(t)}
	f.open("test")
	return f
}

// open opens and follows the index with a model of the server.
func (f *servedFixture) open(model string) {
	f.Helper()
	f.openWith(embedderOf(f.T, f.server, model))
}

func (f *servedFixture) openWith(e served.Embedder) { f.openFor(Options{Embedder: e}) }

func (f *servedFixture) openFor(opts Options) {
	f.Helper()
	x, err := Open(f.vault, opts)
	if err != nil {
		f.Fatal(err)
	}
	f.index = x
	f.stop = f.follow()
	f.Cleanup(func() { f.stop(); x.Close() })
}

func (f *servedFixture) closeIndex() {
	f.Helper()
	f.stop()
	if err := f.index.Close(); err != nil {
		f.Fatal(err)
	}
}

// until waits for a state of the embedder.
func (f *servedFixture) until(what string, done func(served.Status) bool) served.Status {
	f.Helper()
	return f.untilWithin(30*time.Second, what, done)
}

func (f *servedFixture) untilWithin(limit time.Duration, what string, done func(served.Status) bool) served.Status {
	f.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(time.Millisecond) {
		s := f.index.Status().Vectors.Embedder
		if done(s) {
			return s
		}
		if time.Now().After(deadline) {
			f.Fatalf("not %s: %+v", what, s)
		}
	}
}

func (f *servedFixture) untilReady() served.Status {
	f.Helper()
	return f.until("ready", func(s served.Status) bool { return s.State == served.Ready && s.InUse && s.Pending == 0 })
}

// retry has a failing embedder try at once instead of after its pause.
func (f *servedFixture) retry() { parallel.Signal(f.index.remote.Again) }

// once fails the test if a text was embedded more than once, or want is not how many were.
func (f *servedFixture) once(want int) {
	f.Helper()
	answered := f.server.Answered()
	for text, n := range answered {
		if n != 1 {
			f.Errorf("asked for %d times: %.60q", n, text)
		}
	}
	if len(answered) != want {
		f.Errorf("%d texts were embedded, want %d", len(answered), want)
	}
}

func (f *servedFixture) remove(path string) {
	f.Helper()
	if err := os.Remove(filepath.Join(f.vault.Dir(), path)); err != nil {
		f.Fatal(err)
	}
}

func (f *servedFixture) setKeys() []string {
	f.index.mu.RLock()
	defer f.index.mu.RUnlock()
	if f.index.current.served == nil {
		return nil
	}
	return f.index.current.served.Set.Keys()
}

// TestServed: documents are embedded in batches, each once, and found by what they mean.
func TestServed(t *testing.T) {
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(100)+"-- car.md --\nAn automobile stood there.\n-- empty.md --\n\n-- title.md --\n---\nname: only front matter\n---\n")}, server: endpointtest.New(t)}
	f.server.SetMeaning("vehicle", "automobile")
	f.open("test")
	s := f.untilReady()
	if s.Model != "ollama/test" || s.Documents != 104 || s.Problem != "" {
		t.Errorf("status %+v", s)
	}
	f.once(len(distinct(f)))
	for _, n := range f.server.Batches() {
		if n > 32 {
			t.Errorf("%d texts in one request", n)
		}
	}
	if n := len(f.server.Batches()); n > 100/32+2 {
		t.Errorf("%d requests for 102 texts", n)
	}
	got := ask(t, f.index, Query{Text: "vehicle", Limit: 5})
	if len(got.Hits) == 0 || got.Hits[0].Path != "car.md" {
		t.Errorf("found %v", paths(got))
	}
	if got.Freshness.Vectors != "" {
		t.Errorf("notice %q", got.Freshness.Vectors)
	}
	if got := ask(t, f.index, Query{Text: "automobile", Explain: true}); !slices.Equal(got.Plan.Feedback, []string{"car.md"}) {
		t.Errorf("drawn towards %q", got.Plan.Feedback)
	}
	if text := ask(t, f.index, Query{Text: "vehicle", Mode: Text}); text.Total != 0 {
		t.Errorf("by words %v", paths(text))
	}
	if got := ask(t, f.index, Query{Text: "vehicle path:bread/"}); slices.Contains(paths(got), "car.md") {
		t.Error("a filter doesn't hold")
	}
	if got, err := f.index.Similar(t.Context(), "boat/000.md", 5); err != nil || !strings.HasPrefix(got.Hits[0].Path, "boat/") {
		t.Errorf("similar: %v, %v", got, err)
	}
}

// TestServedPrivate: what is private is found by words, and the server never gets it, as it
// is and after a change.
func TestServedPrivate(t *testing.T) {
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(20)+"-- journal/day.md --\nThe heron is my secret.\n")}, server: endpointtest.New(t)}
	opts := Options{Embedder: embedderOf(t, f.server, "test"), Private: func(p string) bool { return strings.HasPrefix(p, "journal/") }}
	f.openFor(opts)
	f.untilReady()
	f.closeIndex()
	f.write("journal/day.md", "The heron is my other secret.\n")
	f.write("open.md", "The heron is known to all.\n")
	opts.Embedder = embedderOf(t, f.server, "test")
	f.openFor(opts)
	f.untilReady()
	known := false
	for text := range f.server.Answered() {
		known = known || strings.Contains(text, "known to all")
		if strings.Contains(text, "secret") {
			t.Errorf("the server was given %q", text)
		}
	}
	if !known {
		t.Error("the server wasn't given what is public")
	}
	if got, err := f.index.Search(quiet.Context(t.Context()), Query{Text: "quiet heron"}); err != nil || len(got.Hits) == 0 {
		t.Errorf("%+v, %v", got, err)
	}
	ask(t, f.index, Query{Text: "loud heron"})
	loud := false
	for text := range f.server.Answered() {
		loud = loud || strings.Contains(text, "loud heron")
		if strings.Contains(text, "quiet heron") {
			t.Errorf("the server was given %q", text)
		}
	}
	if !loud {
		t.Error("a search that may ask didn't")
	}
	if got := ask(t, f.index, Query{Text: "other secret"}); len(got.Hits) == 0 || got.Hits[0].Path != "journal/day.md" {
		t.Errorf("found %v", paths(got))
	}
}

// distinct are the texts that the vault's documents have.
func distinct(f *servedFixture) map[string]bool {
	all := map[string]bool{}
	for path, e := range f.index.current.manifest.Files {
		file, err := f.index.files.Reader().Read(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, p := range served.Passages(file, "", e) {
			all[p.Text] = true
		}
	}
	return all
}

// TestServedOpenAI: the other kind of server does as well.
func TestServedOpenAI(t *testing.T) {
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(40))}, server: endpointtest.New(t)}
	e, err := endpoint.New(f.server.URL+"/v1/", "secret")
	if err != nil {
		t.Fatal(err)
	}
	f.openWith(openai.NewEmbedder(e, "small"))
	if s := f.untilReady(); s.Model != "openai/small" {
		t.Errorf("status %+v", s)
	}
	f.once(len(distinct(f)))
}

// TestServedDown: a server that isn't there costs nothing but its vectors, and each text
// is asked for once though it dies in the middle and comes back.
func TestServedDown(t *testing.T) {
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(120))}, server: endpointtest.New(t)}
	f.server.SetDown(true)
	f.open("test")
	s := f.until("failing", func(s served.Status) bool { return s.State == served.Failing })
	if !strings.Contains(s.Problem, "ollama/test") || !strings.Contains(s.Problem, "the server may have ended") || s.Documents != 0 {
		t.Errorf("status %+v", s)
	}
	f.vectorsUntil(func(s VectorStatus) bool { return s.State == VectorsReady && s.Pending == 0 }) // the built-in ones
	f.index.searches.Enough = 0
	got := ask(t, f.index, Query{Text: "keel mast", Limit: 200})
	if got.Total <= ask(t, f.index, Query{Text: "keel mast", Mode: Text, Limit: 200}).Total {
		t.Errorf("the built-in vectors don't serve: %d found, %+v", got.Total, f.index.Status().Vectors)
	}
	if !strings.Contains(got.Freshness.Vectors, "ollama/test") {
		t.Errorf("notice %q", got.Freshness.Vectors)
	}
	var left atomic.Int32
	left.Store(3)
	f.server.SetHook(func(_ http.ResponseWriter, _ *http.Request, texts []string) bool {
		if len(texts) > 1 && left.Add(-1) < 0 {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	f.server.SetDown(false)
	f.retry()
	f.until("failing in the middle", func(served.Status) bool {
		return left.Load() < 0 && f.index.Status().Vectors.Embedder.State == served.Failing
	})
	if n := len(f.server.Answered()); n < 2*32 || n > 4*32 {
		t.Errorf("%d texts were embedded before the server died", n)
	}
	f.server.SetHook(nil)
	f.retry()
	f.untilReady()
	answered := f.server.Answered()
	delete(answered, "keel mast") // the query
	for text, n := range answered {
		if n != 1 {
			t.Errorf("asked for %d times: %q", n, text)
		}
	}
	if want := len(distinct(f)); len(answered) != want {
		t.Errorf("%d texts, want %d", len(answered), want)
	}
}

// TestServedKill: whatever was answered before the process ended isn't asked for again,
// nor after the index or its store is gone.
func TestServedKill(t *testing.T) {
	f := startServed(t, topical(200))
	f.untilReady()
	want := len(distinct(f))
	f.once(want)
	f.closeIndex()
	// As after kill -9: nothing but the cache was written.
	os.Remove(servedName(f.index.dir, f.index.current0(t)))
	f.open("test")
	f.untilReady()
	f.once(want)
	if err := f.index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	f.untilReady()
	f.once(want)
	f.closeIndex()
	if err := os.RemoveAll(f.index.dir); err != nil {
		t.Fatal(err)
	}
	f.open("test")
	f.untilReady()
	f.once(want)
	files, _ := filepath.Glob(filepath.Join(f.index.dir, servedPrefix+"*"))
	if len(files) != 1 {
		t.Errorf("files %q", files)
	}
}

// current0 is the store whose files are in a closed index's folder.
func (x *Index) current0(t *testing.T) *store.Store {
	t.Helper()
	m, err := manifest.Load(x.dir)
	if err != nil {
		t.Fatal(err)
	}
	return &store.Store{ID: m.ID}
}

// TestServedMoves: a move, a rename and a change that is taken back ask for nothing, and
// a changed section asks for itself alone.
func TestServedMoves(t *testing.T) {
	long := "# Voyage\n\n" + strings.Repeat("## Part\n\n"+strings.Repeat("rope mast flour keel ", 60)+"\n\n", 3)
	long = strings.Replace(long, "## Part", "## First", 1)
	long = strings.Replace(long, "## Part", "## Second", 1)
	f := startServed(t, topical(30)+"-- long.md --\n"+long)
	vaulttest.Watch(t, f.vault)
	f.untilReady()
	want := len(distinct(f))
	f.once(want)
	text, err := os.ReadFile(filepath.Join(f.vault.Dir(), "boat/000.md"))
	if err != nil {
		t.Fatal(err)
	}
	f.remove("boat/000.md")
	f.write("elsewhere/renamed.md", string(text))
	f.until("moved", func(s served.Status) bool {
		keys := f.setKeys()
		return slices.Contains(keys, "elsewhere/renamed.md") && !slices.Contains(keys, "boat/000.md") && s.Pending == 0
	})
	f.once(want)
	f.write("long.md", strings.Replace(long, "## Second\n\nrope", "## Second\n\nchanged rope", 1))
	f.until("changed", func(s served.Status) bool { return s.Pending == 0 && len(f.server.Answered()) > want })
	f.once(want + 1)
	f.write("long.md", long)
	f.until("taken back", func(s served.Status) bool {
		stamp, _ := f.index.current.served.Set.Stamp("long.md")
		return stamp == vector.Stamp(manifest.HashOf([]byte(long)))
	})
	f.once(want + 1)
}

// TestServedGhost: a document that is deleted, renamed or changed while it is embedded
// leaves no vector of what it was. KIST_ROUNDS asks for more than a few rounds.
func TestServedGhost(t *testing.T) {
	f := startServed(t, topical(20))
	vaulttest.Watch(t, f.vault)
	f.untilReady()
	rounds := 10
	if n, err := strconv.Atoi(os.Getenv("KIST_ROUNDS")); err == nil {
		rounds = n
	}
	for round := range rounds {
		reached, answer := make(chan struct{}), make(chan struct{})
		var first sync.Once
		f.server.SetHook(func(_ http.ResponseWriter, r *http.Request, _ []string) bool {
			first.Do(func() { close(reached) })
			select {
			case <-answer:
			case <-r.Context().Done():
			}
			return false
		})
		path := func(s string) string { return fmt.Sprintf("ghost/%s-%d.md", s, round) }
		for _, s := range []string{"deleted", "renamed", "changed"} {
			f.write(path(s), fmt.Sprintf("This one is %s in round %d", s, round))
		}
		<-reached
		f.remove(path("deleted"))
		if err := os.Rename(filepath.Join(f.vault.Dir(), path("renamed")), filepath.Join(f.vault.Dir(), path("moved"))); err != nil {
			t.Fatal(err)
		}
		now := fmt.Sprintf("Something else, %d", round)
		f.write(path("changed"), now)
		if round%2 == 0 { // indexed before the answer comes, or after it
			f.vectorsUntil(func(VectorStatus) bool {
				f.index.mu.RLock()
				defer f.index.mu.RUnlock()
				files := f.index.current.manifest.Files
				_, deleted := files[path("deleted")]
				_, moved := files[path("moved")]
				return !deleted && moved && files[path("changed")].Hash == manifest.HashOf([]byte(now))
			})
		}
		close(answer)
		f.until("followed", func(s served.Status) bool {
			stamp, ok := f.index.current.served.Set.Stamp(path("changed"))
			return ok && stamp == vector.Stamp(manifest.HashOf([]byte(now))) && slices.Contains(f.setKeys(), path("moved")) && s.Pending == 0
		})
		f.until("gone", func(served.Status) bool {
			keys := f.setKeys()
			return !slices.Contains(keys, path("deleted")) && !slices.Contains(keys, path("renamed"))
		})
		f.server.SetHook(nil)
	}
	set := f.index.current.served.Set
	for _, key := range set.Keys() {
		e, known := f.index.current.manifest.Files[key]
		if stamp, _ := set.Stamp(key); !known || stamp != vector.Stamp(e.Hash) {
			t.Errorf("%s has vectors of what it isn't", key)
		}
	}
}

// TestStaleMark shows that it is the mark which keeps a late answer out: the same
// publication with the present mark gets in.
func TestStaleMark(t *testing.T) {
	f := startServed(t, topical(5))
	f.untilReady()
	f.stop()
	x, r, g := f.index, f.index.remote.Server, f.index.current
	const path = "boat/000.md"
	e := g.manifest.Files[path]
	d := served.Document{Path: path, Hash: e.Hash}
	marked := func() map[string]uint64 {
		r.During(g, func() { r.Mark(path) })
		return r.Next(1)
	}
	stale := marked()
	present := marked() // published again meanwhile
	for _, c := range []struct {
		marks map[string]uint64
		want  int
	}{{stale, 1}, {present, 0}} {
		if err := x.remote.publishServed(t.Context(), g, c.marks, []served.Document{d}); err != nil {
			t.Fatal(err)
		}
		if got, _ := g.served.Set.Passages(path); len(got) != c.want || r.Left() != c.want {
			t.Errorf("%d passages and %d to do, want %d", len(got), r.Left(), c.want)
		}
	}
}

// TestServedModel: another model embeds everything beside what serves, and going back
// asks for nothing.
func TestServedModel(t *testing.T) {
	f := startServed(t, topical(60))
	f.untilReady()
	f.waitVectors()
	want := len(distinct(f))
	f.closeIndex()
	hold := make(chan struct{})
	f.server.SetHook(func(_ http.ResponseWriter, r *http.Request, _ []string) bool {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
		return false
	})
	f.server.SetDim(32)
	f.open("other")
	s := f.until("embedding", func(s served.Status) bool { return s.State == served.Working })
	if s.InUse || s.Model != "ollama/other" {
		t.Errorf("status %+v", s)
	}
	f.index.searches.Enough = 0
	if got := ask(t, f.index, Query{Text: "keel mast", Limit: 100}); got.Total <= ask(t, f.index, Query{Text: "keel mast", Mode: Text}).Total || !strings.Contains(got.Freshness.Vectors, "no vectors of ollama/other yet") {
		t.Errorf("%d found meanwhile; %q", got.Total, got.Freshness.Vectors)
	}
	close(hold)
	f.untilReady()
	for text, n := range f.server.Answered() {
		if n != 2 {
			t.Errorf("asked for %d times: %q", n, text)
		}
	}
	f.closeIndex()
	f.server.SetHook(nil)
	f.open("test")
	f.untilReady()
	if n := len(f.server.Batches()); n != 2*((want+32-1)/32) {
		t.Errorf("%d requests", n)
	}
}

// TestServedWrong: answers that can't be are refused with a reason.
func TestServedWrong(t *testing.T) {
	reply := func(text string) func(http.ResponseWriter, *http.Request, []string) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
			w.Write([]byte(text))
			return true
		}
	}
	for want, hook := range map[string]func(http.ResponseWriter, *http.Request, []string) bool{
		"has 1 vectors for": reply(`{"embeddings":[[1,2]]}`),
		"0 dimensions":      reply(`{"embeddings":[` + strings.Repeat("[],", 20) + `[]]}`),
		"has 0 vectors":     reply(`{"embeddings":[]}`),
		"where others have": reply(`{"embeddings":[[1,2],` + strings.Repeat("[1],", 19) + `[1]]}`),
		"all numbers are 0": reply(`{"embeddings":[` + strings.Repeat("[0,0],", 20) + `[0,0]]}`),
		"invalid character": reply(`<html>`),
		"the model is away": func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
			http.Error(w, `{"error":"the model is away"}`, http.StatusNotFound)
			return true
		},
		"check the key": func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
			http.Error(w, "{}", http.StatusUnauthorized)
			return true
		},
		"nothing at all": func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
			http.Error(w, "nothing at all", http.StatusInternalServerError)
			return true
		},
		"the answer is too long": func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
			w.Write([]byte(`{"embeddings":[["`))
			for range 33 {
				if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
					break
				}
			}
			return true
		},
	} {
		t.Run(want, func(t *testing.T) {
			f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(20))}, server: endpointtest.New(t)}
			f.server.SetHook(hook)
			f.open("test")
			s := f.until("failing", func(s served.Status) bool { return s.State == served.Failing })
			if !strings.Contains(s.Problem, want) {
				t.Errorf("problem %q", s.Problem)
			}
			if got := ask(t, f.index, Query{Text: "mast"}); got.Total == 0 || got.Freshness.Vectors == "" {
				t.Errorf("search: %+v", got)
			}
			f.server.SetHook(nil)
			f.retry()
			f.untilReady()
		})
	}
}

// TestServedDimension: a model that has changed under its name is not mixed with itself.
func TestServedDimension(t *testing.T) {
	f := startServed(t, topical(20))
	f.untilReady()
	vaulttest.Watch(t, f.vault)
	f.server.SetDim(20)
	f.write("new.md", "Something about masts")
	s := f.until("failing", func(s served.Status) bool { return s.State == served.Failing })
	if !strings.Contains(s.Problem, "another model under the same name?; if so") || s.Pending != 1 || !s.InUse {
		t.Errorf("status %+v", s)
	}
	if got := ask(t, f.index, Query{Text: "masts"}); !slices.Contains(paths(got), "new.md") {
		t.Errorf("found %v", paths(got))
	}
}

// TestServedRefusal: a text that the server won't have is tried shorter and then passed
// over, and keeps no other from its vector.
func TestServedRefusal(t *testing.T) {
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(20)+"-- poison.md --\npoison\n-- long.md --\n"+strings.Repeat("verylong word ", 300))}, server: endpointtest.New(t)}
	f.server.SetHook(func(w http.ResponseWriter, _ *http.Request, texts []string) bool {
		for _, s := range texts {
			if strings.Contains(s, "poison") || len(s) > 1<<10 {
				http.Error(w, `{"error":"input is too large"}`, http.StatusInternalServerError)
				return true
			}
		}
		return false
	})
	f.open("test")
	s := f.untilReady()
	if s.Skipped != 1 || s.Documents != 23 {
		t.Errorf("status %+v", s)
	}
	if got, _ := f.index.current.served.Set.Passages("long.md"); len(got) != 1 {
		t.Errorf("%d passages", len(got))
	}
}

// TestServedCancel: a stop doesn't wait for the server.
func TestServedCancel(t *testing.T) {
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(20))}, server: endpointtest.New(t)}
	reached := make(chan struct{}, 10)
	f.server.SetHook(func(_ http.ResponseWriter, r *http.Request, _ []string) bool {
		reached <- struct{}{}
		<-r.Context().Done()
		return true
	})
	f.open("test")
	<-reached
	f.closeIndex()
}

// TestServedWakes: what documents wait for is asked for as soon as a search finds that the
// server is back, also one that has its own vector already, or can't use any.
func TestServedWakes(t *testing.T) {
	wakes := func(f *servedFixture, name string) {
		t.Helper()
		select {
		case <-f.index.remote.Again: // of before
		default:
		}
		f.search("keel mast")
		select {
		case <-f.index.remote.Again:
		case <-time.After(10 * time.Second):
			t.Errorf("%s: the search wakes nothing", name)
		}
	}
	f := startServed(t, topical(30))
	f.untilReady()
	f.search("keel mast")
	f.stop() // so that the test sees what is signalled
	f.index.remote.SetProblem(errors.New("gone"))
	wakes(f, "its vector is known")
	if f.index.remote.SetProblem(nil); f.server.Answered()["keel mast"] != 2 {
		t.Errorf("asked %d times", f.server.Answered()["keel mast"])
	}
	if f.search("keel mast"); f.server.Answered()["keel mast"] != 2 {
		t.Error("asked where nothing waits for it")
	}

	f = &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(30))}, server: endpointtest.New(t)}
	f.server.SetDown(true)
	f.open("test")
	f.until("failing", func(s served.Status) bool { return s.State == served.Failing })
	f.stop()
	f.server.SetDown(false)
	wakes(f, "no vectors are in use")
}

// TestServedProgress: what is embedded is told, and in use, while more is asked for at once.
func TestServedProgress(t *testing.T) {
	t.Parallel() // it waits
	f := &servedFixture{fixture: &fixture{T: t, vault: vaulttest.New(t, topical(120))}, server: endpointtest.New(t)}
	var first sync.Once
	more := make(chan struct{})
	f.server.SetHook(func(_ http.ResponseWriter, r *http.Request, texts []string) bool {
		began := false
		first.Do(func() { began = true })
		if began {
			time.Sleep(progressEvery)
			return false
		}
		select {
		case <-more:
		case <-r.Context().Done():
		}
		return false
	})
	f.open("test")
	s := f.until("on its way", func(s served.Status) bool { return s.Documents > 0 })
	if s.Documents != 32 || s.Pending != 121-32 || s.State != served.Working {
		t.Errorf("%+v", s)
	}
	close(more)
	f.untilReady()
	f.once(len(distinct(f)))
}
