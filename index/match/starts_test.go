package match

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kist/index/analyze"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestStarts: what is found is the same whether or not words are left out.
func TestStarts(t *testing.T) {
	l, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"über", "Ueber", "aéro", "aaron", "œuvre", "Öl", "großen", "дом", "Дома", "ёлка", "σπίτι", "Σπίτια", "ŁÓDŹ", "łodzi", "İstanbul", "istanbulda", "ığdır", "boat's", "qu'elle", "d’une", "a\u00advion", "cafe\u0301", "बच्चे", "ay", "Ties", "eyes", "dying", "don't", "l'avion", "e.g", "_foo_", "3com", "x", "Äpfel", "oK", "aé", "Kelvin", "happy", "happily", "by", "sky", "Yes", "ied", "3", "1a", "naïve"}
	left := 0
	rapid.Check(t, func(t *rapid.T) {
		lang := rapid.SampledFrom(append(analyze.Stemmed(), "bg", "ca", "cs", "el", "eu", "ga", "gl", "hy", "id", "plain")).Draw(t, "language")
		Analyzer := l.Of(lang)
		word := rapid.OneOf(rapid.SampledFrom(words), rapid.StringMatching(`[aeiysxtd]{1,6}`), rapid.StringMatching(`[A-ZäöüßéèçñåøæşığəőűčšžÄÖÜİIа-яёЁ]{1,4}[a-zäöüé]{0,4}`))
		var text strings.Builder
		for range rapid.IntRange(0, 20).Draw(t, "words") {
			text.WriteString(word.Draw(t, "word") + rapid.SampledFrom([]string{" ", "\n", ", ", "-", "'", ".", ":", "_", "(", "/", "\r\n", "\f", "\u00a0", "\u200d", " \u0301", ""}).Draw(t, "gap"))
		}
		m := Matcher{Analyzer: Analyzer, Terms: map[string]float64{}}
		for _, q := range rapid.SliceOfN(word, 1, 3).Draw(t, "query") {
			for _, token := range Analyzer.Analyze([]byte(q)) {
				m.Terms[string(token.Term)] = 1
			}
		}
		if rapid.Bool().Draw(t, "star") {
			m.Prefixes = []string{strings.ToLower(word.Draw(t, "prefix"))}
		}
		want := m.Find([]byte(text.String()))
		m.starts = newStarts(m.Terms, m.Prefixes)
		if got := m.Find([]byte(text.String())); !slices.Equal(got, want) {
			t.Fatalf("%v in %q: %v, want %v", m.Terms, text.String(), got, want)
		}
		if m.starts != nil && !m.starts.in([]byte(text.String()), false) {
			left++
		}
	})
	if left == 0 {
		t.Error("no text was ever left out: this proves nothing")
	}
}

// TestStartsOfWords: each word of a text is found by what each analyzer makes of it.
func TestStartsOfWords(t *testing.T) {
	l, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../testdata/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range append(analyze.Stemmed(), "bg", "ca", "cs", "el", "eu", "ga", "gl", "hy", "id", "plain") {
		a := l.Of(lang)
		for _, word := range slices.Compact(slices.Sorted(strings.FieldsSeq(string(text)))) {
			for _, token := range a.Word([]byte(word)) {
				m := Matcher{Analyzer: a, Terms: map[string]float64{string(token.Term): 1}}
				if m.Prepare(); len(m.Find([]byte(word))) == 0 {
					t.Errorf("%s: %q isn't found in %q", lang, token.Term, word)
				}
			}
		}
	}
}

// TestStartsOfTexts is the same for all words of real texts, one by one.
func TestStartsOfTexts(t *testing.T) {
	l, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := Matcher{Analyzer: l.Of(analyze.English)}
		seen := map[string]bool{}
		for _, token := range m.Analyzer.Analyze(slices.Clone(text)) {
			if term := string(token.Term); !seen[term] && len(seen) < 80 {
				seen[term] = true
				m.Terms, m.starts = map[string]float64{term: 1}, nil
				want := m.Find(text)
				m.starts = newStarts(m.Terms, nil)
				if diff := cmp.Diff(m.Find(text), want, cmp.AllowUnexported(match{})); diff != "" {
					t.Fatalf("%s: %q: %s", name, term, diff)
				}
			}
		}
	}
}

// TestWordwise: a text has the tokens of what stands between its blanks, in every language.
func TestWordwise(t *testing.T) {
	l, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"don't", "l'avion", "e.g.", "_foo_", "3com", "Äpfel", "Kelvin", "naïve", "d’une", "Häuser", "дома", "Книги", "σπίτι", "بيت", "کتاب\u200cها", "घर", "տուն", "日本語", "한국어", "İstanbul", "x\u0301y", "\u200d", "go-to", "[a](b)", "**c**"}
	rapid.Check(t, func(t *rapid.T) {
		lang := rapid.SampledFrom(append(analyze.Stemmed(), "bg", "ca", "cjk", "cs", "el", "eu", "ga", "gl", "hy", "id", "plain")).Draw(t, "language")
		word := rapid.OneOf(rapid.SampledFrom(words), rapid.StringMatching(`[a-zäöüßéèçñ]{1,8}`))
		var text strings.Builder
		for range rapid.IntRange(0, 20).Draw(t, "words") {
			text.WriteString(word.Draw(t, "word") + rapid.SampledFrom([]string{" ", "\n", ", ", "-", "'", ".", ":", "_", "(", "/", "' ", "\x00", "\x7f", "\r\n", "\t", "\u00a0", " \u0301", ""}).Draw(t, "gap"))
		}
		m := Matcher{Analyzer: l.Of(lang)}
		var got, want []string
		add := func(all *[]string, term []byte, at Span) {
			if lang == "fa" {
				at = Span{} // its analyzer shortens the text, and counts in that
			}
			*all = append(*all, fmt.Sprintf("%s %v", term, at))
		}
		m.tokens([]byte(text.String()), func(term []byte, at Span) { add(&got, term, at) })
		for _, token := range m.Analyzer.Analyze([]byte(text.String())) {
			add(&want, token.Term, Span{token.Start, token.End})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s: %q: %s", lang, text.String(), diff)
		}
	})
}
