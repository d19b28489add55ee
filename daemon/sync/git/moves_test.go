package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of a reflog that is longer than what is read of one, the end counts.
func TestMovesOfALongReflog(t *testing.T) {
	dir := t.TempDir()
	line := func(n int, why string) string {
		return fmt.Sprintf("%040x %040x Ann <ann@example.org> 1764000000 +0000\t%s\n", n, n+1, why)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "logs", "HEAD"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	const commit = "commit: a"
	log := strings.Repeat(line(1, commit), maxReflog/len(line(1, commit))+2) + line(2, commit)
	write(log)
	_, _, mark := Moves(dir, Mark{})
	if mark.Size != int64(len(log)) {
		t.Fatalf("the mark is at %d of %d", mark.Size, len(log))
	}
	log += line(3, "checkout: moving from main to plan")
	write(log + "half")
	moves, made, now := Moves(dir, mark)
	if len(moves) != 1 || !moves[0].Switched() || !made[fmt.Sprintf("%040x", 3)] || now.Size != int64(len(log)) {
		t.Errorf("%v, %d made, the mark is at %d of %d", moves, len(made), now.Size, len(log))
	}
}
