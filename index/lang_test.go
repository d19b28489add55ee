package index

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func languageNotes(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
