package ignore

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// rulesOf returns the rules of a vault that has these files.
func rulesOf(files map[string]string) *Rules {
	return New(func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	})
}

func TestMatch(t *testing.T) {
	r := rulesOf(map[string]string{
		".git/info/exclude":       "private.md\n",
		".gitignore":              "\xef\xbb\xbfbuild/\r\n/top.md\n*.log.md\n!keep.log.md\n# a comment\n\\#x.md\nspace\\ \nfoo/*.md\n",
		".kistignore":             "!private.md\ndrafts/**/old\n",
		"sub/.gitignore":          "/here.md\n!top.md\nx.log.md\n",
		"sub/.kistignore":         "!x.log.md\n",
		"build/.gitignore":        "!*\n",
		"drafts/a/.kistignore":    "!old\n",
		"not/a/vault/.gitignore~": "*\n",
	})
	tests := []struct {
		path string // a folder's ends in a slash
		want bool
	}{
		{"note.md", false},
		{"build/", true},
		{"build", false}, // a file of that name
		{"sub/build/", true},
		{"build/deep/note.md", true}, // nothing below can be taken back in
		{"top.md", true},
		{"sub/top.md", false},
		{"a.log.md", true},
		{"keep.log.md", false},
		{"sub/keep.log.md", false},
		{"#x.md", true},
		{"space ", true},
		{"foo/a.md", true},
		{"foo/b/a.md", false},
		{"sub/here.md", true},
		{"sub/deep/here.md", false},
		{"sub/x.log.md", false},
		{"sub/y.log.md", true},
		{"private.md", false},
		{"drafts/old/", true},
		{"drafts/x/y/old/z.md", true},
		{"drafts/a/old/", false},
		{"", false},
		{".", false},

		// Litter, and what only looks like it.
		{"~$note.md", true},
		{"a/#note.md#", true},
		{"note.md~", true},
		{"4913", true},
		{"note.md.sb-1a2b3c4d-AbCdEf", true},
		{"note.md___jb_tmp___", true},
		{"~syncthing~note.md.tmp", true},
		{"x.tmp/", false},
		{"x.tmp/note.md", false},
		{"note.sync-conflict-20261120-101112-ABCDEFG.md", false},
		{"note (Ada's conflicted copy 2026-11-20).md", false},
		{"note (1).md", false},
		{"notes #2.md", false},
		{".stignore", true}, {"Notes/.DS_Store", true}, {".dropbox.cache/2026/x.md", true}, {"desktop.ini", true}, {"desktop.ini.md", false},
	}
	for _, tt := range tests {
		p, dir := strings.CutSuffix(tt.path, "/")
		if got := r.Match(p, dir); got != tt.want {
			t.Errorf("Match(%q): %v, want %v", tt.path, got, tt.want)
		}
	}
}

func TestLitterCanBeTakenBackIn(t *testing.T) {
	r := rulesOf(map[string]string{".kistignore": "!~$*\n"})
	if r.Match("~$note.md", false) {
		t.Error("a rule must be able to overrule the list of litter")
	}
}

func TestForget(t *testing.T) {
	files := map[string]string{}
	r := rulesOf(files)
	if r.Match("a/note.md", false) {
		t.Error("ignored without a rule")
	}
	files["a/.gitignore"] = "note.md"
	if r.Match("a/note.md", false) {
		t.Error("the file is read each time, which is too slow")
	}
	r.Forget()
	if !r.Match("a/note.md", false) {
		t.Error("the new rule has no effect")
	}
	if !IsRules("a/.gitignore") || !IsRules(".kistignore") || IsRules("a.gitignore") || IsRules(".gitignore/a") {
		t.Error("IsRules is wrong")
	}
}

func TestBounds(t *testing.T) {
	t.Run("a long file has no rule cut in two", func(t *testing.T) {
		text := strings.Repeat("abc.md\n", MaxFile/7) + "secret*\n"
		for i := range 8 {
			r := rulesOf(map[string]string{".gitignore": strings.Repeat("#", i) + "\n" + text})
			if r.Match("s.md", false) || r.Match("x.md", false) || !r.Match("abc.md", false) {
				t.Errorf("%d: the end of the file was misread", i)
			}
		}
	})
	t.Run("files above one another", func(t *testing.T) {
		files := map[string]string{}
		dir := ""
		for range 10 {
			files[dir+".gitignore"] = strings.Repeat("x\n", MaxFile/2)
			dir += "d/"
		}
		r := rulesOf(files)
		if f := r.folder(strings.TrimSuffix(dir, "/")); f.size > MaxChain {
			t.Errorf("%d bytes of rules matter to one path, want at most %d", f.size, MaxChain)
		}
	})
	t.Run("a hostile pattern", func(t *testing.T) {
		hostile := strings.Repeat("a*", 60) + "b*\n" + strings.Repeat("**/a*", 40) + "b*\n" + strings.Repeat("[a-z]*?", 60) + "b*\n" + strings.Repeat("*a", 500) + "*\n"
		r := rulesOf(map[string]string{".gitignore": strings.Repeat(hostile, 50)})
		p := strings.Repeat(strings.Repeat("a", 200)+"/", 15) + strings.Repeat("a", 200)
		began := time.Now()
		r.Match(p, false)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("it took %v", took)
		} else {
			t.Logf("%v for %d bytes of path and %d of rules", took, len(p), min(MaxFile, 50*len(hostile)))
		}
	})
}

// This shows that the test of a hostile pattern can fail: the usual way to match,
// which tries one reading after the other, takes ever longer.
func TestHostilePatternDefeatsANaiveMatcher(t *testing.T) {
	steps := 0
	var match func(p, s string) bool
	match = func(p, s string) bool {
		if steps++; steps > 10_000_000 {
			return false
		}
		switch {
		case p == "":
			return s == ""
		case p[0] == '*':
			return match(p[1:], s) || (s != "" && match(p, s[1:]))
		}
		return s != "" && p[0] == s[0] && match(p[1:], s[1:])
	}
	match(strings.Repeat("a*", 12)+"b", strings.Repeat("a", 60))
	if steps < 10_000_000 {
		t.Errorf("%d steps: the pattern isn't hostile", steps)
	}
}

func TestConcurrent(t *testing.T) {
	r := rulesOf(map[string]string{".gitignore": "b*\n", "a/.gitignore": "!b1\n"})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 500 {
				if got := r.Match(fmt.Sprintf("a/b%d", i%3), false); got != (i%3 != 1) {
					t.Errorf("a/b%d: %v", i%3, got)
				}
				if i%50 == 0 {
					r.Forget()
				}
			}
		})
	}
	wg.Wait()
}

// A repository is a folder of git's with files to ask about.
type repository struct {
	dir   string
	paths []string // folders end in a slash
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("left out: git is not installed")
	}
	r := &repository{dir: t.TempDir()}
	r.git(t, "", "init", "-q")
	names := []string{"a", "b", "ab", "a.md", "b c", "#a", "!a", "a]", "é", "A", `a\`, "[a]"}
	folders := []string{"", "a/", "a/b/", "d/", "d/a/", "d/a/b/", "d/ab/"}
	for _, d := range folders {
		if err := os.MkdirAll(filepath.Join(r.dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range folders {
		if d != "" {
			r.paths = append(r.paths, d)
		}
		for _, name := range names {
			file := filepath.Join(r.dir, d, name)
			if f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				f.Close()
				r.paths = append(r.paths, d+name)
			}
		}
	}
	slices.Sort(r.paths)
	r.paths = slices.Compact(r.paths)
	return r
}

func (r *repository) git(t interface{ Fatal(...any) }, in string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(in)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "XDG_CONFIG_HOME="+r.dir)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) { // 1: nothing is ignored
		t.Fatal(args, err)
	}
	return string(out)
}

// compare writes files of rules and compares all answers with git's.
func (r *repository) compare(t *rapid.T, rules map[string]string) {
	for _, name := range []string{".gitignore", "a/.gitignore", "d/.gitignore", "d/a/.gitignore", ".git/info/exclude"} {
		file := filepath.Join(r.dir, name)
		if text, ok := rules[name]; !ok {
			_ = os.Remove(file)
		} else if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// A slash at the end of a question would mean an empty name to git.
	out := r.git(t, strings.ReplaceAll(strings.Join(r.paths, "\x00")+"\x00", "/\x00", "\x00"), "check-ignore", "--no-index", "--stdin", "-z")
	var want, got []string
	for p := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if slices.Contains(r.paths, p+"/") {
			p += "/"
		}
		if p != "" {
			want = append(want, p)
		}
	}
	mine := rulesOf(rules)
	mine.litter = nil
	for _, p := range r.paths {
		clean, dir := strings.CutSuffix(p, "/")
		if mine.Match(clean, dir) {
			got = append(got, p)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("rules %q (-git +ours):\n%s", rules, diff)
	}
}

// Whatever the rules are, git is of the same opinion.
func TestAgreesWithGit(t *testing.T) {
	repo := newRepository(t)
	line := rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "b", "d", "a", "b", "/", "/", "*", "**", "**/", "/**", "***", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a", "]", "[[:alpha:]]", "[[:x:]]", "[[:al]", `[\]a]`, "[a-", "[--0]",
			`\`, `\ `, `\*`, `\a`, `\/`, " ", "!", "#", ".md", "\r", "\t", "é", "A",
		}), 0, 7).Draw(t, "pieces")
		prefix := rapid.SampledFrom([]string{"", "", "", "!", "/", "!/", "#", "d/", "a/", "d/a/"}).Draw(t, "prefix")
		suffix := rapid.SampledFrom([]string{"", "", "", "/", " ", "\r", "/*", "/**"}).Draw(t, "suffix")
		return prefix + strings.Join(pieces, "") + suffix
	})
	file := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(line, 1, 5).Draw(t, "lines"), "\n")
	})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{".gitignore", "a/.gitignore", "d/.gitignore", "d/a/.gitignore", ".git/info/exclude"}), 1, 3, rapid.ID).Draw(t, "names")
		rules := map[string]string{}
		for _, name := range names {
			rules[name] = file.Draw(t, path.Join("text of", name))
		}
		repo.compare(t, rules)
	})
}

func FuzzParse(f *testing.F) {
	f.Add("*.md\n!a\n[a-z]/**/b\n", "a/b/c.md")
	f.Add("\\", "\\")
	f.Add("[[:alpha:]]\n[!]\n[", "[")
	f.Fuzz(func(t *testing.T, rules, path string) {
		r := rulesOf(map[string]string{".gitignore": rules})
		file, dir := r.Match(path, false), r.Match(path, true)
		if file && !dir && !strings.HasPrefix(rules, "!") && !strings.Contains(rules, "\n") {
			// A rule for files alone can't be written, litter aside.
			r.litter = nil
			if r.Match(path, false) {
				t.Errorf("%q ignores the file %q but not a folder of that name", rules, path)
			}
		}
	})
}

// A typical file of rules and 1,000 folders of 100 files.
func BenchmarkMatch(b *testing.B) {
	files := map[string]string{".gitignore": `
.DS_Store
Thumbs.db
node_modules/
dist/
build/
/out
*.log
*.pyc
*.class
__pycache__/
.idea/
.vscode/*
!.vscode/settings.json
*.sw?
docs/_build/**
**/target/
[Bb]in/
[Oo]bj/
coverage*.html
*.egg-info/
`}
	var paths []string
	for d := range 1000 {
		for f := range 100 {
			paths = append(paths, fmt.Sprintf("projects/p%d/notes/a-note-of-usual-length-%d.md", d, f))
		}
	}
	r := rulesOf(files)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range paths {
			if r.Match(p, false) {
				b.Fatal(p)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(paths)), "ns/path")
}

// Where a listing shows no rules, none are looked for.
func TestListed(t *testing.T) {
	files := map[string]string{".gitignore": "*.log\n", "a/b/.kistignore": "x.md\n"}
	var read []string
	r := New(func(name string) ([]byte, error) {
		read = append(read, name)
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	})
	listing := fstest.MapFS{"a/n.md": {}, "a/b/.kistignore": {}, "a/b/x.md": {}}
	for _, dir := range []string{"a", "a/b"} {
		entries, err := fs.ReadDir(listing, dir)
		if err != nil {
			t.Fatal(err)
		}
		r.Listed(dir, entries)
	}
	for path, want := range map[string]bool{"a/n.md": false, "a/n.log": true, "a/b/x.md": true, "a/b/y.md": false} {
		if got := r.Match(path, false); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if slices.ContainsFunc(read, func(p string) bool { return path.Dir(p) == "a" }) {
		t.Errorf("read %q", read)
	}
	files["a/.gitignore"] = "n.md\n"
	r.Forget()
	if !r.Match("a/n.md", false) {
		t.Error("what was listed once holds for ever")
	}
}
