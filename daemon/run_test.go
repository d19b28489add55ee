package daemon

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// running is a daemon in this process.
type running struct {
	paths dial.Paths
	info  Info
	stop  context.CancelFunc
	ended chan error
}

// begin starts a daemon and waits until it is ready.
func begin(t *testing.T, paths dial.Paths, p patience) *running {
	t.Helper()
	return beginLogged(t, paths, p, nil)
}

func beginLogged(t *testing.T, paths dial.Paths, p patience, log *slog.Logger) *running {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r := &running{paths: paths, stop: stop, ended: make(chan error, 1)}
	ready := make(chan Info, 1)
	go func() {
		r.ended <- run(ctx, Options{Vault: paths.Vault, Version: "v1", Log: log, Ready: func(i Info) { ready <- i }}, p)
	}()
	t.Cleanup(stop)
	select {
	case r.info = <-ready:
	case err := <-r.ended:
		stop()
		t.Fatalf("ended before it was ready: %v", err)
	case <-time.After(20 * time.Second):
		t.Fatal("not ready")
	}
	return r
}

// end waits for the daemon's end and returns how long that took.
func (r *running) end(t *testing.T) time.Duration {
	t.Helper()
	start := time.Now()
	select {
	case err := <-r.ended:
		if err != nil {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("did not end")
	}
	return time.Since(start)
}

// refused runs a daemon that should not start. One that does is stopped, and then
// there is no error.
func refused(t *testing.T, opts Options) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	opts.Ready = func(Info) { cancel() }
	return Run(ctx, opts)
}

func connect(t *testing.T, paths dial.Paths) *dial.Client {
	t.Helper()
	c, err := dial.Connect(t.Context(), paths.Vault, dial.Options{Client: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestLifecycle goes once through a daemon's life and looks at what it leaves.
func TestLifecycle(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	paths := isolate(t)
	r := begin(t, paths, usualPatience())
	for _, name := range []string{"kist.yaml", ".gitignore", "welcome.md"} {
		if _, err := os.Stat(filepath.Join(paths.Vault, name)); err != nil {
			t.Error(err)
		}
	}
	for path, mode := range map[string]os.FileMode{
		paths.State: 0o700, paths.Token: 0o600, paths.Info: 0o600, paths.Lock: 0o600,
		paths.Socket: 0o600, filepath.Dir(paths.Socket): 0o700,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: mode %v, want %v (%v)", path, info.Mode().Perm(), mode, err)
		}
	}
	c := connect(t, paths)
	if c.Version != "v1" || c.Info.PID != os.Getpid() || c.Info.URL != r.info.URL {
		t.Errorf("info: %+v", c.Info)
	}
	status, err := c.Daemon.GetStatus(t.Context(), &kistv1.GetStatusRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if status.Vault != paths.Vault || status.Version != "v1" || status.Socket != paths.Socket || status.Url != r.info.URL ||
		status.Model == "" || len(status.Memory.GetAnonymousBytes()) < 6 || status.ReadOnly != "" {
		t.Errorf("status: %v", status)
	}
	second := refused(t, Options{Vault: paths.Vault})
	if !errors.Is(second, ErrLocked) || !strings.Contains(second.Error(), "pid ") {
		t.Errorf("a second daemon: %v", second)
	}
	stream, err := c.Operation.WatchOperations(t.Context(), &kistv1.WatchOperationsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Daemon.Stop(t.Context(), &kistv1.StopRequest{}); err != nil {
		t.Error(err)
	}
	for stream.Receive() {
	}
	if err := stream.Err(); err == nil || !strings.Contains(err.Error(), "stopping") {
		t.Errorf("the stream ended with %v", err)
	}
	stream.Close()
	c.Close()
	if took := r.end(t); took > stopLimit {
		t.Errorf("stopping took %v", took)
	}
	for _, path := range []string{paths.Info, paths.Socket} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is left", path)
		}
	}
	if err := dial.WaitGone(t.Context(), paths); err != nil {
		t.Error(err)
	}
	if _, up := answering(paths.Vault); up {
		t.Error("still running")
	}
}

// TestTCP: the loopback listener wants the token and a Host of its own.
func TestTCP(t *testing.T) {
	paths := isolate(t)
	r := begin(t, paths, usualPatience())
	token, err := os.ReadFile(paths.Token)
	if err != nil {
		t.Fatal(err)
	}
	get := func(host, token string) int {
		req, err := http.NewRequestWithContext(t.Context(), "GET", r.info.URL+"/readyz", nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		return res.StatusCode
	}
	if got := get("", string(token)); got != 200 {
		t.Errorf("with the token: %d", got)
	}
	if got := get("", "x"); got != 401 {
		t.Errorf("with another token: %d", got)
	}
	if got := get("localhost", string(token)); got != 403 {
		t.Errorf("with the socket's host: %d", got)
	}
	http.DefaultClient.CloseIdleConnections()
	r.stop()
	r.end(t)
}

func TestListenRefused(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:80", "example.org:80", "127.0.0.1", "nonsense", taken.Addr().String()} {
		paths := isolate(t)
		err := refused(t, Options{Vault: paths.Vault, Listen: address})
		if !errors.Is(err, ErrListen) {
			t.Errorf("%s: %v", address, err)
		}
		// What failed to start holds nothing.
		l, err := acquire(paths)
		if err != nil {
			t.Errorf("%s: then %v", address, err)
			continue
		}
		if err := l.release(); err != nil {
			t.Error(err)
		}
	}
	t.Setenv("KIST_LISTEN", "0.0.0.0:0")
	if err := refused(t, Options{Vault: t.TempDir()}); !errors.Is(err, ErrListen) {
		t.Errorf("from the environment: %v", err)
	}
}

// TestExistingFolder: becoming a vault changes no byte of what is there.
func TestExistingFolder(t *testing.T) {
	paths := isolate(t)
	files := map[string]string{"a.md": "# A\r\nno end", ".gitignore": "*.log", "deep/b.md": "---\nname: [broken\n---\n", "c.bin": "\x00\xff"}
	for name, text := range files {
		path := filepath.Join(paths.Vault, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := begin(t, paths, usualPatience())
	c := connect(t, paths)
	if _, err := c.Index.WaitIndex(t.Context(), &kistv1.WaitIndexRequest{}); err != nil {
		t.Error(err)
	}
	c.Close()
	r.stop()
	r.end(t)
	for name, text := range files {
		got, err := os.ReadFile(filepath.Join(paths.Vault, name))
		if err != nil || string(got) != text {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(paths.Vault, "welcome.md")); err == nil {
		t.Error("a folder with notes was given a welcome.md")
	}
}

func TestUnusableFolders(t *testing.T) {
	paths := isolate(t)
	file := filepath.Join(paths.Vault, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	readOnly := filepath.Join(paths.Vault, "readonly")
	if err := os.Mkdir(readOnly, 0o500); err != nil {
		t.Fatal(err)
	}
	folders := []string{file, filepath.Join(file, "below")}
	if os.Getuid() != 0 { // root may write everywhere
		folders = append(folders, readOnly)
	}
	for _, dir := range folders {
		err := refused(t, Options{Vault: dir})
		if !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if err := makeState(dial.Paths{Vault: "/proc/kist", State: "/proc/kist/.kist"}); !errors.Is(err, ErrFolder) {
		t.Errorf("a folder that nobody can write: %v", err)
	}
}

// TestUnknownTool: a rule for a tool that doesn't exist is a fault in the settings.
func TestUnknownTool(t *testing.T) {
	paths := isolate(t)
	text := []byte("agent:\n  tools: {no_such_tool: never}\n")
	if err := os.WriteFile(filepath.Join(paths.Vault, "kist.yaml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := refused(t, Options{Vault: paths.Vault}); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "no_such_tool") {
		t.Errorf("got %v", err)
	}
}

// TestStaleSocket: what a killed daemon left is replaced, anything else is not.
func TestStaleSocket(t *testing.T) {
	paths := isolate(t)
	if err := os.Mkdir(filepath.Dir(paths.Socket), 0o700); err != nil {
		t.Fatal(err)
	}
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: paths.Socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	stale.Close()
	r := begin(t, paths, usualPatience())
	connect(t, paths)
	r.stop()
	r.end(t)
	if err := os.WriteFile(paths.Socket, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := refused(t, Options{Vault: paths.Vault}); !errors.Is(err, ErrListen) {
		t.Errorf("a file in the socket's place: %v", err)
	}
	if text, err := os.ReadFile(paths.Socket); err != nil || string(text) != "precious" {
		t.Errorf("the file in the socket's place: %q, %v", text, err)
	}
	if err := os.Chmod(filepath.Dir(paths.Socket), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := refused(t, Options{Vault: paths.Vault}); !errors.Is(err, ErrListen) {
		t.Errorf("a folder open to others: %v", err)
	}
}

// TestOrphan: a daemon that lost its lock file or its folder stops by itself, and
// one that lost only its socket or token makes them again.
func TestOrphan(t *testing.T) {
	quick := patience{every: 10 * time.Millisecond, gone: 50 * time.Millisecond}
	t.Run("state deleted", func(t *testing.T) {
		paths := isolate(t)
		r := begin(t, paths, quick)
		removeState(t, paths)
		r.end(t)
	})
	t.Run("lock replaced", func(t *testing.T) {
		paths := isolate(t)
		r := begin(t, paths, quick)
		if err := os.Rename(paths.Lock, paths.Lock+".old"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(paths.Lock, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r.end(t)
	})
	t.Run("folder moved", func(t *testing.T) {
		paths := isolate(t)
		r := begin(t, paths, quick)
		if err := os.Rename(paths.Vault, paths.Vault+".moved"); err != nil {
			t.Fatal(err)
		}
		r.end(t)
		if _, err := os.Lstat(paths.Socket); err == nil {
			t.Error("the socket is left")
		}
	})
	t.Run("socket and token deleted", func(t *testing.T) {
		paths := isolate(t)
		r := begin(t, paths, quick)
		old, err := os.ReadFile(paths.Token)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Remove(paths.Socket), os.Remove(paths.Token)); err != nil {
			t.Fatal(err)
		}
		for {
			if _, up := answering(paths.Vault); up {
				break
			}
			select {
			case err := <-r.ended:
				t.Fatalf("ended with %v", err)
			case <-time.After(5 * time.Millisecond):
			}
		}
		if now, err := os.ReadFile(paths.Token); err != nil || string(now) == string(old) {
			t.Errorf("the token is still the old one (%v)", err)
		}
		r.stop()
		r.end(t)
	})
}

// removeState deletes .kist while the index may be writing there.
func removeState(t *testing.T, paths dial.Paths) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		err := os.RemoveAll(paths.State)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// TestSuccession: after .kist was deleted under a running daemon, the next one
// waits for it to notice and stop.
func TestSuccession(t *testing.T) {
	paths := isolate(t)
	first := begin(t, paths, patience{every: 200 * time.Millisecond, gone: time.Second})
	removeState(t, paths)
	second := begin(t, paths, usualPatience())
	select {
	case err := <-first.ended:
		if err != nil {
			t.Error(err)
		}
	default:
		t.Error("two owners")
	}
	connect(t, paths)
	second.stop()
	second.end(t)
}

func TestProgress(t *testing.T) {
	paths := isolate(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	phases := make(chan string, 1000)
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{Vault: paths.Vault, Log: slog.New(slog.DiscardHandler),
			Progress: func(_, _ int, phase string) { phases <- phase }})
	}()
	for phase := range phases {
		if phase == "ready" {
			break
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// answering reports whether a daemon serves the vault, and which.
func answering(vault string) (dial.Info, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	client, err := dial.Connect(ctx, vault, dial.Options{})
	if err != nil {
		return dial.Info{}, false
	}
	client.Close()
	return client.Info, true
}
