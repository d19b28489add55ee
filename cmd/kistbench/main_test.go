package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kist/bench"
)

// kist is the program that is measured.
var kist string

// TestMain makes this test binary kistbench where a measurement starts it as a child, and
// builds kist else.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args[1:], "--child") {
		main()
	}
	os.Exit(tests(m))
}

func tests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "kistbench-test-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	kist = filepath.Join(dir, "kist.exe")
	build := exec.Command("go", "build", "-o", kist, "./cmd/kist")
	build.Dir, build.Stderr = filepath.Join("..", ".."), os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build kist:", err)
		return 1
	}
	return m.Run()
}

// away gives a test a home and a folder for temporary files of its own; the latter has to be
// empty again at its end.
func away(t *testing.T) (tmp string) {
	t.Helper()
	tmp = t.TempDir()
	for _, name := range []string{"HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	t.Setenv("TMPDIR", tmp)
	t.Setenv("KIST_OLLAMA_URL", "http://127.0.0.1:1") // not one that happens to run here
	t.Cleanup(func() {
		if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
			t.Errorf("%v is left behind (%v)", left, err)
		}
	})
	return tmp
}

func call(ctx context.Context, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(ctx, append([]string{"--kist", kist}, args...), strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree is all that a folder holds.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			fmt.Fprintln(&b, name)
			return err
		}
		text, err := os.ReadFile(name)
		fmt.Fprintf(&b, "%s %q\n", name, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMadeUpVault(t *testing.T) {
	away(t)
	code, out, errs := call(t.Context(), strings.Fields("--files 30 --tries 3 --runs 1 --idle 50ms --only cold,memory,idle,rpc,operation")...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	for _, want := range []string{
		`(?m)^30 files, [0-9]+ sections, 0\.[0-9] MB \(seed 1\)$`,
		`(?m)^what +measured \(p50 / p95 / p99\) +floor +ratio +target`,
		`(?m)^cold index, all text searchable +[0-9.]+ m?s +[0-9.]+ m?s +[0-9.]+ +<= 1\.2x +(ok|missed)$`,
		`(?m)^cold start: kist up to the first complete answer +[0-9.]+ m?s `,
		`(?m)^one unary call over the socket +[0-9.]+ / [0-9.]+ / [0-9.]+ ms +[0-9.]+ / [0-9.]+ / [0-9.]+ ms +[0-9.]+ +<= 1\.5x`,
		`(?m)^  one durable operation on 10 KB, log included: temporary file, fsync, rename, fsync of the folder$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if strings.Contains(out, "search: one rare word") {
		t.Error("what wasn't asked for was measured")
	}
}

func TestFolderIsOnlyRead(t *testing.T) {
	away(t)
	notes := write(t, map[string]string{"one.md": "# One\n\nA first note.\n", "folder/two.md": "A second one.\n", "picture.png": "no text"})
	before := tree(t, notes)
	code, out, errs := call(t.Context(), "--dir", notes, "--json", "--tries", "2", "--only", "warm")
	var r bench.Report
	if err := json.Unmarshal([]byte(out), &r); code != 0 || err != nil {
		t.Fatalf("exit code %d, %v: %s", code, err, errs)
	}
	row := r.Row("warm")
	if r.Corpus.Files != 2 || r.Corpus.Source != notes || row.Unit != bench.Milliseconds || row.Value <= 0 || row.Ratio <= 0 || row.Target != "<= 2x" || row.Met == nil {
		t.Errorf("%+v %+v", r.Corpus, row)
	}
	if tree(t, notes) != before {
		t.Error("the folder has changed")
	}
}

func TestRefusals(t *testing.T) {
	tmp := away(t)
	empty, notes := t.TempDir(), write(t, map[string]string{"a.md": "text"})
	for _, tt := range []struct {
		args string
		code int
		says string
	}{
		{"--dir " + filepath.Dir(tmp), 1, "must not be written to"},
		{"--dir nowhere", 1, "nowhere"},
		{"--dir " + empty, 1, "holds no Markdown"},
		{"--dir " + notes + " --files 20", 2, "--files is of a made-up vault"},
		{"--growth --only cold", 2, "measures its own parts"},
		{"--corpus " + empty, 1, "holds no Markdown"},
		{"--corpus " + notes + " --only cold", 2, "--only says nothing about --corpus"},
		{"--corpus " + notes + " --files 3", 2, "too few"},
		{"--only x", 2, "no part"},
		{"--files 1", 2, "too few"},
		{"--nothing", 2, "unknown flag"},
		{"x", 2, "unknown"},
		{"quality", 2, "accepts 1 arg"},
		{"quality " + notes, 1, "queries.tsv"},
	} {
		code, out, errs := call(t.Context(), strings.Fields(tt.args)...)
		if code != tt.code || out != "" || !strings.Contains(errs, tt.says) {
			t.Errorf("%s: exit code %d, %q, %q", tt.args, code, out, errs)
		}
	}
}

func TestInterruptedCleansUp(t *testing.T) {
	tmp := away(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for left, _ := os.ReadDir(tmp); len(left) == 0 && ctx.Err() == nil; left, _ = os.ReadDir(tmp) {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if code, _, errs := call(ctx, "--files", "500", "--only", "rpc"); code != exitFailed || !strings.Contains(errs, "interrupted") {
		t.Errorf("exit code %d, %q", code, errs)
	}
}

func TestQuality(t *testing.T) {
	away(t)
	dir := write(t, map[string]string{
		"a.md": "Of the anchors of the harbour.\n", "b.md": "Painting the hulls.\n",
		"queries.tsv": "q1\tthe painted hull of\n", "qrels.tsv": "q1\tb\t1\n",
	})
	code, out, errs := call(t.Context(), "quality", dir)
	if code != 0 {
		t.Fatal(errs)
	}
	for _, want := range []string{`^2 documents, 1 queries\n`, `\nranked by +nDCG@10 +MAP +recall@20\n`, `\ngrep-like +0\.631 +0\.500 +1\.000\n`, `\ntext only +1\.000 +1\.000 +1\.000\n`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// TestCompare: all figures are there, of the same files, and the corpus is only read.
func TestCompare(t *testing.T) {
	away(t)
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("n%d.md", i)] = fmt.Sprintf("# Note %d\n\nlamp%c burns over the harbour while the lighthouse keeper sleeps below.\n\n## Asked\n\nWho saw the boat that came in last?\n", i, 'a'+i%10)
	}
	corpus := write(t, files)
	before := tree(t, corpus)
	code, out, errs := call(t.Context(), strings.Fields("--json --files 60 --tries 4 --runs 1 --corpus "+corpus)...)
	var c bench.Comparison
	if err := json.Unmarshal([]byte(out), &c); code != 0 || err != nil {
		t.Fatalf("exit code %d, %v: %s", code, err, errs)
	}
	if c.Files != 60 || c.Whole != 40 || c.Bytes < 40*80 || len(c.Systems) != 5 {
		t.Errorf("%+v", c)
	}
	all := []string{"kist", "bleve, files", "bleve, sections", "SQLite FTS5"}
	want := map[string][]string{
		"cold": all, "first": all[:1], "warm": all[:1], "rare": all, "sentence": all,
		"phrase": {all[0], all[1], all[3]}, "question": all, "hybrid": all[:1], "save": all,
	}
	for _, r := range c.Rows {
		for _, name := range want[r.Name] {
			cell := r.Cells[name]
			if cell == nil || cell.Value <= 0 {
				t.Errorf("%s: no figure of %s", r.Name, name)
			} else if cell.Measured != nil && (cell.Measured.N == 0 || cell.Measured.P95 < cell.Measured.P50 || cell.Empty > 0) {
				t.Errorf("%s of %s: %+v, nothing found for %d", r.Name, name, cell.Measured, cell.Empty)
			}
		}
		if _, known := r.Cells["ripgrep"]; known && r.Name != "rare" {
			t.Errorf("ripgrep has %s", r.Name)
		}
		delete(want, r.Name)
	}
	if len(want) > 0 {
		t.Errorf("no rows %v", want)
	}
	if tree(t, corpus) != before {
		t.Error("the corpus has changed")
	}
	var table bytes.Buffer
	if err := (&program{out: &table}).comparison(&c); err != nil || !regexp.MustCompile(`(?m)^a sentence +[0-9.]+ / [0-9.]+ ms +`).MatchString(table.String()) {
		t.Errorf("%v\n%s", err, table.String())
	}
}
