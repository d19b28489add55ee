package prose

import "testing"

// A reply that names a project's inbox doesn't cite the vault's.
func TestCites(t *testing.T) {
	for _, test := range []struct {
		reply string
		want  bool
	}{
		{"Noted in `projects/choir/notes/inbox.md`.", false},
		{"“x” (inbox.md:3)", true},
		{"`projects/choir/notes/inbox.md` and inbox.md", true},
		{"Noted.", false},
	} {
		if got := Cites(test.reply, "inbox.md"); got != test.want {
			t.Errorf("Cites(%q) = %v", test.reply, got)
		}
	}
}
