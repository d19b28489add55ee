package recall

import "testing"

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		text, project string
		want          bool
	}{
		{"And Emily has found a flat in Headingley", "Emily's Move to Leeds", true},
		{"So for the organ: I need to ring the builder", "Organ Restoration", true},
		{"lea paid the 200 upfront, 600 after the wedding", "Wedding Lea Ben", true},
		{"the opening of the exhibition is on the 15th", "Exhibition", true},
		{"Doreen does the cakes at the fete", "Summer Fete", true},
		{"the photo prints cost 640", "Photo Studio", false},
		{"the organ builder was charming", "Organ Restoration", false},
		{"we move the tap in summer", "Summer Fete", false},
		{"she has a new flat", "Emily's Move to Leeds", false},
		{"the restoration is late", "Organ Restoration", false},
		{"Hendry wants brass handles not chrome", "Hendry kitchen", true},
		{"Hendry's worktops are late", "Hendry kitchen", true},
		{"Garden chairs cost 40", "Garden Wall", false},
		{"", "Organ Restoration", false},
		{"anything", "", false},
	} {
		if got := Names(tt.text, tt.project); got != tt.want {
			t.Errorf("Names(%q, %q) = %v", tt.text, tt.project, got)
		}
	}
}
