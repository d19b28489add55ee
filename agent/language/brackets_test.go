package language

import "testing"

func TestPaired(t *testing.T) {
	for text, want := range map[string]string{
		"Hmac check)": "Hmac check", "(mit Lena": "mit Lena", "besichtigen (mit Lena)": "besichtigen (mit Lena)",
		"Hmac check), docs": "Hmac check, docs", `read "The Salt House`: "read The Salt House", `read "Salt"`: `read "Salt"`, `5" pipes`: `5" pipes`,
		"a [b (c] d)": "a [b (c] d)",
	} {
		if got := Spell(text, Paired(Tokenize(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
