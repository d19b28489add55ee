package model

import (
	"strings"
	"testing"
)

// TestTokensOfIndentedText: a tokenizer has tokens of many spaces, so that a line costs
// little more for being indented.
func TestTokensOfIndentedText(t *testing.T) {
	line := "the licence grants you these rights"
	flat, indented := Tokens(strings.Repeat(line+"\n", 100)), Tokens(strings.Repeat("        "+line+"\n", 100))
	if indented <= flat || indented > flat*5/4 {
		t.Errorf("%d, indented %d", flat, indented)
	}
	if Tokens("a b c d") <= Tokens("abcd") {
		t.Error("single spaces cost nothing")
	}
}

// TestTokensOfKinds: texts of several kinds, each beside how many tokens OpenAI's cl100k
// makes of it. Before words were counted, the legal text was taken for half as much again.
func TestTokensOfKinds(t *testing.T) {
	for text, want := range map[string]int{
		"Subject to the terms and conditions of this agreement, each contributor hereby grants to you a perpetual, worldwide, non-exclusive, no-charge, royalty-free, irrevocable licence.": 37,
		"The surveyor looked at the hull on Monday: near the stern two planks are soft, the rest is sound.":                                                                                 24,
		"func (m *Model) current() float64 {\n\tm.mu.Lock()\n\tdefer m.mu.Unlock()\n\treturn m.ratio\n}\n":                                                                                  26,
		`{"type":"object","properties":{"title":{"type":"string","maxLength":200},"due":{"type":"string"}}}`:                                                                                24,
		"Die Abfahrt ist auf den Freitag verschoben, weil das Ersatzteil für den Motor noch nicht da ist und der Hafenmeister keine Zeit hat.":                                              37,
		"golang.org/x/text v0.41.0 h1:+7PT9VtrKWb9ZUCeFfHk+4Pd95s8vGyx32CmnpOBgXM=":                                                                                                         47,
	} {
		if got := Tokens(text); float64(got) < float64(want)*0.8 || float64(got) > float64(want)*1.45 {
			t.Errorf("%d tokens, want about %d: %s", got, want, text)
		}
	}
}

// TestTokensAreRemembered: what was counted before is counted the same, and of a text that
// only begins alike, or is as long, nothing is said.
func TestTokensAreRemembered(t *testing.T) {
	long := strings.Repeat("The hull is sound, the stern isn't. ", 40)
	other := strings.Repeat("12 45 78 01 34 67 90 23 56 89 12 45 ", 40)
	first := Tokens(long)
	if len(long) != len(other) || Tokens(long) != first || first == Tokens(other) || Tokens(long+"more of it") <= Tokens(long) {
		t.Errorf("%d, %d, %d", Tokens(long), Tokens(other), Tokens(long+"x"))
	}
}

// TestTokensOfTongues: in other languages than English a word is in more pieces.
func TestTokensOfTongues(t *testing.T) {
	words := func(text string) float64 { return float64(Tokens(text)) / float64(len(strings.Fields(text))) }
	english := words("The departure has been moved to Friday, because the part for the engine is not there yet and the harbour master has no time.")
	for name, text := range map[string]string{
		"German": "Die Abfahrt ist auf den Freitag verschoben, weil das Teil noch nicht da ist und der Hafenmeister keine Zeit hat.",
		"French": "Le départ est remis à vendredi, parce que la pièce pour le moteur n'est pas encore là et que le maître du port n'a pas le temps.",
		"Dutch":  "Het vertrek is naar vrijdag verplaatst, omdat het onderdeel voor de motor er nog niet is en de havenmeester geen tijd heeft.",
	} {
		if got := words(text); got < english*1.2 {
			t.Errorf("%s: %.2f tokens a word, English %.2f", name, got, english)
		}
	}
}

// TestTokensEnd: whatever bytes a text has, it is counted, and to some end.
func TestTokensEnd(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			text := string([]byte{byte(a), byte(b)})
			if n := Tokens(text); n < 0 || n > 8 {
				t.Errorf("%q has %d tokens", text, n)
			}
		}
	}
	if n := Tokens("wh\x00at is \x1bthis?"); n < 3 || n > 16 {
		t.Errorf("with control characters: %d", n)
	}
}
