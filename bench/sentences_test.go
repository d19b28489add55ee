package bench

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestSentences(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"keel.md": "# Keel\n\nThe keel is made of one oak beam. In winter the yard laid a new keel of oak.\n",
		"mast.md": "# Mast\n\nA mast is cut from spruce in one piece. The old mast of spruce stood for forty years.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Sentences(t.Context(), dir, 5, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Documents != 2 || r.Sentences != 2 || len(r.Modes) != 2 || r.Modes[0].MRR != 1 || r.Modes[1].In10 != 1 || r.Over != (Interval{}) {
		t.Errorf("%+v", r)
	}
}

func TestInterval(t *testing.T) {
	var a, b []float64
	for i := range 400 {
		a, b = append(a, float64(i%2)), append(b, float64(i%4)/4)
	}
	got := interval(a, b, 1)
	if math.Abs(got.Mean-0.125) > 1e-9 || got.Low >= got.Mean || got.High <= got.Mean || got.Low < 0.05 || got.High > 0.2 {
		t.Errorf("%+v", got)
	}
}
