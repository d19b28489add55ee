package merge

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// text turns a string into a text; "-" is no file.
func text(s string) []byte {
	if s == "-" {
		return nil
	}
	return []byte(s)
}

func TestDiff(t *testing.T) {
	tests := []struct{ name, before, after, want string }{
		{"equal", "a\n", "a\n", ""},
		{"change", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			"--- a/p.md\n+++ b/p.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
			"--- a/p.md\n+++ b/p.md\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n"},
		{"create", "-", "a\n", "--- /dev/null\n+++ b/p.md\n@@ -0,0 +1 @@\n+a\n"},
		{"create empty", "-", "", "--- /dev/null\n+++ b/p.md\n"},
		{"delete", "a\nb\n", "-", "--- a/p.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"delete empty", "", "-", "--- a/p.md\n+++ /dev/null\n"},
		{"empty", "a\n", "", "--- a/p.md\n+++ b/p.md\n@@ -1 +0,0 @@\n-a\n"},
		{"newline added", "a", "a\n", "--- a/p.md\n+++ b/p.md\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"no newline in the context", "a\nb", "b", "--- a/p.md\n+++ b/p.md\n@@ -1,2 +1 @@\n-a\n b\n\\ No newline at end of file\n"},
		{"carriage returns", "a\r\nb\r\n", "a\r\nb\n", "--- a/p.md\n+++ b/p.md\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Diff("p.md", text(tt.before), text(tt.after))); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got, want := Diff("a\nb", nil, []byte{}), "--- /dev/null\n+++ \"b/a\\nb\"\n"; got != want {
		t.Errorf("diff of an odd name: %q", got)
	}
}

func TestPatchRefuses(t *testing.T) {
	good := Diff("p", []byte("a\nb\nc\n"), []byte("a\nx\nc\n"))
	tests := []struct {
		name, before, patch string
		want                error
	}{
		{"other text", "a\ny\nc\n", good, ErrMismatch},
		{"other context", "z\nb\nc\n", good, ErrMismatch},
		{"other place", "0\na\nb\nc\n", good, ErrMismatch},
		{"shorter", "a\n", good, ErrMismatch},
		{"no file", "-", good, ErrMismatch},
		{"create over a file", "", Diff("p", nil, []byte("x")), ErrMismatch},
		{"delete a longer file", "a\nb\n", "--- a/p\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", ErrMismatch},
		{"newline after the last line", "a", "--- a/p\n+++ b/p\n@@ -1,0 +2 @@\n+b\n", ErrMismatch},
		{"no patch", "a\n", "hello", ErrPatch},
		{"no hunk header", "a\n", "--- a/p\n+++ b/p\n+x\n", ErrPatch},
		{"cut off", "a\nb\nc\n", good[:len(good)-3], ErrPatch},
		{"count too small", "a\n", "--- a/p\n+++ b/p\n@@ -1 +1,0 @@\n-a\n+x\n", ErrPatch},
		{"out of order", "a\na\n", "--- a/p\n+++ b/p\n@@ -2 +2 @@\n-a\n+x\n@@ -1 +1 @@\n-a\n+x\n", ErrPatch},
		{"huge number", "a\n", "--- a/p\n+++ b/p\n@@ -1,99999999999 +1 @@\n-a\n+x\n", ErrPatch},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Patch(text(tt.before), tt.patch); !errors.Is(err, tt.want) {
				t.Errorf("%q, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestShift(t *testing.T) {
	const before, after = "1\n2\n3\n4\n5\n6\n", "1\n2\n3\nx\n5\n6\n"
	tests := []struct{ name, before, after, now, want string }{
		{"unmoved", before, after, before, after},
		{"lines before", before, after, "0\n0\n" + before, "0\n0\n" + after},
		{"lines behind", before, after, before + "7\n8\n", after + "7\n8\n"},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n2\n3\n4\n5\n6\n7\n8\ny\n", "0\n1\n2\n3\n4\nnew\n5\n6\n7\n8\n9\n", "0\nx\n2\n3\n4\nnew\n5\n6\n7\n8\ny\n"},
		{"equal hunks in equal places", "a\n1\n2\n3\n1\n2\n3\n4\n5\n6\n7\n1\n2\n3\na\n", "a\n1\n2\n3\n1\n2\n3\n4\n5\n6\n7\n1\n2\n3\nb\n",
			"0\na\n1\n2\n3\n1\n2\n3\n4\n5\n6\n7\n1\n2\n3\na\n", "0\na\n1\n2\n3\n1\n2\n3\n4\n5\n6\n7\n1\n2\n3\nb\n"},
		{"undo of an added line", "1\n2\n3\nmine\n", "1\n2\n3\n", "1\n2\n3\nmine\nyours\n", "1\n2\n3\nyours\n"},
		{"create", "-", "a\n", "-", "a\n"},
		{"delete", "a\n", "-", "a\n", "-"},
		{"delete empty", "", "-", "", "-"},
		{"fill", "", "a\n", "", "a\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Shift(text(tt.now), Diff("p", text(tt.before), text(tt.after)))
			if err != nil || !equal(got, text(tt.want)) {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestShiftConflicts(t *testing.T) {
	tests := []struct {
		name, before, after, now string
		line                     int
	}{
		{"gone", "1\n2\n3\n", "1\nx\n3\n", "1\n3\n", 1},
		{"context changed", "1\n2\n3\n", "1\nx\n3\n", "1\n2\n4\n", 1},
		{"twice", "1\n2\n3\n", "1\nx\n3\n", "1\n2\n3\n1\n2\n3\n", 1},
		{"twice, also at the recorded place", "0\n0\n0\n1\n", "0\n0\n0\n", "0\n0\n0\n1\n0\n0\n0\n1\n", 1},
		{"part of a line", "2\n", "3\n", "12\n2x\n", 1},
		{"the end has moved on", "1\n2", "1\nx", "1\n2\n3\n", 1},
		{"create over a file", "-", "a\n", "", 1},
		{"delete with more text", "a\n", "-", "a\nb\n", 1},
		{"delete empty with text", "", "-", "b\n", 1},
		{"fill what has text", "", "a\n", "b\n", 1},
		{"no file", "a\n", "b\n", "-", 1},
		{"text behind a line without ending", "1\n", "1", "1\n2\n", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Shift(text(tt.now), Diff("p", text(tt.before), text(tt.after)))
			var conflict *ConflictError
			if !errors.As(err, &conflict) || !errors.Is(err, ErrConflict) {
				t.Fatalf("%q, %v", got, err)
			}
			if conflict.Line != tt.line {
				t.Errorf("line %d, want %d: %v", conflict.Line, tt.line, err)
			}
		})
	}
	if _, err := Shift(nil, "hello"); !errors.Is(err, ErrPatch) {
		t.Errorf("no patch: %v", err)
	}
}

func TestLines(t *testing.T) {
	const base = "1\n2\n3\n4\n5\n"
	tests := []struct {
		name, base, ours, theirs, want string
		line                           int // of the conflict; 0: none
	}{
		{"both", base, "x\n2\n3\n4\n5\n", "1\n2\n3\n4\ny\n", "x\n2\n3\n4\ny\n", 0},
		{"one line between", "1\n2\n3\n", "x\n2\n3\n", "1\n2\ny\n", "x\n2\ny\n", 0},
		{"the same", base, "1\n2\nx\n4\n5\n6\n", "0\n1\n2\nx\n4\n5\n", "0\n1\n2\nx\n4\n5\n6\n", 0},
		{"delete and change", base, "1\n5\n", "1\n2\n3\n4\n5\n6\n", "1\n5\n6\n", 0},
		{"touching", base, "1\nx\n3\n4\n5\n", "1\n2\ny\n4\n5\n", "", 2},
		{"same line", base, "0\n1\n2\nx\n4\n5\n", "1\n2\ny\n4\n5\n", "", 4},
		{"both insert", base, "1\nx\n2\n3\n4\n5\n", "1\ny\n2\n3\n4\n5\n", "", 2},
		{"both append", base, base + "x\n", base + "y\n", "", 6},
		{"no newline", "1\n2\n3", "x\n2\n3", "1\n2\n3\n", "x\n2\n3\n", 0},
		{"create both", "-", "a", "b", "", 1},
		{"create the same", "-", "a", "a", "a", 0},
		{"delete unchanged", base, "-", base, "-", 0},
		{"delete changed", base, "-", base + "6\n", "", 1},
		{"changed, deleted", base, base + "6\n", "-", "", 1},
		{"both delete", base, "-", "-", "-", 0},
		{"emptied", base, "", base, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Lines(text(tt.base), text(tt.ours), text(tt.theirs))
			if tt.line == 0 {
				if err != nil || !equal(got, text(tt.want)) {
					t.Errorf("%q, %v, want %q", got, err, tt.want)
				}
				return
			}
			var conflict *ConflictError
			if !errors.As(err, &conflict) || conflict.Line != tt.line || !errors.Is(err, ErrConflict) {
				t.Errorf("%q, %v, want a conflict in line %d", got, err, tt.line)
			}
		})
	}
}
