package title

import (
	"strings"
	"testing"
)

// What points to several things has their names, if just one row of them was said; in doubt
// it is as it was.
func TestNamedRows(t *testing.T) {
	for said, want := range map[string]string{
		"The venue wants a stage plan and the tax form, I still have to | send both of them":    "Send a stage plan and the tax form",
		"The bank sent a form and a list of dates. I need to | return them":                     "Return a form and a list of dates",
		"We're short of napkins, cups and plates, somebody has to | get them":                   "Get napkins, cups and plates",
		"We still lack glue, string and scissors. | Buy all three":                              "Buy glue, string and scissors",
		"Two chairs and a table are broken, we have to | repair them":                           "Repair two chairs and a table",
		"Otto needs a visa and a passport. I have to | get him both by March":                   "Get him a visa and a passport by March",
		"On Friday, a plan and a map came, I have to | sign both":                               "Sign a plan and a map",
		"The copies of the plan and the keys are here, I have to | fetch them":                  "Fetch the copies of the plan and the keys",
		"You forgot the lease: I have to | sign it":                                             "Sign the lease",
		"Éclairs, buns and cakes are missing, I have to | buy them":                             "Buy éclairs, buns and cakes",
		"The tenants want a key and a parking permit, I have to | call them":                    "Call them",
		"The band lacks mikes, cables and stands, I have to | hire them":                        "Hire them",
		"I rang Bo and the bus is booked. I have to | pay them":                                 "Pay them",
		"The hall wants a plan and a list, the bus a deposit and a name. I have to | send them": "Send them",
		"The hall wants a plan and a list, I have to | send all three":                          "Send all three",
		"The hall wants a plan and a list, and | both parties sign it":                          "Both parties sign it",
		"The hall wants a plan and a list. | Pay all of the invoices":                           "Pay all of the invoices",
	} {
		before, title, _ := strings.Cut(said, "| ")
		if got := Named(strings.ToUpper(title[:1])+title[1:], before+title); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// Several things done to what isn't named are no task, and one of several things has parts.
func TestRowsOfTitles(t *testing.T) {
	for _, title := range []string{"find both of them", "order the three", "send him both", "get these", "fetch all of those"} {
		if worded, ok := OfTask(title); ok {
			t.Errorf("%q is the task %q", title, worded)
		}
	}
	for title, want := range map[string]string{
		"Book the hall and the choir":         "Book the hall; Book the choir",
		"Coach to hire and the hotel in Graz": "Coach to hire; The hotel in Graz",
		"Paint the gate, oil the hinges":      "Paint the gate; Oil the hinges",
		"Book the hall":                       "Book the hall",
	} {
		if got := strings.Join(Parts(title), "; "); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}
