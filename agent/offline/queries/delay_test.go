package queries

import (
	"strconv"
	"strings"
	"testing"

	"kist/agent/language"
)

func TestDelay(t *testing.T) {
	for _, row := range strings.Split(strings.TrimSpace(`
what if the painting is two weeks late? | painting 14
What happens if the cable comes 10 days later | cable 10
what would a delay of three weeks of the cable do? | cable 21
suppose the surveyor is a month late | surveyor 30
how much would it change if paint the hull slipped by 2 weeks? | paint hull 14
the painting slips by two weeks | 0
what if the painting is late? | 0
what's late? | 0
when will we be done? | 0
`), "\n") {
		text, want, _ := strings.Cut(row, "|")
		title, days := Delay(language.Tokenize(strings.TrimSpace(text)))
		got := "0"
		if days > 0 {
			got = title + " " + strconv.Itoa(days)
		}
		if got != strings.TrimSpace(want) {
			t.Errorf("%s: %q, want %q", text, got, strings.TrimSpace(want))
		}
	}
}
