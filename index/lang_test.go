package index

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func languageNotes(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDetect(t *testing.T) {
	l, err := newLanguages()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(languageNotes(t))).Files {
		want := strings.TrimSuffix(f.Name, ".md")
		if got := l.detect(f.Data); got != want {
			t.Errorf("%s is taken for %s", want, got)
		}
	}
	for text, want := range map[string]string{
		"":                                 english,
		"Boot, Motor":                      english, // too little to tell
		"```\nder die das und nicht\n```":  english,
		strings.Repeat("boat sail 東 ", 50): english,
		strings.Repeat("x", 10_000):        english,
		strings.Repeat("\xff", 1000):       english,
	} {
		if got := l.detect([]byte(text)); got != want {
			t.Errorf("%.20q is taken for %s", text, got)
		}
	}
}

// Each language that is told by its words has a list of stop words and an analyzer.
func TestLanguagesAreComplete(t *testing.T) {
	l, err := newLanguages()
	if err != nil {
		t.Fatal(err)
	}
	seen := languageSet(0)
	for _, set := range l.stops() {
		seen |= set
	}
	for i, name := range l.names {
		if seen&(1<<i) == 0 {
			t.Errorf("no stop words of %s", name)
		}
		if a := l.of(name); a.name != name {
			t.Errorf("%s has the analyzer of %s", name, a.name)
		}
	}
	for tag, want := range map[string]string{"de-AT": "de", "pt_BR": "pt", " EN ": "en", "zh-Hant-TW": "zh", "german": "", "": "", "7x": "", "tlh": "tlh"} {
		if got := baseLanguage(tag); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
	}
}

func TestSearchInLanguages(t *testing.T) {
	f := start(t, languageNotes(t)+`
-- short.md --
---
lang: de-CH
---
Ein Haus.
-- english.md --
The houses and their plugin, and a boat for her.
`)
	for query, want := range map[string]string{
		"Haus lang:de":       "de.md short.md", // "Häuser", and by front matter
		"häuser -boot":       "short.md",
		"Häus* -Boot":        "short.md",
		"houses -boot":       "english.md",
		"house -boot":        "english.md",
		"cheval":             "fr.md", // "chevaux"
		"東京大学":               "ja.md",
		"東京":                 "ja.md",
		"春":                  "ja.md zh.md",
		"发动机":                "zh.md",
		"plugin lang:zh":     "zh.md", // an English word in another script
		"엔진은":                "ko.md",
		"лодка":              "ru.md", // "лодку"
		"σκάφος":             "el.md",
		"القارب":             "ar.md",
		"\"das Boot\"":       "de.md",
		"wenn er":            "de.md", // stop words of one language among many
		"lang:ko":            "ko.md",
		"lang:no-NO":         "no.md",
		"engine lang:en":     "en.md",
		"łodzi":              "pl.md", // "łódź"
		"silniki":            "pl.md",
		"barcos lang:es":     "es.md",
		"学":                  "ja.md", // the second sign of a pair
		"\"из воды\"":        "",
		"teknesi lang:tr":    "tr.md",
		"\"船を買って\"":          "ja.md",
		"heading:boat":       "",
		"body:boats lang:en": "en.md english.md",
	} {
		got := strings.Join(slices.Sorted(slices.Values(paths(f.search(query)))), " ")
		if got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	h := f.search("häuser lang:de -path:short.md").Hits[0]
	if got := highlighted(h); len(got) != 1 || got[0] != "Häuser" {
		t.Errorf("highlights %q of %q", got, h.Excerpt)
	}
}
