package merge

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const long = "The heron stands on the old breakwater and waits for the tide to turn, as it did on every evening of that winter."

func prose(line string) bool { return len(line) > 30 }

func TestDelta(t *testing.T) {
	tests := []struct{ name, before, after, want string }{
		{"equal", "a\n", "a\n", ""},
		{"create", "-", "a\n", "--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+a\n"},
		{"change", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			"--- a\n+++ b\n@@ -5 +5 @@ near 3,3 74c622761e4d\n-5\n+x\n"},
		{"part", "# A\n\n" + long + "\n", "# A\n\n" + strings.Replace(long, "old breakwater", "new northern mole", 1) + "\n",
			"--- a\n+++ b\n@@ -3 +3 @@ near 2,0 1cd40d124731 part 24,76\n-old breakwater\n+new northern mole\n"},
		{"a word more at the end", long, long + " Soon.",
			"--- a\n+++ b\n@@ -1 +1 @@ near 0,0 c898619c6302 part 106,0\n-winter.\n+winter. Soon.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Delta(text(tt.before), text(tt.after), prose)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if back, err := Patch(text(tt.before), got); err != nil || string(back) != strings.TrimPrefix(tt.after, "-") {
				t.Errorf("patched %q, %v", back, err)
			}
		})
	}
}

// A delta says in fewer bytes what a diff says: it leads to the same texts, and fits in
// the same places of a text that has moved on and in no other.
func TestDeltaIsAsExactAsADiff(t *testing.T) {
	words := rapid.SampledFrom([]string{"a", "b", "", "\r", long, long + " b", "a " + long, strings.Replace(long, "old", "new", 1), "ä " + long, "é " + long})
	texts := rapid.Custom(func(t *rapid.T) []byte {
		s := strings.Join(rapid.SliceOfN(words, 0, 14).Draw(t, "lines"), "\n")
		if rapid.Bool().Draw(t, "ends") && s != "" {
			s += "\n"
		}
		return []byte(s)
	})
	edited := func(t *rapid.T, b []byte) []byte {
		lines := splitLines(string(b))
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			i := rapid.IntRange(0, len(lines)).Draw(t, "at")
			insert := words.Draw(t, "word") + "\n"
			end := min(len(lines), i+rapid.IntRange(0, 2).Draw(t, "removed"))
			lines = append(append(append([]string{}, lines[:i]...), insert), lines[end:]...)
		}
		for i, l := range lines {
			if i+1 < len(lines) && !strings.HasSuffix(l, "\n") {
				lines[i] += "\n"
			}
		}
		return []byte(strings.Join(lines, ""))
	}
	rapid.Check(t, func(t *rapid.T) {
		before := texts.Draw(t, "before")
		after := edited(t, before)
		now := edited(t, after)
		diff := Diff("p", before, after)
		undiff, err := Invert(diff)
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := Shift(now, undiff)
		for _, cut := range []func(string) bool{nil, prose} {
			delta := Delta(before, after, cut)
			if got, err := Patch(before, delta); err != nil || !bytes.Equal(got, after) {
				t.Fatalf("patched %q, %v, with %q", got, err, delta)
			}
			undelta, err := Invert(delta)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Patch(after, undelta); err != nil || !bytes.Equal(got, before) {
				t.Fatalf("taken back %q, %v, with %q", got, err, undelta)
			}
			got, err := Shift(now, undelta)
			if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
				t.Fatalf("shifted %q, %v; the diff leads to %q, %v\n%s%s", got, err, want, wantErr, undiff, undelta)
			}
		}
	})
}

func TestNamed(t *testing.T) {
	for _, p := range []string{"a.md", "notes/b \"c\".md"} {
		for _, after := range [][]byte{nil, []byte("a\n--- a\n+++ b\n"), {}} {
			before := []byte("b\n--- a\n")
			if got, want := Named(Delta(before, after, nil), p), Diff(p, before, after); strings.Split(got, "@@")[0] != strings.Split(want, "@@")[0] {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}

// A patch may come from anywhere: what is none is refused, and what is one leads to a
// text from which it can be taken back.
func FuzzPatch(f *testing.F) {
	for _, cut := range []func(string) bool{nil, prose} {
		before, after := "# A\n\n"+long+"\n\nb\nc\nd", "# A\n\n"+strings.Replace(long, "old", "new", 1)+"\n\nb\nd"
		f.Add(before, Delta([]byte(before), []byte(after), cut))
	}
	f.Add("a\nb\n", Diff("p", []byte("a\nb\n"), nil))
	f.Add("", "--- a\n+++ b\n@@ -0,0 +1 @@ near 0,0 000000000000 part 999999999,1\n-\n+\n")
	f.Fuzz(func(t *testing.T, text, patch string) {
		inverse, err := Invert(patch)
		if err != nil {
			return
		}
		_, _ = Shift([]byte(text), patch)
		after, err := Patch([]byte(text), patch)
		if err != nil || patch == "" {
			return
		}
		if back, err := Patch(after, inverse); err != nil || string(back) != text {
			t.Errorf("%q became %q, and back %q, %v", text, after, back, err)
		}
	})
}
