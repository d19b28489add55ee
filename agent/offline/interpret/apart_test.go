package interpret

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

// What is said to be a project of its own: its name, whether it is only offered, and what
// there is to do in it.
func TestApart(t *testing.T) {
	for _, row := range strings.Split(strings.TrimSpace(`
treat the dormer windows as a project in their own right | Dormer Windows
could you store all that as a new project named Bramble | Bramble
Let's have the accordion as a project of its own | Accordion
the allotment deserves its own project | Allotment
I think the roof garden ought to be its own project | Roof Garden
My aunt wants a bench by June. That's another project then, name it Fern Street. | Fern Street
That's a different project altogether. Call it Kestrel. | Kestrel
also the camera upgrade is a separate thing, but the vendor needs a slot by feb | Camera Upgrade?
should I make the staircase a separate project? | Staircase?
I've agreed to run the village fete in July. Would you keep that as a project of its own, please? | Village Fete
the janitor wants the gym lit by half term, new proj, 6 lamps | 
no no don't touch the loft start a new project called Tom's party | Tom's party
no leave the loft alone open a project called Tree House and add buy rope | Tree House: Buy rope
new project Tom's party I'm baking for forty people on the 9th of May | Tom's party
start a new project Hedge Club the others meet every second Monday | Hedge Club
set up a project called Cellar Door, and the first job is to measure the frame | Cellar Door: Measure the frame
make that its own project call it Tom's party and put the cake in there | Tom's party
please don't make that a project of its own | -
that's not a project of its own | -
don't start a new project called Fern | -
is the staircase a separate project? | -
the choir tour is a separate project | -
Our architect has another project until March | -
The staircase is a separate quote, 2,400 from Hobbs | -
This is a big project and I'm tired | -
`), "\n") {
		text, want, _ := strings.Cut(row, " |")
		projects := []model.Project{{Slug: "loft", Name: "Loft Conversion"}, {Slug: "choir-tour", Name: "Choir Tour"}}
		r := Reader{sit: model.Situation{Now: offlinetest.Saturday, Project: &projects[0], Projects: projects, Turns: 1}}
		got := "-"
		list := r.Read(text)
		if i := slices.IndexFunc(list, func(m Meaning) bool { return m.Intent == intent.CreateProject }); i >= 0 {
			if got = list[i].Name; !list[i].Sure {
				got += "?"
			}
			for _, m := range list[i+1:] {
				if len(m.Todos) == 1 && !list[i].Points {
					got = fmt.Sprintf("%s: %s", got, m.Todos[0].Title)
				}
			}
		}
		if want = strings.TrimSpace(want); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestCalledInstead(t *testing.T) {
	for text, want := range map[string]string{
		"no, just call it School garden":                        "School garden",
		"yes, but I'd like it to be called “Harvest”":           "Harvest",
		"Sure, and name it The Long Way":                        "The Long Way",
		"yes, under the name of Otters":                         "Otters",
		"call it Otters and Eels and put the pond in there":     "Otters and Eels",
		"don't call it Harvest":                                 "",
		"she called yesterday about the rent":                   "",
		"we're calling it Signal and Steam rent is 900 a month": "Signal and Steam",
		"yes":                "",
		"what is it called?": "",
		"it's called Anna's lunch she wants it on the 4th of May": "Anna's lunch",
	} {
		if got := CalledInstead(text); got != want {
			t.Errorf("CalledInstead(%q) = %q, want %q", text, got, want)
		}
	}
}
