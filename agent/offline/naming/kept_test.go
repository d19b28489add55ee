package naming

import "testing"

func TestKept(t *testing.T) {
	for text, want := range map[string]string{
		"I'm planning my sister's wedding. Book the band.":                    "Sister's Wedding",
		"I'm writing a novel called The Salt House":                           "The Salt House",
		"start a project for a novel called “The Salt House”":                 "The Salt House",
		"a novel titled Tales of the Harbour, set in 1920":                    "Tales of the Harbour",
		"I want to open a coffee shop":                                        "",
		"Hi, so my dad is 84 and has finally agreed to move out of the house": "Dad's Move",
		"Our parents are moving to Spain in May":                              "Parents' Move",
		"my sister is getting married in June and I do the food":              "Sister's Wedding",
		"my dad says we should move the shed":                                 "",
		"my brother is ill. We move on Monday":                                "",
		"my sister's neighbour has a dog":                                     "",
		"We have to book the band. It is for our brother's party.":            "",
		"create a project called houseboat":                                   "",
		"My partner's Ana, the midwife's called Hannah":                       "",
	} {
		if got := Kept(text); got != want {
			t.Errorf("keptName(%q) = %q, want %q", text, got, want)
		}
	}
}
