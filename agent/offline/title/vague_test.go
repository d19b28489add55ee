package title

import "testing"

// A title that says on its day of what it is, and one that doesn't.
func TestVague(t *testing.T) {
	for title, want := range map[string]Vagueness{
		"Find out": Thing, "Ask them about it": Thing, "Ask for one": Thing, "Call back": Thing, "Tell Bo so": Thing, "Order those": Thing,
		"Give her an answer": Person, "Post his card": Person, "Have a quiet word with her about the letter": Person,
		"Ring the plumber": Clear, "Book one room": Clear, "Find out about the visa": Clear, "Post that letter": Clear, "Paint": Thing, "The deposit": Clear,
	} {
		if got := Vague(title); got != want {
			t.Errorf("%q: %d, want %d", title, got, want)
		}
	}
	for said, want := range map[string]bool{
		"that means Winifred and old Mr Haddow, they're both 87": true, "do we need a fourth site? ": false, "I have to": false,
	} {
		if got := Person.NamedIn(said); got != want {
			t.Errorf("%q names somebody: %v", said, got)
		}
	}
	if Thing.NamedIn("add task") || !Thing.NamedIn("Then I need an extension from Annelies. ") || Thing.NamedIn("is it?") {
		t.Error("what names a thing")
	}
}
