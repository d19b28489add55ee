package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// many is an archive of n notes in a folder.
func many(folder string, n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "-- %s/note%d.md --\nneedle %s%d\n", folder, i, folder, i)
	}
	return s.String()
}

func TestMassVanishing(t *testing.T) {
	for name, watched := range map[string]bool{"on starting": false, "while watched": true} {
		t.Run(name, func(t *testing.T) {
			f := start(t, many("a", 60)+many("b", 20))
			if watched {
				vaulttest.Watch(t, f.vault)
			}
			folder := filepath.Join(f.vault.Dir(), "a")
			if err := os.Rename(folder, filepath.Join(f.vault.Dir(), ".away")); err != nil {
				t.Fatal(err)
			}
			if !watched {
				f.compareNow()
			}
			f.eventuallyState(Paused)
			s := f.index.Status()
			if s.Documents != 80 || !strings.Contains(s.Notice, "60 of 80") || !strings.Contains(s.Notice, "kist index rebuild") {
				t.Errorf("status %+v", s)
			}
			if got := f.search("needle").Total; got > 80 || got < 20 {
				t.Errorf("%d hits", got)
			}
			f.wait() // waiting for the rest is not held up

			if err := os.Rename(filepath.Join(f.vault.Dir(), ".away"), folder); err != nil {
				t.Fatal(err)
			}
			if !watched {
				f.compareNow()
			}
			f.eventuallyState(Ready)
			if s := f.index.Status(); s.Documents != 80 || s.Notice != "" {
				t.Errorf("status %+v", s)
			}
		})
	}
}

func (f *fixture) eventuallyState(want State) {
	f.Helper()
	for range 1000 {
		if f.index.Status().State == want {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	f.Fatalf("status %+v, want %s", f.index.Status(), want)
}

func TestRebuildConfirmsDeletions(t *testing.T) {
	f := start(t, many("a", 60)+many("b", 20))
	os.RemoveAll(filepath.Join(f.vault.Dir(), "a"))
	f.compareNow()
	f.eventuallyState(Paused)
	if err := f.index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if s := f.index.Status(); s.Documents != 20 || s.State != Ready || s.Notice != "" {
		t.Errorf("status %+v", s)
	}
	assertHolds(t, f.index, f.vault)
}

func TestFewDeletionsAreNoVanishing(t *testing.T) {
	f := start(t, many("a", 40)+many("b", 20))
	os.RemoveAll(filepath.Join(f.vault.Dir(), "a")) // most of them, but not many
	f.compareNow()
	if s := f.index.Status(); s.Documents != 20 || s.State != Ready {
		t.Errorf("status %+v", s)
	}
}

// faulty fails where told to, which permissions can't do for root.
type faulty struct {
	*vault.Vault
	root   atomic.Bool
	folder atomic.Pointer[string] // can't be listed
	file   atomic.Pointer[string] // can't be read
}

func (s *faulty) List(ctx context.Context, since vault.Seq) (*vault.Listing, error) {
	if s.root.Load() {
		return nil, errors.New("input/output error")
	}
	l, err := s.Vault.List(ctx, since)
	folder := s.folder.Load()
	if folder == nil || err != nil {
		return l, err
	}
	return &vault.Listing{
		Seq:      l.Seq,
		Files:    slices.DeleteFunc(slices.Clone(l.Files), func(i vault.Info) bool { return strings.HasPrefix(i.Path, *folder+"/") }),
		Problems: append(slices.Clone(l.Problems), vault.Problem{Path: *folder, Message: "folder can't be read: permission denied"}),
	}, nil
}

func (s *faulty) ReadHead(path string, limit int64) ([]byte, vault.Info, error) {
	if p := s.file.Load(); p != nil && *p == path {
		return nil, vault.Info{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return s.Vault.ReadHead(path, limit)
}

func startFaulty(t *testing.T, archive string) (*fixture, *faulty) {
	f := &fixture{T: t, vault: vaulttest.New(t, archive)}
	f.index = open(t, f.vault)
	s := &faulty{Vault: f.vault}
	f.index.files.Source = s
	f.follow()
	return f, s
}

func TestUnreadableRoot(t *testing.T) {
	f, s := startFaulty(t, small)
	s.root.Store(true)
	f.compareNow()
	if st := f.index.Status(); st.State != Paused || st.Documents != 4 || !strings.Contains(st.Notice, "can't be read") {
		t.Errorf("status %+v", st)
	}
	f.finds("sourdough", "notes/bread.md")
	s.root.Store(false)
	f.compareNow()
	if st := f.index.Status(); st.State != Ready || st.Notice != "" {
		t.Errorf("status %+v", st)
	}
}

func TestUnreadableFolder(t *testing.T) {
	f, s := startFaulty(t, small)
	folder := "notes"
	s.folder.Store(&folder)
	os.Remove(filepath.Join(f.vault.Dir(), "memories/tea.md"))
	f.compareNow()
	if st := f.index.Status(); st.State != Ready || st.Documents != 3 || len(st.Problems) != 1 || st.Problems[0].Path != "notes" {
		t.Errorf("status %+v", st)
	}
	f.finds("sourdough", "notes/bread.md")
	s.folder.Store(nil)
	f.compareNow()
	if st := f.index.Status(); len(st.Problems) != 0 {
		t.Errorf("status %+v", st)
	}
}

func TestUnreadableFile(t *testing.T) {
	f, s := startFaulty(t, small)
	path := "notes/bread.md"
	s.file.Store(&path)
	f.write(path, "zeppelin")
	f.compareNow()
	st := f.index.Status()
	if st.Freshness.Failed != 1 || st.Documents != 4 || len(st.Problems) != 1 || st.Problems[0].Path != path {
		t.Errorf("status %+v", st)
	}
	s.file.Store(nil)
	f.finds("sourdough", path) // its old entries are still there
	f.compareNow()             // it is tried again although its time is the same
	f.finds("zeppelin", path)
	f.finds("sourdough")
	if st := f.index.Status(); st.Freshness.Failed != 0 || len(st.Problems) != 0 {
		t.Errorf("status %+v", st)
	}
}

// A full disk stops indexing but neither the search nor the process, and it goes
// on by itself.
func TestStoreCannotBeWritten(t *testing.T) {
	f := start(t, small)
	x := f.index
	<-x.writing
	x.mu.Lock()
	x.current.store.Close() // bleve fails from now on
	x.mu.Unlock()
	x.position.full = true
	f.write("notes/new.md", "zeppelin")
	err := x.advanceCurrent(t.Context())
	if st := x.Status(); err == nil || st.State != Paused || !strings.Contains(st.Notice, "can't be written") {
		t.Errorf("error %v, status %+v", err, st)
	}
	f.finds("sourdough", "notes/bread.md")
	f.finds("zeppelin", "notes/new.md") // in the file itself
	if err := x.advanceCurrent(t.Context()); err != nil {
		t.Error(err)
	}
	f.finds("zeppelin", "notes/new.md")
	if st := x.Status(); st.State != Ready || st.Notice != "" {
		t.Errorf("status %+v", st)
	}
	x.writing <- struct{}{}
	assertHolds(t, x, f.vault)
}

// Where its folder can't be used from the start, the index is in memory; all else is
// as ever, and nothing is written.
func TestFolderCannotBeUsed(t *testing.T) {
	v := vaulttest.New(t, small+many("a", 30))
	blocked := filepath.Join(t.TempDir(), "file")
	writeFile(t, blocked, "x")
	x, err := Open(v, Options{Dir: filepath.Join(blocked, "index")})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{T: t, vault: v, index: x}
	stop := f.follow()
	if s := x.Status(); s.State != Ready || s.Documents != 34 || !strings.Contains(s.Notice, "kept in memory") || !strings.Contains(s.Notice, "free space") {
		t.Errorf("status %+v", s)
	}
	f.finds("sourdough", "notes/bread.md")
	f.write("notes/bread.md", "rye")
	f.compareNow()
	f.finds("rye", "notes/bread.md")
	f.finds("sourdough")
	if err := x.Rebuild(t.Context(), nil); err == nil {
		t.Error("rebuilt")
	}
	f.finds("rye", "notes/bread.md")
	stop()
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// vanisher deletes or renames each file while it is being indexed.
type vanisher struct {
	*vault.Vault
	rename bool
}

func (s *vanisher) ReadHead(path string, limit int64) ([]byte, vault.Info, error) {
	text, info, err := s.Vault.ReadHead(path, limit)
	name := filepath.Join(s.Dir(), path)
	if s.rename {
		os.Rename(name, strings.TrimSuffix(name, ".md")+"x.md")
	} else {
		os.Remove(name)
	}
	return text, info, err
}

func TestVanishingWhileIndexed(t *testing.T) {
	for _, rename := range []bool{false, true} {
		v := vaulttest.New(t, many("a", 30))
		x := open(t, v)
		x.files.Source = &vanisher{v, rename}
		f := &fixture{T: t, vault: v, index: x}
		f.follow()
		if got := f.search("needle"); got.Total != 0 {
			t.Errorf("rename %v: %d stale documents", rename, got.Total)
		}
		x.files.Source = v
		f.compareNow()
		assertHolds(t, x, v)
	}
}

// An index that can't go on, with changes waiting, tries again ever less often, and
// doesn't fill the log.
func TestPausesGrow(t *testing.T) {
	t.Parallel() // it waits
	v := vaulttest.New(t, small)
	var log strings.Builder
	x, err := Open(v, Options{Dir: t.TempDir(), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	x.current.store.Close() // bleve fails from now on
	if err := os.RemoveAll(x.dir); err != nil {
		t.Fatal(err)
	}
	writeFile(t, x.dir, "in the way")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	saved := make(chan int)
	go func() { // changes keep coming
		n := 0
		for ; ctx.Err() == nil; n++ {
			step, err := entity.PlanCreateNote(ctx, v, entity.NewNote{Title: fmt.Sprint("note ", n), Text: "x"}, vault.ActorUser)
			if err == nil {
				_, err = v.Apply(ctx, vault.Batch{Steps: []vault.Step{step}})
			}
			if err != nil {
				break
			}
		}
		saved <- n
	}()
	if err := x.Run(ctx); err != nil {
		t.Error(err)
	}
	if n := <-saved; n < 10 {
		t.Logf("only %d changes", n)
	}
	if n := strings.Count(log.String(), "index paused"); n == 0 || n > 5 {
		t.Errorf("paused %d times within a second:\n%s", n, log.String())
	}
	_ = x.Close()
}
