package analyze

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func TestDetect(t *testing.T) {
	l, err := NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	notes, err := os.ReadFile("../testdata/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse(notes).Files {
		want := strings.TrimSuffix(f.Name, ".md")
		if got := l.Detect(f.Data); got != want {
			t.Errorf("%s is taken for %s", want, got)
		}
	}
	for text, want := range map[string]string{
		"":                                 English,
		"Boot, Motor":                      English, // too little to tell
		"```\nder die das und nicht\n```":  English,
		strings.Repeat("boat sail 東 ", 50): English,
		strings.Repeat("x", 10_000):        English,
		strings.Repeat("\xff", 1000):       English,
	} {
		if got := l.Detect([]byte(text)); got != want {
			t.Errorf("%.20q is taken for %s", text, got)
		}
	}
}

// Each language that is told by its words has a list of stop words and an analyzer.
func TestLanguagesAreComplete(t *testing.T) {
	l, err := NewLanguages()
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
		if a := l.Of(name); a.Name != name {
			t.Errorf("%s has the analyzer of %s", name, a.Name)
		}
	}
	for tag, want := range map[string]string{"de-AT": "de", "pt_BR": "pt", " EN ": "en", "zh-Hant-TW": "zh", "german": "", "": "", "7x": "", "tlh": "tlh"} {
		if got := Base(tag); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
	}
}
