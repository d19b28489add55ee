package semantic

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"kist/vault/merge"
)

// TestHistories merges what was merged in real repositories once more: every document that
// both sides of a merge commit changed. It runs over the repositories, bare or not, that
// KIST_MERGE_REPOS names, separated by blanks, and takes the newest KIST_MERGE_MOST such
// documents of each (1,000 by default). With KIST_MERGE_SHOW it tells what contradicts, and how a
// merge that git gave up on differs from what people made of it.
func TestHistories(t *testing.T) {
	repos := strings.Fields(os.Getenv("KIST_MERGE_REPOS"))
	most, err := strconv.Atoi(os.Getenv("KIST_MERGE_MOST"))
	if err != nil {
		most = 1000
	}
	for _, repo := range repos {
		h := history{t: t, repo: repo, dir: t.TempDir()}
		h.run(most)
		t.Logf("%s: %s", filepath.Base(filepath.Dir(repo)), h.String())
	}
}

// A history counts what became of the merges of a repository.
type history struct {
	t         *testing.T
	repo, dir string
	in        io.WriteCloser
	out       *bufio.Reader

	files, gitConflicts, conflicts  int
	worse, other, lost, asym, exact int // conflicts where git has none; other text than git's; ...
}

func (h *history) String() string {
	return fmt.Sprintf("%d documents changed on both sides; git: %d conflicts; kist: %d, of which %d where git has none; "+
		"%d of the other merges not as git's; %d of those git couldn't merge as people did; %d with lost words; %d that depend on the side",
		h.files, h.gitConflicts, h.conflicts, h.worse, h.other, h.exact, h.lost, h.asym)
}

func (h *history) git(args ...string) string {
	out, err := exec.Command("git", append([]string{"-C", h.repo}, args...)...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (h *history) run(most int) {
	batch := exec.Command("git", "-C", h.repo, "cat-file", "--batch")
	in, err := batch.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	out, err := batch.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := batch.Start(); err != nil {
		h.t.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_ = batch.Wait()
	}()
	h.in, h.out = in, bufio.NewReader(out)
	merges := strings.Split(h.git("rev-list", "--merges", "--parents", "--all"), "\n")
	if len(merges) < 2 {
		h.t.Fatalf("%s has no merge commits", h.repo)
	}
	for _, line := range merges {
		if ids := strings.Fields(line); len(ids) == 3 && h.files < most {
			h.commit(ids[0], ids[1], ids[2])
		}
	}
}

// commit merges the documents of one merge commit.
func (h *history) commit(merged, ours, theirs string) {
	bases := strings.Fields(h.git("merge-base", "--all", ours, theirs))
	if len(bases) != 1 {
		return // git makes a base of several of its own
	}
	base := bases[0]
	if base == ours || base == theirs {
		return
	}
	changed := map[string]bool{}
	for _, name := range strings.Split(h.git("diff-tree", "-r", "-z", "--name-only", "--diff-filter=M", base, ours), "\x00") {
		changed[name] = true
	}
	for _, name := range strings.Split(h.git("diff-tree", "-r", "-z", "--name-only", "--diff-filter=M", base, theirs), "\x00") {
		if changed[name] && strings.HasSuffix(strings.ToLower(name), ".md") {
			h.file(merged[:10]+" "+name, h.blob(base, name), h.blob(ours, name), h.blob(theirs, name), h.blob(merged, name))
		}
	}
}

func (h *history) blob(commit, name string) []byte {
	if strings.Contains(name, "\n") {
		return nil
	}
	fmt.Fprintf(h.in, "%s:%s\n", commit, name)
	head, err := h.out.ReadString('\n')
	if err != nil {
		h.t.Fatal(err)
	}
	fields := strings.Fields(head)
	size, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil {
		return nil // missing
	}
	text := make([]byte, size+1)
	if _, err := io.ReadFull(h.out, text); err != nil {
		h.t.Fatal(err)
	}
	return text[:size]
}

func (h *history) file(name string, base, ours, theirs, person []byte) {
	if base == nil || ours == nil || theirs == nil || bytes.Equal(ours, theirs) {
		return
	}
	h.files++
	git, clean := h.mergeFile(base, ours, theirs)
	got := Merge(base, ours, theirs, Options{Path: "a.md"})
	swapped := Merge(base, theirs, ours, Options{Path: "a.md"})
	if !clean {
		h.gitConflicts++
	}
	switch {
	case !got.Clean():
		h.conflicts++
		if clean {
			h.worse++
			h.t.Errorf("%s: a conflict where git has none: %s", name, got.Conflicts[0].Where)
		} else if os.Getenv("KIST_MERGE_SHOW") != "" {
			for _, c := range got.Conflicts {
				h.t.Logf("%s: %s\n--- base\n%s\n--- ours\n%s\n--- theirs\n%s", name, c.Where, c.Base, c.Ours, c.Theirs)
			}
		}
	case clean && !bytes.Equal(got.Text, git):
		h.other++
		h.t.Logf("%s: not as git merges it", name)
	case !clean && bytes.Equal(got.Text, person):
		h.exact++
	case !clean && os.Getenv("KIST_MERGE_SHOW") != "":
		h.t.Logf("%s: from what people made of it to this merge:\n%s", name, merge.Diff("a", person, got.Text))
	}
	if got.Clean() != swapped.Clean() || got.Clean() && !bytes.Equal(got.Text, swapped.Text) {
		h.asym++
		h.t.Errorf("%s: the merge depends on which side is which", name)
	}
	if lost := lostLines(base, ours, theirs, got); len(lost) > 0 {
		h.lost++
		h.t.Errorf("%s: lost %q", name, lost)
	}
	if bytes.Contains(got.Text, []byte("\n<<<<<<< ")) && !bytes.Contains(base, []byte("\n<<<<<<< ")) &&
		!bytes.Contains(ours, []byte("\n<<<<<<< ")) && !bytes.Contains(theirs, []byte("\n<<<<<<< ")) {
		h.t.Errorf("%s: markers", name)
	}
}

func (h *history) mergeFile(base, ours, theirs []byte) (text []byte, clean bool) {
	names := []string{"ours", "base", "theirs"}
	for i, content := range [][]byte{ours, base, theirs} {
		names[i] = filepath.Join(h.dir, names[i])
		if err := os.WriteFile(names[i], content, 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
	text, err := exec.Command("git", append([]string{"merge-file", "-p"}, names...)...).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		h.t.Fatal(err)
	}
	return text, err == nil
}

// lostLines returns the words of lines that a side added which are neither in the text nor
// in a conflict, and were never there.
func lostLines(base, ours, theirs []byte, r Result) (lost []string) {
	have := map[string]bool{}
	note := func(text string) {
		for _, w := range strings.FieldsFunc(strings.ToLower(text), notWord) {
			have[w] = true
		}
	}
	note(string(base))
	note(string(r.Text))
	for _, c := range r.Conflicts {
		note(c.Theirs)
		note(c.Ours)
	}
	for _, side := range [][]byte{ours, theirs} {
		for _, w := range strings.FieldsFunc(strings.ToLower(string(side)), notWord) {
			if !have[w] && strings.ContainsFunc(w, unicode.IsLetter) && !strings.ContainsFunc(w, unicode.IsDigit) {
				lost = append(lost, w)
			}
		}
	}
	return lost
}

// notWord also cuts at letters of a script without blanks, of which a word is no run.
func notWord(r rune) bool { return !saying(r) || unicode.Is(unicode.Han, r) }
