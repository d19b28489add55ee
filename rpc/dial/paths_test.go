package dial

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gofrs/flock"
)

// isolate leads every variable that counts into temporary folders.
func isolate(t *testing.T) {
	t.Helper()
	run := t.TempDir()
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("KIST_VAULT", "")
}

// real is a new folder without links in its name.
func real(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFind(t *testing.T) {
	isolate(t)
	base := real(t)
	vault, deep := filepath.Join(base, "vault"), filepath.Join(base, "vault", "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(vault, ConfigFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(vault, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	// A folder of that name makes no vault.
	if err := os.Mkdir(filepath.Join(deep, ConfigFile), 0o777); err != nil {
		t.Fatal(err)
	}
	data, err := filepath.EvalSymlinks(os.Getenv("XDG_DATA_HOME"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, flag, env, cwd, want string }{
		{"flag", vault, filepath.Join(base, "other"), base, vault},
		{"relative flag", "vault", "", base, vault},
		{"flag through a link", filepath.Join(base, "link"), "", base, vault},
		{"flag through a link to what doesn't exist", filepath.Join(base, "link", "new", "one"), "", base, filepath.Join(vault, "new", "one")},
		{"flag that doesn't exist", filepath.Join(base, "new"), "", base, filepath.Join(base, "new")},
		{"environment", "", vault, base, vault},
		{"parent", "", "", deep, vault},
		{"here", "", "", vault, vault},
		{"default", "", "", base, filepath.Join(data, "kist", "vault")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Chdir(tc.cwd)
			t.Setenv("KIST_VAULT", tc.env)
			if got, err := Find(tc.flag); err != nil || got != tc.want {
				t.Errorf("got %q, %v; want %q", got, err, tc.want)
			}
		})
	}
}

func TestPaths(t *testing.T) {
	isolate(t)
	base := real(t)
	one, err := PathsFor(filepath.Join(base, "one"))
	if err != nil {
		t.Fatal(err)
	}
	if one.Lock != filepath.Join(base, "one", ".kist", "lock") || filepath.Dir(filepath.Dir(one.Socket)) != os.Getenv("XDG_RUNTIME_DIR") {
		t.Errorf("paths: %+v", one)
	}
	two, err := PathsFor(filepath.Join(base, "two"))
	if err != nil || one.Socket == two.Socket || one.Log == two.Log {
		t.Errorf("two vaults share %q, %v", two.Socket, err)
	}
	if again, err := PathsFor(filepath.Join(base, "two", "..", "one")); err != nil || again != one {
		t.Errorf("one vault has two places: %+v, %v", again, err)
	}
}

// TestSocketPathIsShort: whatever the environment says, the socket's name fits
// into a socket address.
func TestSocketPathIsShort(t *testing.T) {
	isolate(t)
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, env := range []map[string]string{
		{"XDG_RUNTIME_DIR": long},
		{"XDG_RUNTIME_DIR": long, "TMPDIR": long},
		{"XDG_RUNTIME_DIR": filepath.Join(t.TempDir(), "missing")},
		{"XDG_RUNTIME_DIR": "relative"},
		{"XDG_RUNTIME_DIR": ""},
	} {
		for key, value := range env {
			t.Setenv(key, value)
		}
		p, err := PathsFor(long)
		if err != nil || len(p.Socket) > maxSocketPath || filepath.Dir(filepath.Dir(p.Socket)) == env["XDG_RUNTIME_DIR"] {
			t.Errorf("%v: socket %q, %v", env, p.Socket, err)
		}
	}
}

func TestCheckSocketDir(t *testing.T) {
	base := t.TempDir()
	check := func(name string) error { return Paths{Socket: filepath.Join(base, name, "s")}.CheckSocketDir() }
	for name, mode := range map[string]os.FileMode{"own": 0o700, "group": 0o750, "all": 0o777} {
		if err := os.Mkdir(filepath.Join(base, name), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(base, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(base, "own"), filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	if err := check("own"); err != nil {
		t.Error(err)
	}
	bad := []string{"link", "missing"}
	if runtime.GOOS != "windows" {
		bad = append(bad, "group", "all")
	}
	for _, name := range bad {
		if check(name) == nil {
			t.Errorf("%s is trusted", name)
		}
	}
}

func TestHolder(t *testing.T) {
	paths := Paths{Lock: filepath.Join(t.TempDir(), "lock")}
	if pid, text := Holder(paths); pid != 0 || text != "" {
		t.Errorf("without a file: %d %q", pid, text)
	}
	for content, want := range map[string]int{
		"pid 42 since 2026-11-20T10:00:00Z\n": 42,
		"":                                    0,
		"pid x since y":                       0,
		"pid 42":                              0,
		"pid 42 since " + strings.Repeat("x", 200): 0,
	} {
		if err := os.WriteFile(paths.Lock, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		pid, text := Holder(paths)
		if pid != want || (text != "") != (want != 0) {
			t.Errorf("%q: %d %q", content, pid, text)
		}
	}
}

func TestGone(t *testing.T) {
	dir := t.TempDir()
	paths := Paths{Lock: filepath.Join(dir, "lock"), Info: filepath.Join(dir, "daemon.json")}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !gone(paths) {
		t.Error("nothing there, and not gone")
	}
	write(paths.Info, "{}")
	write(paths.Lock, fmt.Sprintf("pid %d since now", os.Getpid()))
	l := flock.New(paths.Lock)
	if ok, err := l.TryLock(); !ok {
		t.Fatal(err)
	}
	if gone(paths) {
		t.Error("gone while a living process holds the lock")
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	// Nobody has this number: it is over the limit of every system.
	write(paths.Lock, "pid 2147483646 since now")
	if !gone(paths) {
		t.Error("not gone after a kill")
	}
	write(paths.Lock, "")
	if gone(paths) {
		t.Error("gone while daemon.json is there")
	}
}

func TestUnreachable(t *testing.T) {
	isolate(t)
	dir := real(t)
	var e *Error
	_, err := Connect(t.Context(), dir, Options{Start: true})
	if !errors.Is(err, ErrNoVault) || !errors.As(err, &e) || !strings.Contains(e.Hint, "kist init") {
		t.Errorf("no vault: %v", err)
	}
	_, err = Connect(t.Context(), filepath.Join(dir, "mis typed"), Options{Start: true})
	if !errors.Is(err, ErrNoVault) || !errors.As(err, &e) || !strings.Contains(e.Hint, "'") {
		t.Errorf("no folder: %v, %+v", err, e)
	}
	if err := os.WriteFile(filepath.Join(dir, ConfigFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Connect(t.Context(), dir, Options{})
	if !errors.Is(err, ErrUnreachable) || !errors.As(err, &e) || !strings.Contains(e.Hint, "kist up") {
		t.Errorf("no daemon: %v", err)
	}
}

func TestLogIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "a.log")
	for i, size := range []int{0, maxLog, 1} {
		f, err := openLog(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(make([]byte, size+1)); err != nil {
			t.Fatal(err)
		}
		f.Close()
		_, err = os.Stat(path + ".1")
		if aside := err == nil; aside != (i == 2) {
			t.Errorf("round %d: set aside: %v", i, aside)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	before := "of an earlier daemon\n"
	if err := os.WriteFile(path, []byte(before+"1\n2\n3\n4\n5\n6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &child{log: path, offset: int64(len(before))}
	if got := c.tail(); got != "2\n3\n4\n5\n6" {
		t.Errorf("got %q", got)
	}
	c = &child{log: path, offset: int64(len(before)) + 10}
	if got := c.tail(); got != "6" {
		t.Errorf("got %q", got)
	}
	if err := os.WriteFile(c.log, []byte("time=now msg=stopped\nkist: no good\nhint: mend it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.offset = 0
	if got := c.tail(); got != "kist: no good\nhint: mend it" {
		t.Errorf("of an error behind what another daemon wrote: %q", got)
	}
}
