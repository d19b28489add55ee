package recall

import "testing"

func TestBeside(t *testing.T) {
	for _, c := range []struct{ text, project, rest string }{
		{"Nothing to do with the book: my tax papers are due", "History of the Club", "my tax papers are due"},
		{"By the way, nothing to do with the roof, but I must ring the dentist", "Roof", "I must ring the dentist"},
		{"Mum's operation is on Tuesday, not about the attic, I must bring her slippers", "Attic", "Mum's operation is on Tuesday, I must bring her slippers"},
		{"It's Toby's birthday, that has nothing to do with the choir of course.", "Choir's Trip", "It's Toby's birthday."},
		{"I must fetch the cello on Friday. That has nothing to do with this project", "Roof", "I must fetch the cello on Friday"},
		{"Unconnected with the boat, the boiler is due on 9 December", "Old Boat", "the boiler is due on 9 December"},
		{"this isnt for the flat but I must bring the form to the office", "Flat", "I must bring the form to the office"},
		{"Separate from the fieldwork: a review for a journal", "Fieldwork 2027", "a review for a journal"},
		{"Different matter entirely: at the old shop the orders close on 12 December", "Second Shop", "at the old shop the orders close on 12 December"},
		{"On another note, my sister's birthday is on 3 May", "Second Shop", "my sister's birthday is on 3 May"},
		{"Another thing: the permit is missing", "Second Shop", ""},
		{"A different matter", "Second Shop", ""},
		{"This isn't for the flat, it's for the shed", "Flat", ""},
		{"A separate tank for the diesel", "Boat", ""},
		{"No, that has nothing to do with the roof!", "Roof", ""},
		{"The delay has nothing to do with the weather", "Roof", ""},
		{"It's late, which has nothing to do with the weather", "Roof", ""},
		{"The gutter isn't part of the roof", "Roof", ""},
	} {
		rest, ok := Beside(c.text, c.project)
		if ok != (c.rest != "") || ok && rest != c.rest {
			t.Errorf("Beside(%q) = %q, %v", c.text, rest, ok)
		}
	}
}
