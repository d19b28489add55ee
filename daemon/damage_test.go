package daemon

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// damages is what may have become of a file while nobody looked.
func damages() map[string]func(path string) error {
	return map[string]func(path string) error{
		"deleted":   os.RemoveAll,
		"empty":     func(p string) error { return os.Truncate(p, 0) },
		"cut short": func(p string) error { return cut(p, 2) },
		"half":      func(p string) error { return halve(p) },
		"garbage":   func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte("no\x00\xff"), 20000), 0o600) },
		"a folder": func(p string) error {
			if err := os.Remove(p); err != nil {
				return err
			}
			return os.MkdirAll(filepath.Join(p, "inside"), 0o700)
		},
	}
}

// cut takes bytes off a file's end.
func cut(path string, n int64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, max(0, info.Size()-n))
}

func halve(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()/2)
}

// lines is a log that can be read while it is written.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// TestDamagedState: what is below .kist can be worked out again. With any of it gone,
// cut or overwritten the daemon starts, says so, finds and lists all as before, and
// changes no byte of the vault.
func TestDamagedState(t *testing.T) {
	paths := isolate(t)
	r := begin(t, paths, usualPatience())
	c := connect(t, paths)
	made, err := c.Vault.CreateNote(t.Context(), &kistv1.CreateNoteRequest{Title: "Mooring", Text: "a rare word: gunwale"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Vault.AppendNote(t.Context(), &kistv1.AppendNoteRequest{Path: made.Path, Text: "more"}); err != nil {
		t.Fatal(err)
	}
	want := look(t, c)
	c.Close()
	r.stop()
	r.end(t)
	before := sums(t, paths.Vault)
	tried := 0
	for _, file := range stateFiles(t, paths) {
		for what, damage := range damages() {
			// The index's files are made anew each time, under another name.
			at := file
			if found, _ := filepath.Glob(at); len(found) > 0 {
				at = found[0]
			} else {
				t.Fatalf("no file %s", file)
			}
			if err := damage(at); err != nil {
				t.Fatal(err)
			}
			tried++
			log := &lines{}
			r := beginLogged(t, paths, usualPatience(), slog.New(slog.NewTextHandler(log, nil)))
			c := connect(t, paths)
			if got := look(t, c); got != want {
				t.Errorf("%s %s: %s, want %s", filepath.Base(file), what, got, want)
			}
			said := strings.Contains(log.String(), "set aside") || strings.Contains(log.String(), "built anew")
			// What is cut off may have been unused; then nothing is wrong.
			if !said && (what == "garbage" || what == "a folder") {
				t.Errorf("%s %s: the log says nothing of it:\n%s", filepath.Base(file), what, log)
			}
			c.Close()
			r.stop()
			r.end(t)
			if after := sums(t, paths.Vault); !maps.Equal(before, after) {
				t.Fatalf("%s %s: the vault was %v and is %v", filepath.Base(file), what, before, after)
			}
		}
	}
	if tried < 24 {
		t.Errorf("only %d damages tried", tried)
	}
}

// stateFiles returns patterns of the files below .kist that the daemon reads again.
func stateFiles(t *testing.T, paths dial.Paths) []string {
	t.Helper()
	return []string{
		filepath.Join(paths.State, "state.db"),
		filepath.Join(paths.State, "index", "manifest"),
		filepath.Join(paths.State, "index", "store-*", "root.bolt"),
		filepath.Join(paths.State, "index", "store-*", "*.zap"),
	}
}

// look returns what a client sees: the operations, and a search that has waited.
func look(t *testing.T, c *dial.Client) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ops, err := c.Operation.ListOperations(ctx, &kistv1.ListOperationsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, op := range ops.Operations {
		fmt.Fprintf(&out, "%s %s %s; ", op.Id, op.Status, op.Changes[0].Path)
	}
	if _, err := c.Index.WaitIndex(ctx, &kistv1.WaitIndexRequest{}); err != nil {
		t.Error(err)
	}
	found, err := c.Search.Search(ctx, &kistv1.SearchRequest{Query: "gunwale"})
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range found.Results {
		fmt.Fprintf(&out, "found in %s", hit.Path)
	}
	return out.String()
}

// sums returns the hash of every file outside of .kist.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".kist":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		text, err := os.ReadFile(path)
		all[path] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
