package guide

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReadAnswer(t *testing.T) {
	for _, tt := range []struct {
		file  string
		least int
		right float64
	}{
		{"answers.txt", 80, 1},
		{"replies.txt", 50, 0.95}, // .88 at first sight
		{"imperatives.txt", 35, 0.95},
	} {
		total, wrong := 0, 0
		for line := range strings.SplitSeq(readFile(t, tt.file), "\n") {
			head, text, ok := strings.Cut(line, " | ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			f := strings.Fields(head)
			want, asked := Answer{Kind: Kind(f[0]), Dimension: keyOf(f[1])}, keyOf(f[2])
			got := ReadAnswer(text, Question{Dimension: asked})
			total++
			refers := got.Kind == Back || got.Kind == Correction
			if got.Kind != want.Kind || refers && got.Dimension != want.Dimension {
				wrong++
				t.Logf("%q: %s %s, want %s %s", text, got.Kind, got.Dimension, want.Kind, want.Dimension)
			}
		}
		t.Logf("%s: %d of %d replies read rightly", tt.file, total-wrong, total)
		if total < tt.least || float64(total-wrong) < tt.right*float64(total) {
			t.Errorf("%s: %d of %d wrong, want at least %.2f right", tt.file, wrong, total, tt.right)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// keyOf gives the short names of testdata their keys; "-" is none.
func keyOf(short string) string {
	i := strings.Index("IPGMRTOWH", short)
	if i < 0 {
		return ""
	}
	return Dimensions()[i]
}

// TestAnswersKeepWords: what was said beside a control word isn't lost, nor what an
// answer volunteers.
func TestAnswersKeepWords(t *testing.T) {
	a := ReadAnswer("About 20k. That's enough, create it.", Question{Dimension: Resources})
	if a.Kind != Enough || a.Text != "About 20k." {
		t.Errorf("got %+v", a)
	}
	a = ReadAnswer("That nobody comes. My sister Anna will do the posters, and the hall costs $300.", Question{Dimension: Trust})
	if a.Kind != Told || a.Text != "That nobody comes. My sister Anna will do the posters, and the hall costs $300." {
		t.Errorf("got %+v", a)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := strings.Fields("skip later actually go back to the budget risks not 20k . , ? create it I don't know what maybe Anna done enough ask me about")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), " ")
		a := ReadAnswer(text, Question{Dimension: Goals})
		if a.Kind == "" || !strings.Contains(text, a.Text) || a.Dimension != "" && !slices.Contains(Dimensions(), a.Dimension) {
			t.Fatalf("%q: %+v", text, a)
		}
	})
}
