package language

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Each line of testdata/dates.txt is a day, or two where people differ, or "-" for
// none, and a phrase in which it is to be found.
func TestDatePhrases(t *testing.T) {
	text, err := os.ReadFile("testdata/dates.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		want, phrase, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		n++
		got := "-"
		if d, ok := FindDate(Tokenize(phrase), saturday); ok {
			got = ISODay(d.Day)
		}
		if !slices.Contains(strings.Split(want, "/"), got) {
			t.Errorf("%q: %s, want %s", phrase, got, want)
		}
	}
	if n < 100 {
		t.Errorf("only %d phrases", n)
	}
}
