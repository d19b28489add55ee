package value

import (
	"testing"

	"kist/agent/language"
)

func TestOnly(t *testing.T) {
	for text, want := range map[string]string{
		"not so important":            "low",
		"really urgent":               "urgent",
		"high priority":               "high",
		"it is not that urgent":       "low",
		"ring the urgent care centre": "",
		"not so important people":     "",
		"the fridge":                  "",
	} {
		toks := language.Tokenize(text)
		got := ""
		if Only("priority", toks) {
			got = Of("priority", toks)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
