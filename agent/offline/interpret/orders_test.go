package interpret

import (
	"fmt"
	"strings"
	"testing"

	"kist/agent/offline/offlinetest"
)

// Orders about tasks that are there stand beside each other and beside new ones, and none
// becomes the title of a task. A title between quotation marks is taken whole.
func TestOrdersAboutTasks(t *testing.T) {
	for said, want := range map[string]string{
		"Then rename the coach one to 'Hire the coach' and add a new task to ring the hotel by mid March": "update coach = Hire the coach | add Ring the hotel <2027-03-15>",
		"Then change the coach one to “Hire the bus” and add a task to call Anna":                         "update coach = Hire the bus | add Call Anna",
		"Tick off the coach booking and add a new task to pay the driver by Monday":                       "complete coach booking | add Pay the driver <2026-11-23>",
		"rename the napkins one to “Buy paper napkins”, then delete the plates one":                       "update napkins = Buy paper napkins | delete plates",
		"Change the gate task to \"Paint the gate\", and the hall one should be done by Friday":           "update gate = Paint the gate | update hall <2026-11-27>",
		"mark the hotel task done and add one for the bus":                                                "complete hotel | add The bus",
		"Call the photographer one 'Book Nina' and remove the old one":                                    "update photographer = Book Nina | delete old",
		"put the slides task on Monday and add a reminder to print them":                                  "update slides <2026-11-23> | add Print them",
		// several to go
		"No, 'Napkins' isn't a task, please throw that one away, and the old combined one with hotel and coach too": "delete Napkins | delete Napkins | delete old combined one with hotel and coach",
		"Throw that one away, and the old combined one too":                                                         "delete it | delete old combined",
		"delete the coach one and the hotel one":                                                                    "delete coach | delete hotel",
		"and bin the chase early one, that's part of the dump thing":                                                "delete chase early",
		// whole titles
		"delete 'Book the coach and the hotel'":          "delete Book the coach and the hotel",
		"tick off ‘Book the coach and the hotel’ please": "complete Book the coach and the hotel",
		"Rename 'Book the coach' to \"Hire the bus\"":    "update Book the coach = Hire the bus",
		// to be split
		"Split the coach and hotel task in two":                         "split coach and hotel",
		"The coach and the hotel are two things. Could you split them?": "split The coach and the hotel are two things",
		// no orders
		"I have to buy a new fridge and throw the old one away": "add Buy a new fridge; Throw the old one away",
	} {
		r := &Reader{sit: offlinetest.Situation("houseboat-renovation")}
		var got []string
		for _, m := range r.Read(said) {
			what := strings.Join(m.Titles, "; ")
			if len(m.Todos) > 0 {
				what = sayTodos(m)
			}
			if m.Points {
				what = "it"
			}
			if m.Change.Title != "" {
				what += " = " + m.Change.Title
			}
			if m.Change.Due != "" {
				what += " <" + m.Change.Due + ">"
			}
			if what != "" {
				got = append(got, fmt.Sprintf("%s %s", strings.TrimSuffix(string(m.Intent), "_task"), what))
			}
		}
		if all := strings.Join(got, " | "); all != want {
			t.Errorf("%q:\n %s, want\n %s", said, all, want)
		}
	}
}
