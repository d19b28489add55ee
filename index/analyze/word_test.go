package analyze

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A word has the same tokens whether it is remembered or not, and not all are.
func TestWord(t *testing.T) {
	langs, err := NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	a := langs.Of(English)
	for i := range 5 * maxWords {
		text := fmt.Sprintf("running%d-boats", i%(3*maxWords))
		if i%2 == 0 {
			text = fmt.Sprintf("Engines%d", i%50)
		}
		want := a.Analyze([]byte(text))
		for range 2 {
			got := a.Word([]byte(text))
			if len(got) != len(want) || string(got[0].Term) != string(want[0].Term) || got[0].End != want[0].End {
				t.Fatalf("%s: %v, want %v", text, got, want)
			}
		}
		if n := len(a.words.now) + len(a.words.old); n > 2*maxWords {
			t.Fatalf("%d words are remembered", n)
		}
	}
	if _, known, fresh := a.words.find(English, []byte("Engines0")); !known || !fresh {
		t.Error("a word that was asked for all the time is forgotten")
	}
}

// A word of letters has the same tokens when nobody cuts it out, in every language.
func TestOneWord(t *testing.T) {
	langs, err := NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	quick := 0
	for _, lang := range append(Stemmed(), "bg", "ca", "cjk", "cs", "el", "eu", "ga", "gl", "hy", "id", "plain") {
		a := langs.Of(lang)
		for _, word := range []string{"a", "The", "of", "boats", "Running", "IŞIK", "ISIK", "qu", "niedawno", "Haeuser", "und", "kan", "lavoro", "anden", "x1", "don't", "zq", "INTERNATIONALISATION", "e-mail", "", "Äpfel", "straße", "ÉTÉS", "słowo", "żółć", "Ligação", "große", "İstanbul", "ığdır", "œuvre", "ĳs", "książek", "Дома", "книгами", "ёлка", "ЇЖАК", "Ǆ", "ŉ", "ſ", "ǰ"} {
			got, ok := a.oneWord([]byte(word))
			if ok {
				quick++
				if diff := cmp.Diff(a.Analyze([]byte(word)), got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s: %q: %s", lang, word, diff)
				}
			}
		}
	}
	if quick < 200 {
		t.Errorf("%d words are taken so: this proves little", quick)
	}
}

// Tokens are where they are said to be, behind the joiners of Persian words too, which part them.
func TestOffsets(t *testing.T) {
	l, err := NewLanguages()
	if err != nil {
		t.Fatal(err)
	}
	text := "نمی\u200cشود و می\u200cخواهد: keel"
	tokens := l.Of("fa").Analyze([]byte(text))
	if last := tokens[len(tokens)-1]; text[last.Start:last.End] != "keel" {
		t.Errorf("%q for %q", text[last.Start:last.End], last.Term)
	}
}
