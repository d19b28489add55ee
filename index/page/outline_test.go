package page

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kist/index/analyze"
	"kist/vault"
	"kist/vault/vaulttest"
)

// outlinesOf are those of all entries of a text.
func outlinesOf(t *testing.T, r Reader, path string, text []byte) (f *File, outlines [][]byte) {
	t.Helper()
	f = r.Of(path, text, vault.Info{Path: path, Size: int64(len(text))}, time.Time{})
	if f.Lang == "" {
		f.Lang = r.Langs.Detect(f.Text[f.Body:])
	}
	for _, e := range f.LayOut(r.Langs.Of(f.Lang)) {
		var stored []byte
		for _, field := range e.Fields {
			if field.Name() == FieldOutline {
				stored = field.Value()
			}
		}
		outlines = append(outlines, stored)
	}
	return f, outlines
}

// TestOutlined: what the outlines say is what parsing finds, and they say nothing of a text
// that differs in one byte.
func TestOutlined(t *testing.T) {
	langs, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	r := Reader{Vault: vaulttest.Open(t, t.TempDir()), Langs: langs}
	texts := []string{
		"x", "\n\n# A\nb", "---\ntitle: T\ntype: task\ntags: [a/b, c]\nupdated: 2024-05-06\n---\n\n\n# H\ntext #d\n## I\n\n## J\nmore\n# H\nend",
		"---\nbad: [\n---\ntext", "\ufeff# B\n\ntext\r\n\r\n## C\r\nd", "no heading at all\n\nbut two paragraphs",
		"# Long\n" + strings.Repeat("## Part\n"+strings.Repeat("some words of a section\n", 200), 40),
		"# One\n" + strings.Repeat("a line of a very long section\n", 9000) + "## Two\nend",
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	several := 0
	for _, text := range texts {
		parsed, outlines := outlinesOf(t, r, "projects/p/n.md", []byte(text))
		if len(outlines) > 1 {
			several++
		}
		f := r.Outlined(parsed.Path, parsed.Raw, parsed.Info, time.Time{}, outlines, false)
		if f == nil {
			t.Fatalf("%.40q: nothing", text)
		}
		ignored := cmpopts.IgnoreFields(File{}, "meta", "declared", "Date", "Aliases", "props", "links", "Problems")
		long := cmp.FilterValues(func(a, b []byte) bool { return len(a)+len(b) > 0 }, cmp.Comparer(bytes.Equal)) // not by the byte
		if diff := cmp.Diff(parsed, f, cmp.AllowUnexported(File{}), cmpopts.EquateEmpty(), ignored, long, cmp.Comparer(func(a, b vault.Info) bool { return a == b })); diff != "" {
			t.Errorf("%.40q: %s", text, diff)
		}
		for _, at := range []int{0, len(text) / 2, len(text) - 1} {
			other := bytes.Clone(parsed.Raw)
			other[at] ^= 1
			if r.Outlined(parsed.Path, other, parsed.Info, time.Time{}, outlines, false) != nil {
				t.Errorf("%.40q: byte %d may be another one", text, at)
			}
		}
		for cut := 0; cut < len(outlines[0]); cut += 1 + len(outlines[0])/500 { // each compares the whole text
			broken := append([][]byte{outlines[0][:cut]}, outlines[1:]...)
			if r.Outlined(parsed.Path, parsed.Raw, parsed.Info, time.Time{}, broken, false) != nil {
				t.Fatalf("%.40q: an outline cut off at %d will do", text, cut)
			}
		}
		if len(outlines) > 1 && r.Outlined(parsed.Path, parsed.Raw, parsed.Info, time.Time{}, outlines[:len(outlines)-1], false) != nil {
			t.Errorf("%.40q: the last outline isn't missed", text)
		}
	}
	if several < 2 {
		t.Error("hardly any text had several entries")
	}
}

// What isn't text as it was read has no outline.
func TestNoOutline(t *testing.T) {
	langs, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	r := Reader{Vault: vaulttest.Open(t, t.TempDir()), Langs: langs}
	for _, text := range []string{"", "a\x00b", "caf\xe9"} {
		if _, outlines := outlinesOf(t, r, "a.md", []byte(text)); len(outlines) != 1 || outlines[0] != nil {
			t.Errorf("%q: %q", text, outlines)
		}
	}
}
