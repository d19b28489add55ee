package language

import "testing"

func TestPaired(t *testing.T) {
	for text, want := range map[string]string{
		"Hmac check)": "Hmac check", "(mit Lena": "mit Lena", "besichtigen (mit Lena)": "besichtigen (mit Lena)",
		"Hmac check), docs": "Hmac check, docs", `read "The Salt House`: "read The Salt House", `read "Salt"`: `read "Salt"`, `5" pipes`: `5" pipes`,
		"a [b (c] d)": "a [b (c] d)", "call it 'Ring Bo'": "call it 'Ring Bo'", "the girls' room": "the girls' room",
	} {
		if got := Spell(text, Paired(Tokenize(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// What is cut out of quotation marks keeps none of them.
func TestPairedInside(t *testing.T) {
	text := "call it 'Ring Bo about the girls' please"
	toks := Tokenize(text)
	if got := Spell(text, Paired(toks[3:len(toks)-1])); got != "Ring Bo about the girls" {
		t.Errorf("%q", got)
	}
}
