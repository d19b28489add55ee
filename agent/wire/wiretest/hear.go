package wiretest

import (
	"iter"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"kist/agent/model"
)

// Heard is what an answer told, but for its error.
type Heard struct {
	Text, Thinking, Notices string
	Calls                   []model.Call
	State                   *model.State
	Usage                   *model.Usage
	Stop                    model.Stop
}

// Hear listens to an answer and checks what holds for each, whatever a server sends: one
// field in each event, text that can be shown, calls only of an answer that came to its end,
// and nothing after a stop or an error.
func Hear(t testing.TB, answer iter.Seq2[model.Event, error]) (h Heard, fault error) {
	t.Helper()
	var text, thinking, notices strings.Builder
	for e, err := range answer {
		if h.Stop != "" || fault != nil {
			t.Errorf("after the end: %+v, %v", e, err)
		}
		if err != nil {
			fault = err
			continue
		}
		if set(e) != 1 {
			t.Errorf("not one field: %+v", e)
		}
		for _, s := range []string{e.Text, e.Thinking, e.Notice} {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, unshown) {
				t.Errorf("text that can't be shown: %q", s)
			}
		}
		if e.Back {
			text.Reset()
		}
		text.WriteString(e.Text)
		thinking.WriteString(e.Thinking)
		notices.WriteString(e.Notice)
		switch {
		case e.Call != nil:
			h.Calls = append(h.Calls, *e.Call)
		case e.State != nil:
			h.State = e.State
		case e.Usage != nil:
			h.Usage = e.Usage
		}
		h.Stop = e.Stop
	}
	h.Text, h.Thinking, h.Notices = text.String(), thinking.String(), notices.String()
	if len(h.Calls) > 0 && h.Stop == "" {
		t.Errorf("calls of an answer without an end: %+v", h)
	}
	return h, fault
}

func unshown(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// set counts the fields of an event that are set.
func set(e model.Event) (n int) {
	for _, is := range []bool{e.Text != "", e.Thinking != "", e.Back, e.Call != nil, e.State != nil, e.By != nil, e.Notice != "", e.Ask != nil, e.Usage != nil, e.Stop != ""} {
		if is {
			n++
		}
	}
	return n
}
