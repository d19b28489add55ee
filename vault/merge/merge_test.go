package merge

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawText draws a text of few different lines, so that they repeat, among them
// what could be taken for a part of a patch.
func drawText(t *rapid.T, name string) []byte {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "d\r", "\xff\xfe", "- x", "+ y", "@@ -1 +1 @@", "--- a",
		"+++ b", "\\ No newline at end of file", "e e"}), 0, 14).Draw(t, name)
	out := []byte(strings.Join(lines, "\n"))
	if len(lines) > 0 && rapid.Bool().Draw(t, name+" ends with a newline") {
		out = append(out, '\n')
	}
	if len(out) == 0 && rapid.Bool().Draw(t, name+" is no file") {
		return nil
	}
	return out
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkPair(t, drawText(t, "before"), drawText(t, "after")) })
}

type failer interface{ Fatalf(string, ...any) }

// checkPair checks what must hold for any two texts.
func checkPair(t failer, before, after []byte) {
	d := Diff("x.md", before, after)
	if (d == "") != equal(before, after) {
		t.Fatalf("diff %q of %q and %q", d, before, after)
	}
	inverse, err := Invert(d)
	if err != nil {
		t.Fatalf("invert %q: %v", d, err)
	}
	again, err := Invert(inverse)
	if err != nil || again != d {
		t.Fatalf("double inverse of %q: %q, %v", d, again, err)
	}
	for name, f := range map[string]func() ([]byte, error){
		"Patch(b, Diff(b, a))": func() ([]byte, error) { return Patch(before, d) },
		"Lines(b, a, b)":       func() ([]byte, error) { return Lines(before, after, before) },
		"Lines(b, b, a)":       func() ([]byte, error) { return Lines(before, before, after) },
		"Lines(b, a, a)":       func() ([]byte, error) { return Lines(before, after, after) },
	} {
		if got, err := f(); err != nil || !equal(got, after) {
			t.Fatalf("%s = %q, %v, want %q; b = %q", name, got, err, after, before)
		}
	}
	if got, err := Patch(after, inverse); err != nil || !equal(got, before) {
		t.Fatalf("patch %q by %q: %q, %v, want %q", after, inverse, got, err, before)
	}
	if got, err := Shift(before, d); err == nil && !equal(got, after) {
		t.Fatalf("shift %q by %q: %q, want %q", before, d, got, after)
	}
}

// checkMerge checks what must hold for any three texts: the merge doesn't
// depend on the order of the sides, and takes no line from nowhere.
func checkMerge(t failer, base, ours, theirs []byte) {
	merged, err := Lines(base, ours, theirs)
	swapped, swappedErr := Lines(base, theirs, ours)
	if (err == nil) != (swappedErr == nil) || err == nil && !equal(merged, swapped) {
		t.Fatalf("base %q: merging %q and %q gives %q, %v; the other way round %q, %v", base, ours, theirs, merged, err, swapped, swappedErr)
	}
	if err != nil {
		return
	}
	known := map[string]bool{}
	for _, text := range [][]byte{base, ours, theirs} {
		for _, l := range splitLines(string(text)) {
			known[l] = true
		}
	}
	for _, l := range splitLines(string(merged)) {
		if !known[l] {
			t.Fatalf("base %q: merging %q and %q makes up the line %q", base, ours, theirs, l)
		}
	}
	if got, err := Shift(theirs, Diff("x", base, ours)); err == nil && got != nil {
		for _, l := range splitLines(string(got)) {
			if !known[l] {
				t.Fatalf("shifting %q to %q onto %q makes up the line %q", base, ours, theirs, l)
			}
		}
	}
}

func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkMerge(t, drawText(t, "base"), drawText(t, "ours"), drawText(t, "theirs"))
	})
}

// TestSeparateChangesMerge changes different parts of a text on both sides.
func TestSeparateChangesMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start, end := drawText(t, "start"), drawText(t, "end")
		newStart, newEnd := drawText(t, "new start"), drawText(t, "new end")
		// Lines that are nowhere else hold the parts apart.
		join := func(a, b []byte) []byte { return []byte(string(a) + "\n<1>\n<2>\n<3>\n<4>\n" + string(b)) }
		base, ours, theirs, want := join(start, end), join(newStart, end), join(start, newEnd), join(newStart, newEnd)
		if got, err := Lines(base, ours, theirs); err != nil || !equal(got, want) {
			t.Fatalf("%q, %q, %q: %q, %v", base, ours, theirs, got, err)
		}
	})
}

// TestLargeTexts compares texts with nothing in common, and with few different
// lines: a cost that grows with the square of the size would never end here.
func TestLargeTexts(t *testing.T) {
	number := func(prefix string) []byte {
		var b strings.Builder
		for i := range 100_000 {
			b.WriteString(prefix + strings.Repeat("x", i%50) + "\n")
		}
		return []byte(b.String())
	}
	a, b := number("a"), number("b")
	checkPair(t, a, b)
	checkPair(t, []byte(strings.Repeat("a\nb\n", 50_000)), []byte(strings.Repeat("b\na\nc\n", 40_000)))
	checkPair(t, []byte(strings.Repeat("x", 5_000_000)), []byte(strings.Repeat("x", 5_000_001)))
	checkMerge(t, a, b, []byte(strings.Repeat("a\n", 100_000)))
}

func FuzzDiffPatch(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc"), "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b\n")
	f.Add([]byte(""), []byte("a\r\n"), "--- /dev/null\n+++ b/x\n")
	f.Add([]byte("\xff\n\n\n"), []byte("\\ No newline at end of file"), "--- \"a/\\n\"\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n")
	f.Fuzz(func(t *testing.T, before, after []byte, patch string) {
		checkPair(t, before, after)
		checkPair(t, nil, after)
		// Any text may come in as a patch.
		_, _ = Patch(before, patch)
		_, _ = Shift(before, patch)
		if p, err := Invert(patch); err == nil {
			if _, err := Invert(p); err != nil {
				t.Fatalf("inverse %q of %q: %v", p, patch, err)
			}
		}
	})
}

func FuzzMerge(f *testing.F) {
	f.Add([]byte("a\nb\nc\nd\n"), []byte("x\nb\nc\nd\n"), []byte("a\nb\nc\ny"))
	f.Add([]byte(""), []byte("x"), []byte("x\n"))
	f.Add([]byte("a\na\na\n"), []byte("a\na\n"), []byte("a\na\na\na\n"))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		checkMerge(t, base, ours, theirs)
	})
}
