package todo

import (
	"testing"
	"time"

	"kist/agent/language"
)

func TestFeasts(t *testing.T) {
	now := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"send the invitations before Christmas":  "2026-12-24",
		"finish the score by New Year's Eve":     "2026-12-31",
		"print the cards by Valentine's Day":     "2027-02-14",
		"order the Christmas presents":           "",
		"plan Christmas":                         "",
		"decorate the hall for Christmas":        "",
		"write the New Year speech":              "",
		"call Eve about the boxing day schedule": "",
	} {
		got := Read(text, language.Tokenize(text), now)
		if got.Due != want {
			t.Errorf("%q is due %q, want %q (title %q)", text, got.Due, want, got.Title)
		}
	}
}

// "first" is dropped where it leads to what is to be done, and no part of it.
func TestFirst(t *testing.T) {
	for text, want := range map[string]string{"first aider": "First aider", "first call Bo": "Call Bo", "first, the paint": "The paint"} {
		if got := Read(text, language.Tokenize(text), time.Time{}).Title; got != want {
			t.Errorf("%q is called %q, want %q", text, got, want)
		}
	}
}
