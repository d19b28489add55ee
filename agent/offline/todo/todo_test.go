package todo

import (
	"strings"
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

// A weekday that stands alone behind what is to be done is its day.
func TestBareDay(t *testing.T) {
	now := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"repaint the gate sun":      "Repaint the gate 2026-11-22",
		"fetch two bags lime sat":   "Fetch two bags lime 2026-11-21",
		"ring Ewa mon re the puppy": "Ring Ewa re the puppy 2026-11-23",
		"buy sun cream":             "Buy sun cream ",
		"a parasol against the sun": "A parasol against the sun ",
	} {
		if got := Read(text, language.Tokenize(text), now); got.Title+" "+got.Due != want {
			t.Errorf("%q is %q, due %q, want %q", text, got.Title, got.Due, want)
		}
	}
}

// What is counted is one thing to do for each number, whatever its commas; else each line is.
func TestLabelledLists(t *testing.T) {
	now := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"Tasks: 1) order programmes by 5 January 2) ask Tom, the caretaker, about chairs 3) dress rehearsal no. 2": "Order programmes; Ask Tom, the caretaker, about chairs; Dress rehearsal no. 2",
		"to do: (1) pay Bo (2) book the hall":     "Pay Bo; Book the hall",
		"to do:\ncall Ann, the florist\npay Bo\n": "Call Ann, the florist; Pay Bo",
		"tasks: call Ann; pay Bo, the baker":      "Call Ann; Pay Bo, the baker",
		"tasks: call Ann, pay Bo":                 "Call Ann; Pay Bo",
		"things to buy: 3 tables, 6 chairs":       "Buy 3 tables; Buy 6 chairs",
		"jobs while she's up: anodes, the gland":  "Anodes; The gland",
		"things are fine: anodes, the gland":      "",
		"ask Pam can she do the 21st instead":     "Ask Pam can she do the 21st instead",
		"I have to ask Bo if the 5th suits him":   "Ask Bo if the 5th suits him",
		"ask Bo if he wants it, by Friday":        "",
		"ask Bo for the form by Friday":           "",
	} {
		var got []string
		for _, one := range Labelled(text, language.Tokenize(text), func([]language.Token) bool { return false }, now) {
			got = append(got, one.Title)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Who orders a list to be written down gets each of its parts, and what is said behind it is left.
func TestOrdered(t *testing.T) {
	now := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"Please record these tasks for the loan: reports on all works; an export licence; crates. Bo is away.": "Reports on all works; An export licence; Crates | Bo is away.",
		"add tasks for the fair: 1) call Ann, the florist 2) pay Bo":                                           "Call Ann, the florist; Pay Bo | ",
		"add tasks for the fair: call Ann, pay Bo":                                                             " | ",
		"I finished these tasks: reports; licence":                                                             " | ",
		"which tasks are open in the loan: all; any":                                                           " | ",
	} {
		var got []string
		_, list, rest := Ordered(text, now)
		for _, one := range list {
			got = append(got, one.Title)
		}
		if got := strings.Join(got, "; ") + " | " + rest; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
