package analyze

import (
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/hr"
	"github.com/blevesearch/bleve/v2/registry"
)

// Croatian is analysed as bleve does it: each ending that its rules cut off, on some root.
func TestCroatian(t *testing.T) {
	theirs, err := registry.NewCache().AnalyzerNamed(hr.AnalyzerName)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	ours := l.Of("hr").inner
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
	terms := func(a analysis.Analyzer, word string) (all []string) {
		for _, token := range a.Analyze([]byte(word)) {
			all = append(all, string(token.Term))
		}
		return all
	}
	for _, w := range words {
		if strings.HasSuffix(w, "teticima") || strings.HasSuffix(w, "anjac") {
			continue // two endings: bleve takes either, by chance
		}
		if got, want := strings.Join(terms(ours, w), " "), strings.Join(terms(theirs, w), " "); got != want {
			t.Errorf("%s: %q, of bleve %q", w, got, want)
		}
	}
	if got := terms(ours, "praktičarskih teticima"); len(got) != 2 || got[1] != "tetik" {
		t.Errorf("the longest ending isn't taken: %q", got)
	}
}
