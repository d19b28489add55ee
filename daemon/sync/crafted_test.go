package sync

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// crafted makes objects in a remote that git itself would not make.
type crafted struct {
	t      *testing.T
	remote string
}

// makes runs plain git in the remote with an input, and returns its answer.
func (c crafted) makes(in io.Reader, args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = c.remote, in
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func (c crafted) blob(text io.Reader) string {
	c.t.Helper()
	return c.makes(text, "hash-object", "-w", "--stdin")
}

// tree writes entries such as {"100644", "a.md", ID}, in the order given. It is by hand, since a process for each of thousands takes seconds.
func (c crafted) tree(entries ...[3]string) string {
	c.t.Helper()
	var b bytes.Buffer
	for _, e := range entries {
		id, err := hex.DecodeString(e[2])
		if err != nil {
			c.t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\x00%s", e[0], e[1], id)
	}
	object := fmt.Appendf(nil, "tree %d\x00%s", b.Len(), b.Bytes())
	id := fmt.Sprintf("%x", sha1.Sum(object))
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(object)
	dir := filepath.Join(c.remote, "objects", id[:2])
	if err := errors.Join(err, z.Close(), os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, id[2:]), packed.Bytes(), 0o644)); err != nil {
		c.t.Fatal(err)
	}
	return id
}

// commit makes a tree what the remote's branch is at, as its next commit.
func (c crafted) commit(tree string) string {
	c.t.Helper()
	id := c.makes(nil, "-c", "user.name=Eve", "-c", "user.email=eve@example.org", "commit-tree", "-m", "crafted", "-p", "refs/heads/main", tree)
	c.makes(nil, "update-ref", "refs/heads/main", id)
	return id
}

// with is the branch's tree with some entries more, as git orders them.
func (c crafted) with(entries ...[3]string) string {
	c.t.Helper()
	list := c.makes(nil, "ls-tree", "-z", "refs/heads/main")
	for _, e := range entries {
		kind := "blob"
		if e[0] == "40000" {
			kind, e[0] = "tree", "040000"
		}
		list += fmt.Sprintf("%s %s %s\t%s\x00", e[0], kind, e[2], e[1])
	}
	return c.makes(strings.NewReader(list), "mktree", "-z")
}

// TestCraftedTreesAreRefused has a remote send trees that no git makes. Plain git takes them in; kist's fetch doesn't, and what is here stays as it was.
func TestCraftedTreesAreRefused(t *testing.T) {
	t.Parallel()
	const file, folder = "100644", "40000"
	for name, craft := range map[string]func(c crafted, evil string) string{
		"a folder named ..": func(c crafted, evil string) string {
			return c.tree([3]string{folder, "..", c.tree([3]string{file, "evil.md", evil})})
		},
		"a folder named .": func(c crafted, evil string) string {
			return c.tree([3]string{folder, ".", c.tree([3]string{file, "evil.md", evil})})
		},
		"a file named .git": func(c crafted, evil string) string { return c.tree([3]string{file, ".git", evil}) },
		"a folder named .git": func(c crafted, evil string) string {
			return c.tree([3]string{folder, ".git", c.tree([3]string{file, "config", evil})})
		},
		".git with other letters": func(c crafted, evil string) string {
			return c.tree([3]string{folder, ".GiT", c.tree([3]string{file, "config", evil})})
		},
		".git as Windows knows it": func(c crafted, evil string) string {
			return c.tree([3]string{folder, "git~1", c.tree([3]string{file, "config", evil})})
		},
		".git with a mark unseen": func(c crafted, evil string) string {
			return c.tree([3]string{folder, ".g\u200cit", c.tree([3]string{file, "config", evil})})
		},
		"a name with a slash":  func(c crafted, evil string) string { return c.tree([3]string{file, "../evil.md", evil}) },
		"a name from the root": func(c crafted, evil string) string { return c.tree([3]string{file, "/tmp/evil.md", evil}) },
		"one name twice": func(c crafted, evil string) string {
			return c.tree([3]string{file, "a.md", evil}, [3]string{file, "a.md", evil})
		},
		"a file and a folder of one name": func(c crafted, evil string) string {
			return c.tree([3]string{file, "a", evil}, [3]string{folder, "a", c.tree([3]string{file, "evil.md", evil})})
		},
		"names out of order": func(c crafted, evil string) string {
			return c.tree([3]string{file, "b.md", evil}, [3]string{file, "a.md", evil})
		},
		"a link as .gitmodules": func(c crafted, evil string) string {
			return c.tree([3]string{"120000", ".gitmodules", c.blob(strings.NewReader(".git/config"))})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, b, remote := pair(t)
			plain := filepath.Join(t.TempDir(), "plain")
			run(t, filepath.Dir(plain), "clone", "-q", remote, plain)
			c := crafted{t, remote}
			id := c.commit(craft(c, c.blob(strings.NewReader("evil\n"))))
			run(t, plain, "fetch", "-q")
			run(t, plain, "cat-file", "-e", id) // which plain git took
			before := b.files()
			if o, err := b.engine.Now(t.Context(), Request{}, nil); err == nil {
				t.Errorf("it was taken: %+v", o)
			}
			for p, text := range b.files() {
				if before[p] != text && !strings.HasPrefix(p, "operations/") {
					t.Errorf("%s was %q and is %q", p, before[p], text)
				}
			}
			b.sound()
		})
	}
}

// TestObjectsThatAreNotWhatTheyClaim has a remote whose objects lie under the names of others, say another size or kind than they have, or are cut: none gets here.
func TestObjectsThatAreNotWhatTheyClaim(t *testing.T) {
	t.Parallel()
	packed := func(text string) []byte {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, _ = io.WriteString(w, text)
		_ = w.Close()
		return b.Bytes()
	}
	for name, object := range map[string][]byte{
		"another text":   packed("blob 5\x00evil\n"),
		"a larger size":  packed("blob 5000000000\x00good\n"),
		"a smaller size": packed("blob 2\x00good\n"),
		"another kind":   packed("tree 5\x00good\n"),
		"cut":            packed("blob 5\x00good\n")[:8],
		"nothing":        {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, b, remote := pair(t)
			c := crafted{t, remote}
			id := c.blob(strings.NewReader("good\n"))
			c.commit(c.with([3]string{"100644", "good.md", id}))
			at := filepath.Join(remote, "objects", id[:2], id[2:])
			if err := os.Chmod(at, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, object, 0o600); err != nil {
				t.Fatal(err)
			}
			if o, err := b.engine.Now(t.Context(), Request{}, nil); err == nil {
				t.Errorf("it was taken: %+v", o)
			}
			b.wants("good.md", "-")
			b.sound()
		})
	}
}

// endless are zeros, or what else one byte is.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// TestWhatUnfoldsIsBounded has a remote send some kilobytes that are very large, deep or many once they are unfolded. kist itself holds none of it whole,
// ends soon, and goes on syncing, or says why not. KIST_SYNC_CRAFTED=all takes larger ones.
func TestWhatUnfoldsIsBounded(t *testing.T) {
	size, deep, wide := int64(4<<20), 100, 100
	if os.Getenv("KIST_SYNC_CRAFTED") == "all" {
		size, deep, wide = 256<<20, 1_000, 50_000
	}
	const file, folder = "100644", "40000"
	for name, craft := range map[string]func(c crafted) string{
		"a file of zeros": func(c crafted) string {
			return c.with([3]string{file, "zeros.bin", c.blob(io.LimitReader(endless(0), size))})
		},
		"a document of one letter": func(c crafted) string {
			return c.with([3]string{file, "letters.md", c.blob(io.LimitReader(endless('x'), size))})
		},
		"folders in folders": func(c crafted) string {
			tree := c.tree([3]string{file, "end.md", c.blob(strings.NewReader("end\n"))})
			for range deep {
				tree = c.tree([3]string{folder, "d", tree})
			}
			return c.with([3]string{folder, "deep", tree})
		},
		"a folder of very many": func(c crafted) string {
			id := c.blob(strings.NewReader("one of many\n"))
			all := make([][3]string, wide)
			for i := range all {
				all[i] = [3]string{file, fmt.Sprintf("%07d.txt", i), id}
			}
			return c.with([3]string{folder, "wide", c.tree(all...)})
		},
		"one folder ten times in each of ten": func(c crafted) string {
			tree := c.tree([3]string{file, "end.txt", c.blob(strings.NewReader("end\n"))})
			for range len(fmt.Sprint(wide)) - 1 {
				var all [][3]string
				for i := range 10 {
					all = append(all, [3]string{folder, fmt.Sprint(i), tree})
				}
				tree = c.tree(all...)
			}
			return c.with([3]string{folder, "bomb", tree})
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b, remote := pair(t)
			b.large = 1 << 20 // so that a small bomb is one
			b.reopen()
			c := crafted{t, remote}
			c.commit(craft(c))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begun := time.Now()
			_, err := b.engine.Now(t.Context(), Request{}, nil)
			runtime.ReadMemStats(&after)
			grew := int64(after.HeapSys) - int64(before.HeapSys)
			t.Logf("%v, %v, the heap grew by %d MB", time.Since(begun).Round(time.Millisecond), err, grew>>20)
			if grew > 512<<20 {
				t.Errorf("the heap grew by %d MB", grew>>20)
			}
			if err != nil && strings.Contains(err.Error(), "panic") {
				t.Error(err)
			}
			if err == nil {
				b.sound()
				b.write("note.md", "goes on\n")
				b.sync()
				if os.Getenv("KIST_SYNC_CRAFTED") == "" {
					a.sync()
					a.wants("note.md", "goes on\n")
				}
			}
		})
	}
}

// counted counts what a server sends.
type counted struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	c.sent.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// TestARemoteOfVeryManyReferences has a remote with references without end beside the branch that is synced: a fetch asks for that branch alone.
// Plain git, by the protocol that knows nothing else, is told all, and so is each push, for which git has no other protocol. KIST_SYNC_CRAFTED=all takes 1,000,000.
func TestARemoteOfVeryManyReferences(t *testing.T) {
	t.Parallel()
	many := 20_000
	if os.Getenv("KIST_SYNC_CRAFTED") == "all" {
		many = 1_000_000
	}
	a, b, remote := pair(t)
	id := run(t, remote, "rev-parse", "refs/heads/main")
	var refs strings.Builder
	refs.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for i := range many {
		fmt.Fprintf(&refs, "%s refs/heads/a/%07d\n", id, i)
	}
	fmt.Fprintf(&refs, "%s refs/heads/main\n", id)
	if err := os.WriteFile(filepath.Join(remote, "packed-refs"), []byte(refs.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var sent, pushed atomic.Int64
	backend := &cgi.Handler{Path: filepath.Join(run(t, remote, "--exec-path"), "git-http-backend"), Dir: remote,
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(remote), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=ann"}, InheritEnv: []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "HOME"}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := &sent
		if strings.Contains(r.URL.String(), "receive-pack") {
			to = &pushed
		}
		backend.ServeHTTP(counted{w, to}, r)
	}))
	t.Cleanup(server.Close)
	url := server.URL + "/" + filepath.Base(remote)
	took := func(what string, do func()) int64 {
		was, begun := sent.Load(), time.Now()
		do()
		t.Logf("%s: %d bytes, %v", what, sent.Load()-was, time.Since(begun).Round(time.Millisecond))
		return sent.Load() - was
	}
	all := took("plain git", func() { run(t, a.dir, "-c", "protocol.version=0", "ls-remote", url, "refs/heads/main") })
	if all < int64(many*40) {
		t.Fatalf("plain git was told %d bytes of %d references", all, many)
	}
	if _, err := b.engine.Setup(t.Context(), Wanted{URL: url, Replace: true}, nil); err != nil {
		t.Fatal(err)
	}
	pushed.Store(0)
	a.write("note.md", "by a\n")
	a.sync()
	b.write("b.md", "by b\n")
	if one := took("a round", func() { b.sync() }); one > 64<<10 {
		t.Errorf("a round was told %d bytes", one)
	}
	if two := pushed.Load(); two > 5*all/2 {
		t.Errorf("its two pushes were told %d bytes", two)
	}
	b.wants("note.md", "by a\n")
	a.sync()
	a.wants("b.md", "by b\n")
}

// TestWhatBreaksGitIsNotTaken has a remote send folders in each other of which git's own commands die: the branch here doesn't move, and git goes on.
func TestWhatBreaksGitIsNotTaken(t *testing.T) {
	t.Parallel()
	_, b, remote := pair(t)
	c := crafted{t, remote}
	tree := c.tree([3]string{"100644", "end.md", c.blob(strings.NewReader("end\n"))})
	for range maxFolders + 1 {
		tree = c.tree([3]string{"40000", "d", tree})
	}
	c.commit(c.with([3]string{"40000", "deep", tree}))
	head := b.git("rev-parse", "HEAD")
	for range 2 {
		if _, err := b.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "breaks git") {
			t.Errorf("%v, want it to be held", err)
		}
	}
	if is := b.git("rev-parse", "HEAD"); is != head {
		t.Errorf("the branch went to %s", is)
	}
	b.clean()
}
