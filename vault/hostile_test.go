//go:build unix

package vault_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

// hostileFiles are texts that harm parsers, by file name.
func hostileFiles() map[string]string {
	files := map[string]string{}
	add := func(name, text string) { files[fmt.Sprintf("%03d %s.md", len(files), name)] = text }
	front := func(name, yaml string) { add(name, "---\n"+yaml+"\n---\nbody\n") }
	for _, n := range []int{1, 10, 100, 1000, 4000, 20000} {
		r := func(s string) string { return strings.Repeat(s, n) }
		front("keys", numbered("k%d: v\n", n))
		front("same keys", r("k: v\n"))
		front("merge keys", "a: &a {x: 1}\n"+r("<<: *a\n"))
		front("aliases", "a: &a [x]\n"+numbered("b%d: *a\n", n))
		front("nested lists", "a: "+r("[")+r("]"))
		front("nested maps", "a: "+r("{a: ")+r("}"))
		front("deep indent", indented(min(n, 1000)))
		front("long value", "a: "+r("x"))
		front("long quoted", `a: "`+r(`\"`)+`"`)
		front("comments", r("# c\n")+"a: b")
		front("block scalar", "a: |\n"+r("  x\n"))
		front("anchors", numbered("a%d: &x%[1]d v\n", n))
		front("tags", "a: "+r("!x ")+"v")
		front("open flow", "a: "+r("["))
		add("open front matter", "---\n"+r("a: b\n"))
		add("emphasis", r("*a_ "))
		add("links", r("[a]("))
		add("wiki links", r("[["))
		add("definitions", numbered("[d%d]: /x\n", n))
		add("quotes", r("> ")+"x")
		add("lists", r("- ")+"x")
		add("headings", r("# h\n"))
		add("setext", r("a\n=\n"))
		add("fences", r("```\n"))
		add("comments open", r("<!--"))
		add("checkboxes", r("- [ ] x\n"))
		add("tables", r("|a")+"|\n"+r("|-")+"|\n")
		add("one line", r("word "))
		add("carriage returns", r("a\r"))
		add("zero bytes", r("\x00"))
		add("no UTF-8", r("\xff\xfe"))
		add("turned around", r("\u202e\u2066"))
		add("no width", r("\u200b\ufeff"))
	}
	billion := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 10; i++ {
		billion += fmt.Sprintf("a%d: &a%d [*a%d,*a%[3]d,*a%[3]d,*a%[3]d,*a%[3]d,*a%[3]d,*a%[3]d,*a%[3]d,*a%[3]d]\n", i, i, i-1)
	}
	front("alias bomb", billion)
	add("markers", "---\n<<<<<<< ours\na: b\n=======\na: c\n>>>>>>> theirs\n---\n")
	return files
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func indented(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	return b.String()
}

// A vault may come from anybody. Each file is read, or refused, in bounded time, an
// edit of it changes nothing else or is refused, and other files go on working.
func TestHostileVault(t *testing.T) {
	v := vaulttest.New(t, "-- good.md --\n---\na: b\n---\ngood\n")
	files := hostileFiles()
	if len(files) < 150 {
		t.Fatalf("only %d files", len(files))
	}
	for name, text := range files {
		save(t, v, name, text)
	}
	hostileEntries(t, v.Dir())
	began := time.Now()
	found := 0
	if err := v.Walk(ctx, func(vault.Info) error { found++; return nil }, nil); err != nil {
		t.Fatal(err)
	}
	if found < len(files)+1 {
		t.Errorf("%d of %d files found", found, len(files)+1)
	}
	slowest, slowestName := time.Duration(0), ""
	for name, text := range files {
		start := processorTime()
		hostileEdit(t, v, name, text)
		if took := processorTime() - start; took > slowest {
			slowest, slowestName = took, name
		}
	}
	t.Logf("%d files in %v; most processor time: %v for %s", len(files), time.Since(began), slowest, slowestName)
	if slowest > 2*time.Second {
		t.Errorf("%s took %v", slowestName, slowest)
	}
	if _, err := entity.PlanSetProperty(v, "good.md", "a", "c"); err != nil {
		t.Error(err)
	}
}

// hostileEdit reads and edits one file without changing it.
func hostileEdit(t *testing.T, v *vault.Vault, name, text string) {
	t.Helper()
	doc, err := v.Document(name)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	_, _ = doc.FrontMatter() // what can't be read is an error, and no more
	doc.Sections()
	doc.Items()
	doc.Links()
	doc.Tags()
	step, err := entity.PlanSetProperty(v, name, "kist", "1")
	if err != nil {
		return
	}
	after := string(step.Changes[0].After)
	line := "kist: 1\n"
	if !strings.Contains(after, line) || len(after)-len(text) > len("\ufeff---\r\nkist: 1\r\n---\r\n\r\n") || len(after) <= len(text) {
		t.Errorf("%s: an edit of one key changed %d bytes to %d", name, len(text), len(after))
	}
}

// hostileEntries puts into a folder what is no plain file.
func hostileEntries(t *testing.T, dir string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		syscall.Mkfifo(at("pipe.md"), 0o666),
		os.Symlink("loop.md", at("loop.md")),
		os.Symlink("/etc/passwd", at("out.md")),
		os.Symlink(".", at("self")),
		os.Mkdir(at("folder.md"), 0o777),
		os.WriteFile(at("CON.md"), []byte("x\n"), 0o666),
		os.WriteFile(at("new\nline\x1b[31m.md"), []byte("x\n"), 0o666),
		os.WriteFile(at(strings.Repeat("n", 252)+".md"), []byte("x\n"), 0o666),
		os.WriteFile(at("\xff\xfe.md"), []byte("x\n"), 0o666),
		os.MkdirAll(at(strings.Repeat("d/", 400)), 0o777),
		os.WriteFile(at("sparse.md"), nil, 0o666),
		os.Truncate(at("sparse.md"), 2<<30),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A document that is too large to be edited isn't parsed.
func TestTooLargeIsNotParsed(t *testing.T) {
	v := vaulttest.New(t, "-- a.md --\na\n")
	if err := os.Truncate(filepath.Join(v.Dir(), "a.md"), 16<<20+1); err != nil { // sparse
		t.Fatal(err)
	}
	if _, err := v.Document("a.md"); !errors.Is(err, vault.ErrTooLarge) {
		t.Errorf("parsed: %v", err)
	}
}
