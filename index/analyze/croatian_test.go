package analyze

import (
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/hr"
	"github.com/blevesearch/bleve/v2/registry"
)

// both are the analyzer of a language that isn't bleve's, and bleve's own.
func both(t testing.TB, name string) (ours, theirs analysis.Analyzer) {
	t.Helper()
	theirs, err := registry.NewCache().AnalyzerNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	return l.Of(name).inner, theirs
}

// terms are what a text is cut into.
func terms(a analysis.Analyzer, text string) string {
	var all []string
	for _, token := range a.Analyze([]byte(text)) {
		all = append(all, string(token.Term))
	}
	return strings.Join(all, " ")
}

// Croatian is analysed as bleve does it: each ending that its rules cut off, on some root.
func TestCroatian(t *testing.T) {
	ours, theirs := both(t, hr.AnalyzerName)
	words := strings.Fields(string(croatianStops) + " Hrvatska KOMARAC crvi zaključcima rr aa prst")
	for line := range strings.Lines(croatianSuffixes) {
		from, _, _ := strings.Cut(line, " ")
		words = append(words, from, "k"+from)
	}
	for i, line := range strings.Split(strings.TrimSpace(croatianRules), "\n") {
		endings := line[strings.LastIndex(line, "(")+1 : len(line)-2]
		root := []string{"prst", "bolestsk", "kustv", "krtanij", "plan", "ugov", "vrlog", "povozil", "stvaraš", "gladova", "mira", "prosti", "odluč", "voljeti"}[i%14]
		for ending := range strings.SplitSeq(endings, "|") {
			words = append(words, root+ending)
		}
	}
	for _, w := range words {
		if strings.HasSuffix(w, "teticima") || strings.HasSuffix(w, "anjac") {
			continue // two endings: bleve takes either, by chance
		}
		if got, want := terms(ours, w), terms(theirs, w); got != want {
			t.Errorf("%s: %q, of bleve %q", w, got, want)
		}
	}
	if got := terms(ours, "praktičarskih teticima"); strings.Count(got, " ") != 1 || !strings.HasSuffix(got, " tetik") {
		t.Errorf("the longest ending isn't taken: %q", got)
	}
}
