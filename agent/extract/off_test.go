package extract

import "testing"

func TestPointsOff(t *testing.T) {
	for text, want := range map[string]string{
		"tick that one off": "|tick", "Untick it.": "|open", "that's all three, so tick it off": "that's all three|tick",
		"I've found it! So you can cross that off.": "I've found it|tick", "oh no, wrong size. untick that one please": "oh no, wrong size|open",
		"can you mark it as done": "|tick", "that's done, tick it off my list": "that's done|tick",
		"I have to tick it off with Bo": "", "cross that bridge later": "", "tick off the roof": "", "I need to check that": "", "I should cross it off": "",
	} {
		told, open, ok := PointsOff(text)
		got := ""
		if ok {
			got = told + map[bool]string{true: "|open", false: "|tick"}[open]
		}
		if got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
