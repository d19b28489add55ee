package drawn

import (
	"strings"
	"testing"
)

// About three of ten words that are long enough get an error, always the same one.
func TestMisspell(t *testing.T) {
	text := strings.Repeat("boundary layer theory of the wing at 42 x86chips ", 50)
	got := Misspell(text)
	if got != Misspell(text) {
		t.Error("another one the second time")
	}
	wrong, long := 0, 0
	words := strings.Fields(got)
	for i, w := range strings.Fields(text) {
		same := words[i] == w
		if len(w) < 4 || strings.ContainsAny(w, "0123456789") {
			if !same {
				t.Errorf("%q became %q", w, words[i])
			}
			continue
		}
		if long++; !same {
			wrong++
		}
		if words[i][0] != w[0] {
			t.Errorf("%q became %q", w, words[i])
		}
	}
	if share := float64(wrong) / float64(long); share < 0.2 || share > 0.4 {
		t.Errorf("%d of %d words", wrong, long)
	}
}
