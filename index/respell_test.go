package index

import "testing"

// TestAccents: a short word is found with an accent that it was typed without.
func TestAccents(t *testing.T) {
	f := start(t, "-- a.md --\nThe café by the harbour.\n-- b.md --\nA cave, a cage and a card.\n")
	f.finds("cafe", "a.md")
	f.finds("café", "a.md")
	f.finds("cafz")
}
