package merge

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// text draws a text of few different lines, so that they repeat.
func text(t *rapid.T, name string) []byte {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "d\r", "\xff\xfe", "- x", "+ y", "@@ -1 +1 @@", "--- a", "\\ No newline at end of file", "e e"}), 0, 14).Draw(t, name)
	out := []byte(strings.Join(lines, "\n"))
	if len(lines) > 0 && rapid.Bool().Draw(t, name+" newline") {
		out = append(out, '\n')
	}
	if len(out) == 0 && rapid.Bool().Draw(t, name+" nil") {
		return nil
	}
	return out
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, a := text(t, "before"), text(t, "after")
		d := Diff("x.md", b, a)
		if (d == "") != equal(b, a) {
			t.Fatalf("diff %q", d)
		}
		same(t, "Patch", a, b, func(v []byte) ([]byte, error) { return Patch(v, d) })
		inverse, err := Invert(d)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "Invert", b, a, func(v []byte) ([]byte, error) { return Patch(v, inverse) })
		again, err := Invert(inverse)
		if err != nil || again != d {
			t.Fatalf("double inverse: %v\n%s\n%s", err, again, d)
		}
		same(t, "Lines(b,a,b)", a, b, func(v []byte) ([]byte, error) { return Lines(v, a, b) })
		same(t, "Lines(b,b,a)", a, b, func(v []byte) ([]byte, error) { return Lines(v, b, a) })
		same(t, "Lines(b,a,a)", a, b, func(v []byte) ([]byte, error) { return Lines(v, a, a) })
		if got, err := Shift(b, d); err == nil && !equal(got, a) {
			t.Fatalf("Shift(b, Diff(b, a)) = %q, want %q\n%s", got, a, d)
		}
	})
}

func same(t *rapid.T, what string, want, from []byte, f func([]byte) ([]byte, error)) {
	got, err := f(from)
	if err != nil || !equal(got, want) {
		t.Fatalf("%s: %q, %v; want %q from %q", what, got, err, want, from)
	}
}

var _ = bytes.Equal
var _ = errors.Is
var _ = cmp.Diff
