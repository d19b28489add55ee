package section

import (
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"pgregory.net/rapid"

	"kist/index/analyze"
	"kist/index/match"
)

// An occurrence is what is told of one.
type occurrence struct {
	Beside
	Form
}

// occurrences are those of a term in the body of a document.
func occurrences(t interface{ Fatal(...any) }, a analyze.Analyzer, body, term string) (all []occurrence) {
	d := document.NewDocument("x")
	New("Title", []Section{{Body: []byte(body)}}, a).AddTo(d)
	for _, f := range d.Fields {
		if f.Analyze(); f.Name() != FieldBody {
			continue
		}
		if known := f.AnalyzedTokenFrequencies()[term]; known != nil {
			for _, l := range known.Locations {
				all = append(all, occurrence{BesideAt(uint64(l.End)), FormAt(uint64(l.Start))})
			}
		}
	}
	return all
}

func TestBeside(t *testing.T) {
	a := analyzer(t)
	for _, c := range []struct {
		body, phrase string
		want         bool
	}{
		{"a boat, of the keel; in oak", "the keel in", true},
		{"a boat, of THE *keel* in oak", "the keel in", true},
		{"a boat, of the keel; on oak", "the keel in", false},
		{"a boat, of a keel in oak", "the keel in", false},
		{"boat keel in oak", "the keel in", false},     // a word that counts is before it
		{"keel in oak", "the keel in", true},           // what comes before isn't known
		{"boat of the keel", "the keel in", true},      // nor what comes behind
		{"boat the don't-keel's in", "the keel", true}, // nor what is in a word of several parts
		{"oak of the keel, oak", "keel in", false},
		{"oak keel in the harbour", "keel in", true},
		{"a boat, of the keel", "of the keel", true},
		{"a boat, in the keel", "of the keel", false},
		{"boat, the keel", "of the keel", false},
		{"the keel", "of the keel", true}, // what is farther isn't known
		{"a keel of the boat", "keel of the", true},
		{"a keel of a boat", "keel of the", false},
	} {
		want := Wanted(c.phrase, nil, &analysis.Token{Start: strings.Index(c.phrase, "keel"), End: strings.Index(c.phrase, "keel") + 4}, nil)
		if want == 0 {
			t.Fatalf("%q says nothing", c.phrase)
		}
		found := occurrences(t, a, c.body, "keel")
		if len(found) == 0 {
			t.Fatalf("%q hasn't it", c.body)
		}
		if got := slices.ContainsFunc(found, func(o occurrence) bool { return o.Beside.Meets(want) }); got != c.want {
			t.Errorf("%q in %q: %v", c.phrase, c.body, got)
		}
	}
	if Wanted("keel", nil, &analysis.Token{Start: 0, End: 4}, nil) != 0 {
		t.Error("a word alone wants something beside it")
	}
}

// No text is passed over that has a phrase, in any language.
func TestBesidePassesNothingOver(t *testing.T) {
	l, err := analyze.NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"the", "keel", "Keels", "KEEL", "İ", "of", "Don't", "l'avion", "de", "la", "und", "das", "die", "e-mail", "Häfen", "x_1", "3.14", "och", "ett", "в", "дом", "на", "user's", "it", "Ça", "ae\u0301", "می\u200cشود", "龍骨", "カ", "ไทย", "용골"}
	// Words that a mark alone joins ("keel'the") are one to the index, and no place of either.
	gaps := []string{" ", " ", " ", ", ", "\n", " — ", ". ", "的"}
	// over tells whether a text that has the phrase's word is passed over.
	over := func(t interface{ Fatal(...any) }, a analyze.Analyzer, phrase, text string) bool {
		tokens := a.Analyze([]byte(phrase))
		if len(tokens) != 1 {
			return false
		}
		want, form := Wanted(phrase, nil, tokens[0], nil), WantedForm(phrase, tokens[0])
		found := occurrences(t, a, text, string(tokens[0].Term))
		return len(found) > 0 && !slices.ContainsFunc(found, func(o occurrence) bool { return o.Beside.Meets(want) && o.Form.Meets(form) })
	}
	if !over(t, l.Of("en"), "the keel", "A hull, of keel and frames") || !over(t, l.Of("en"), "keels", "A hull, of keel and frames") {
		t.Error("nothing is passed over: this proves nothing")
	}
	rapid.Check(t, func(t *rapid.T) {
		a := l.Of(rapid.SampledFrom(append(analyze.Stemmed(), "bg", "ca", "cjk", "cs", "el", "ga", "id", "plain")).Draw(t, "language"))
		var text strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "words") {
			text.WriteString(rapid.SampledFrom(words).Draw(t, "word") + rapid.SampledFrom(gaps).Draw(t, "gap"))
		}
		phrase := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, "phrase"), " ")
		if over(t, a, phrase, text.String()) && match.NewPhrase(phrase).In([]byte(strings.ToLower(text.String()))) {
			t.Fatalf("%s: %q is in %q and was passed over", a.Name, phrase, text.String())
		}
	})
}
