//go:build unix

package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kist/rpc/dial"
	"kist/vault/vaulttest"
)

// TestMain lets the test binary stand in for kist: started as "up", it runs a
// daemon as kist up does.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "up" && os.Args[2] == "--log-file" {
		os.Exit(up(os.Args[4]))
	}
	os.Exit(vaulttest.InMemory(m).Run())
}

func up(vault string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := Run(ctx, Options{Vault: vault, Version: "child", Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "kist:", err)
	if errors.Is(err, ErrLocked) {
		return dial.ExitLocked
	}
	return 1
}

// down stops the daemon of a test that started one.
func down(t testing.TB, paths dial.Paths) {
	t.Helper()
	info, up := answering(paths.Vault)
	if !up {
		return
	}
	if err := syscall.Kill(info.PID, syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := dial.WaitGone(ctx, paths); err != nil {
		t.Errorf("wait for the daemon to stop: %v", err)
	}
}

func starting(t testing.TB, paths dial.Paths) *dial.Client {
	t.Helper()
	c, err := dial.Connect(t.Context(), paths.Vault, dial.Options{Start: true, Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestStartRace: many commands at once start one daemon and all talk to it.
func TestStartRace(t *testing.T) {
	paths := isolate(t)
	if _, err := Init(paths.Vault); err != nil {
		t.Fatal(err)
	}
	defer down(t, paths)
	const commands = 20
	pids := make(chan int, commands)
	var wg sync.WaitGroup
	for range commands {
		wg.Go(func() {
			c, err := dial.Connect(t.Context(), paths.Vault, dial.Options{Start: true, Timeout: 30 * time.Second})
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			pids <- c.Info.PID
		})
	}
	wg.Wait()
	close(pids)
	owner := 0
	for pid := range pids {
		if owner == 0 {
			owner = pid
		}
		if pid != owner || pid == os.Getpid() {
			t.Errorf("process %d answered beside %d", pid, owner)
		}
	}
}

// TestSlowChild: a process that was started for a vault which another daemon then
// served first is ended, lest it find the vault free later on.
func TestSlowChild(t *testing.T) {
	paths := isolate(t)
	if _, err := Init(paths.Vault); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho $$ > %s/tmp && mv %s/tmp %s/pid\nexec sleep 60\n", dir, dir, dir)
	if err := os.WriteFile(dir+"/slow", []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	connected := make(chan error, 1)
	go func() {
		c, err := dial.Connect(t.Context(), paths.Vault, dial.Options{Start: true, Executable: dir + "/slow", Timeout: 30 * time.Second})
		if err == nil {
			c.Close()
		}
		connected <- err
	}()
	pid := 0
	for pid == 0 {
		if text, err := os.ReadFile(dir + "/pid"); err == nil {
			if _, err := fmt.Sscan(string(text), &pid); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Millisecond)
	}
	r := begin(t, paths, usualPatience())
	if err := <-connected; err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the slow process is still there (%v)", err)
	}
	r.stop()
	r.end(t)
}

// TestSlowChildIsAwaited: a daemon that takes its time is waited for while it runs.
func TestSlowChildIsAwaited(t *testing.T) {
	paths := isolate(t)
	if _, err := Init(paths.Vault); err != nil {
		t.Fatal(err)
	}
	defer down(t, paths)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	slow := t.TempDir() + "/slow"
	if err := os.WriteFile(slow, fmt.Appendf(nil, "#!/bin/sh\nsleep 0.5\nexec '%s' \"$@\"\n", exe), 0o700); err != nil {
		t.Fatal(err)
	}
	c, err := dial.Connect(t.Context(), paths.Vault, dial.Options{Start: true, Executable: slow, Timeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// TestKilled: after kill -9 the next start just works, time and again.
func TestKilled(t *testing.T) {
	paths := isolate(t)
	if _, err := Init(paths.Vault); err != nil {
		t.Fatal(err)
	}
	defer down(t, paths)
	last := 0
	for range 3 {
		c := starting(t, paths)
		if c.Info.PID == last || c.Version != "child" {
			t.Fatalf("info after a kill: %+v", c.Info)
		}
		last = c.Info.PID
		c.Close()
		if err := syscall.Kill(last, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if err := dial.WaitGone(t.Context(), paths); err != nil {
			t.Fatal(err)
		}
	}
	starting(t, paths)
}

// TestStartWhileStopping: a command that comes while the daemon stops gets a new
// one.
func TestStartWhileStopping(t *testing.T) {
	paths := isolate(t)
	if _, err := Init(paths.Vault); err != nil {
		t.Fatal(err)
	}
	defer down(t, paths)
	first := starting(t, paths).Info.PID
	if err := syscall.Kill(first, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for {
		c := starting(t, paths)
		c.Close()
		if c.Info.PID != first {
			return
		}
	}
}

// TestStartFails: a daemon that can't start is not waited for, and its log says why.
func TestStartFails(t *testing.T) {
	paths := isolate(t)
	if err := os.WriteFile(paths.Vault+"/kist.yaml", []byte("version: 1\nfolder: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	_, err := dial.Connect(t.Context(), paths.Vault, dial.Options{Start: true, Timeout: 30 * time.Second})
	if !errors.Is(err, dial.ErrUnreachable) || !strings.Contains(err.Error(), `unknown key "folder"`) {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	_, err = dial.Connect(t.Context(), paths.Vault, dial.Options{Start: true, Executable: paths.Vault + "/no such program"})
	if !errors.Is(err, dial.ErrUnreachable) {
		t.Errorf("no program: %v", err)
	}
}

// TestStartInOtherEnvironment: a client whose environment leads to another socket
// finds the daemon by what it noted.
func TestStartInOtherEnvironment(t *testing.T) {
	paths := isolate(t)
	if _, err := Init(paths.Vault); err != nil {
		t.Fatal(err)
	}
	defer down(t, paths)
	first := starting(t, paths)
	other := t.TempDir()
	if err := os.Chmod(other, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", other)
	if c := starting(t, paths); c.Info.PID != first.Info.PID {
		t.Errorf("another daemon: %+v", c.Info)
	}
}

// TestDefaultVault: no vault comes into being because a command looks for it, and the
// folders above the default one alone are made.
func TestDefaultVault(t *testing.T) {
	isolate(t)
	t.Chdir(t.TempDir())
	_, err := dial.Connect(t.Context(), t.TempDir(), dial.Options{Start: true})
	if !errors.Is(err, dial.ErrNoVault) {
		t.Errorf("some folder: %v", err)
	}
	vault, err := dial.Find("")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := dial.PathsFor(vault)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dial.Connect(t.Context(), vault, dial.Options{Start: true}); !errors.Is(err, dial.ErrNoVault) {
		t.Errorf("the default vault: %v", err)
	}
	if _, err := os.Lstat(filepath.Dir(paths.Vault)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its parent was made: %v", err)
	}
	if err := refused(t, Options{Vault: paths.Vault, Existing: true}); !errors.Is(err, ErrFolder) {
		t.Errorf("a daemon that a command starts: %v", err)
	}
	r := begin(t, paths, usualPatience())
	r.stop()
	r.end(t)
	if _, err := os.Stat(paths.Vault + "/kist.yaml"); err != nil {
		t.Error(err)
	}
	if err := refused(t, Options{Vault: filepath.Join(t.TempDir(), "no", "parent")}); !errors.Is(err, ErrFolder) {
		t.Errorf("a folder in none: %v", err)
	}
}

// TestSecondUp: a second daemon says who holds the vault.
func TestSecondUp(t *testing.T) {
	paths := isolate(t)
	if _, err := Init(paths.Vault); err != nil {
		t.Fatal(err)
	}
	defer down(t, paths)
	first := starting(t, paths)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(exe, "up", "--log-file", "-", paths.Vault).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != dial.ExitLocked {
		t.Errorf("got %v", err)
	}
	if want := fmt.Sprintf("pid %d since", first.Info.PID); !strings.Contains(string(out), want) {
		t.Errorf("%q is not in %q", want, out)
	}
}
