package git

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// What is known of a repository holds as long as no file of its config changed.
func TestReopenBelievesOnlyWhatIsOld(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	global := filepath.Join(home, "global")
	for k, v := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_GLOBAL": global, "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(k, v)
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	old := func(folders ...string) {
		for _, folder := range folders {
			err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					err = os.Chtimes(p, time.Time{}, time.Now().Add(-time.Hour))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	reopen := func(last *Repo, same bool, why string) *Repo {
		t.Helper()
		r, err := Reopen(t.Context(), dir, last)
		if err != nil {
			t.Fatal(err)
		}
		if (r == last) != same {
			t.Errorf("%s: known is %t, want %t", why, r == last, same)
		}
		return r
	}
	git("config", "--global", "user.name", "Ann")
	git("init", "-q")
	r := reopen(nil, false, "at first")
	r = reopen(r, false, "its files are of this moment")
	old(home, dir)
	r = reopen(r, false, "nothing was known")
	r = reopen(r, true, "nothing changed")
	git("config", "alias.x", "!false")
	old(dir)
	r = reopen(r, false, "the config changed, and is old by its time")
	if len(r.Overridden()) == 0 {
		t.Error("the alias is not overridden")
	}
	if err := os.WriteFile(global, []byte("[user]\n\tname = Ann\n[commit]\n\tgpgSign\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old(home)
	r = reopen(r, false, "the user's config changed in place")
	if !isTrue(r.wider["commit.gpgsign"]) {
		t.Error("a key without a value is not true")
	}
	r = reopen(r, true, "nothing changed again")
	sub := filepath.Join(dir, ".git", "more")
	if err := os.WriteFile(sub, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	git("config", "include.path", "more")
	old(dir)
	r = reopen(reopen(r, false, "it includes another one"), false, "and is read each time")
	git("config", "--unset", "include.path")
	old(dir)
	r = reopen(reopen(r, false, "it includes none"), true, "and is known")
	git("config", "core.sparseCheckout", "true")
	old(dir)
	last, err := Reopen(t.Context(), dir, r)
	if !errors.Is(err, ErrUnsupported) || last != nil {
		t.Errorf("%v, %v, want ErrUnsupported", last, err)
	}
	if _, err := Reopen(t.Context(), dir, last); !errors.Is(err, ErrUnsupported) {
		t.Errorf("%v, want ErrUnsupported again", err)
	}
}

// A filter that any file of attributes names is asked for; where none does git isn't.
func TestAttributesThatNameAFilter(t *testing.T) {
	home, top, dir := t.TempDir(), t.TempDir(), t.TempDir()
	for k, v := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home} {
		t.Setenv(k, v)
	}
	s := &Store{repo: &Repo{Top: top}, dir: dir}
	at := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	asks := func(want bool, why string) {
		t.Helper()
		if got := s.mentions([]string{"a/b/c.md"}, "filter"); got != want {
			t.Errorf("%s: %t, want %t", why, got, want)
		}
	}
	asks(false, "there are no attributes")
	at(filepath.Join(top, ".gitattributes"), "*.md merge=kist\n")
	at(filepath.Join(top, "other", ".gitattributes"), "*.md filter=lfs\n")
	asks(false, "none is of that file")
	for _, name := range []string{filepath.Join(top, "a", ".gitattributes"), filepath.Join(dir, "info", "attributes"), filepath.Join(home, "git", "attributes")} {
		at(name, "*.md filter=lfs\n")
		asks(true, name)
		at(name, "")
	}
	s.repo.wider = map[string]string{"core.attributesfile": "~ann/attributes"}
	asks(true, "nobody knows where that is")
}

// A reader of blobs goes on after one that is too large, and starts anew after one that isn't there.
func TestBlobsAreReadByOneGit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "none"))
	top := filepath.Join(dir, "top")
	if err := errors.Join(os.Mkdir(top, 0o755), Init(t.Context(), top)); err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), top)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenStore(r, filepath.Join(dir, "store"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	texts := map[string][]byte{}
	for _, text := range []string{"", "small\n", strings.Repeat("large ", 100<<10)} {
		texts[s.BlobID([]byte(text))] = []byte(text)
	}
	if err := s.WriteBlobs(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for id := range texts {
		ids = append(ids, id)
	}
	for range 2 {
		got, err := s.Blobs(t.Context(), append(ids, ids...), 1000)
		if err != nil || len(got) != 2 {
			t.Fatalf("%d texts, %v", len(got), err)
		}
		for id, text := range got {
			if string(text) != string(texts[id]) {
				t.Errorf("%s is %q", id, text)
			}
		}
		if _, err := s.Blobs(t.Context(), []string{s.EmptyTree(), ids[0]}, 1000); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v, want ErrDamaged of a tree", err)
		}
		if _, err := s.Blobs(t.Context(), []string{strings.Repeat("1", 40)}, 1000); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v, want ErrDamaged of nothing", err)
		}
	}
}

// A git that goes on after its kist was killed is waited for before the store is touched.
func TestAStoreIsHeldByTheGitsInIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("locks aren't handed on there")
		return
	}
	top, dir := t.TempDir(), t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "none"))
	if err := Init(t.Context(), top); err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), top)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenStore(r, filepath.Join(dir, "store"), "")
	if err != nil {
		t.Fatal(err)
	}
	left := prepare(t.Context(), command{dir: top, args: []string{"hash-object", "--stdin"}, hold: s.held})
	in, err := left.StdinPipe()
	if err == nil {
		err = left.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(dir, "store", "index.lock")
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Close()
	ended := make(chan bool, 1)
	time.AfterFunc(200*time.Millisecond, func() {
		_, err := os.Stat(lock)
		_ = in.Close()
		ended <- err == nil
	})
	s, err = OpenStore(r, filepath.Join(dir, "store"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	select {
	case there := <-ended:
		if !there {
			t.Error("its lock was taken away while it ran")
		}
	default:
		t.Error("it wasn't waited for")
	}
	if _, err := os.Stat(lock); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a lock that nobody holds any more is left")
	}
	_ = left.Wait()
}

// A sparse checkout that begins while a round is under way is seen: what it takes away isn't deleted.
func TestASparseCheckoutThatBeginsMeanwhile(t *testing.T) {
	dir, global := t.TempDir(), filepath.Join(t.TempDir(), "global")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for _, p := range []string{"in/a.md", "out/b.md"} {
		p = filepath.Join(dir, filepath.FromSlash(p))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte("text\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	git("add", "-A")
	git("commit", "-qm", "both")
	r, err := Open(t.Context(), dir)
	if err != nil || !r.Steady() {
		t.Fatalf("%v, steady %t", err, err == nil)
	}
	lock := filepath.Join(dir, ".git", "info", "sparse-checkout.lock")
	if err := errors.Join(os.MkdirAll(filepath.Dir(lock), 0o755), os.WriteFile(lock, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if r.Steady() {
		t.Error("it is steady while git takes files away")
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	git("sparse-checkout", "set", "in")
	if r.Steady() || !r.Exists("in/a.md") || r.Exists("out/b.md") {
		t.Errorf("steady %t after git took a folder away", r.Steady())
	}
	if _, err := Reopen(t.Context(), dir, r); !errors.Is(err, ErrUnsupported) {
		t.Errorf("%v, want ErrUnsupported", err)
	}
	git("sparse-checkout", "disable")
	if r, err := Reopen(t.Context(), dir, r); err != nil || !r.Steady() {
		t.Errorf("%v after all is there again", err)
	}
}
