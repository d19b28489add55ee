package dictate

import "testing"

func TestAdopted(t *testing.T) {
	for said, want := range map[string]string{
		"turn the note Kitchen into a project":        "Kitchen",
		"Please make my note Garden plans a project.": "Garden plans",
		"start a project for Projects/Kitchen.md":     "Projects/Kitchen",
		"make the project of People/Anna Berg":        "People/Anna Berg",
		"create a project from the note Anna Berg":    "Anna Berg",
		"can you make [[Kitchen]] a project?":         "Kitchen",
		"adopt Projects/Kitchen.md as a project":      "Projects/Kitchen",
		"make Kitchen.md a project":                   "Kitchen",
		"turn the note “Kitchen” into a project":      "Kitchen",
		"start a project for the kitchen":             "",
		"make the kitchen a project":                  "",
		"turn that into a project":                    "",
		"make a note of the project":                  "",
		"make a project plan":                         "",
		"turn the note Kitchen into a list":           "",
	} {
		got, sure := Adopted(said)
		if sure && got == "People/Anna Berg" {
			t.Errorf("%q is surely a note", said)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
