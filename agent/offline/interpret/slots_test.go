package interpret

import (
	"strings"
	"testing"
	"time"

	"kist/agent/intent"
	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

func TestTasksAreReadWhole(t *testing.T) {
	tests := []struct{ active, text, want string }{
		{"houseboat-renovation", "add a task to order the cable by Friday", "Order the cable <2026-11-27>"},
		{"houseboat-renovation", "I need to order cable, book the electrician and sand the hull", "Order cable; Book the electrician; Sand the hull"},
		{"houseboat-renovation", "I need to buy milk, eggs and bread", "Buy milk, eggs and bread"},
		{"houseboat-renovation", "buy milk, eggs and bread tomorrow", "Buy milk, eggs and bread <2026-11-22>"},
		{"houseboat-renovation", "buy tape, wire and clips", "Buy tape, wire and clips"},
		{"houseboat-renovation", "I have to send photos, the receipt and a statement by Friday", "Send photos, the receipt and a statement <2026-11-27>"},
		{"houseboat-renovation", "call the plumber and book the van by Friday", "Call the plumber; Book the van <2026-11-27>"},
		{"houseboat-renovation", "todo: order paint; book the slipway; buy brushes", "Order paint; Book the slipway; Buy brushes"},
		{"houseboat-renovation", "add an urgent task to stop the leak", "Stop the leak !urgent"},
		{"houseboat-renovation", "task: get three quotes, high priority", "Get three quotes !high"},
		{"houseboat-renovation", "add \"Fix the door\" to my todo list", "Fix the door"},
		{"houseboat-renovation", "remind me next Friday to water the plants", "Water the plants <2026-11-27>"},
		{"houseboat-renovation", "add a task to the coffee shop: call the roaster", "Call the roaster @coffee-shop"},
		{"houseboat-renovation", "Add a task to call the landlord for the coffee shop by Monday", "Call the landlord <2026-11-23> @coffee-shop"},
		{"-", "remind me to check the bilge in the houseboat tomorrow", "Check the bilge <2026-11-22> @houseboat-renovation"},
		{"houseboat-renovation", "remind me to go to the shop", "Go to the shop"},
		{"houseboat-renovation", "add a task to buy coffee", "Buy coffee"},
		{"houseboat-renovation", "I have to schedule the electrician and finalize the interior layout by 5 December", "Schedule the electrician; Finalize the interior layout <2026-12-05>"},
		{"houseboat-renovation", "Add two tasks: paint the cabin and oil the hinges", "Paint the cabin; Oil the hinges"},
		{"houseboat-renovation", "- [ ] x\ntodo:\n- order paint\n- buy brushes", "Order paint; Buy brushes"},
		{"houseboat-renovation", "put 'replace the bilge pump' on my list", "Replace the bilge pump"},
		{"houseboat-renovation", "we need to renew the C5 licence on 3 March", "Renew the C5 licence <2027-03-03>"},
		{"houseboat-renovation", "don't forget to email Ingrid about the quote asap", "Email Ingrid about the quote !urgent"},
		{"houseboat-renovation", "add a task to sign the lease, and another to call the bank by Monday", "Sign the lease; Call the bank <2026-11-23>"},
	}
	for _, test := range tests {
		r := Reader{sit: offlinetest.Situation(test.active)}
		var said []string
		got := leading(r.Read(test.text))
		for _, m := range r.Read(test.text) { // each may tell of some
			if m.Intent == intent.AddTask {
				said = append(said, sayTodos(m))
			}
		}
		if s := strings.Join(said, "; "); got.Intent != intent.AddTask || s != test.want {
			t.Errorf("%q: %s %q, want %q", test.text, got.Intent, s, test.want)
		}
	}
}

func sayTodos(m Meaning) string {
	var out []string
	for _, d := range m.Todos {
		s := d.Title
		if d.Due != "" {
			s += " <" + d.Due + ">"
		}
		if d.Priority != "" {
			s += " !" + d.Priority
		}
		if len(m.Project.Found) == 1 {
			s += " @" + m.Project.Found[0].Slug
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestProjectNames(t *testing.T) {
	for text, want := range map[string]string{
		"I'm thinking of starting a coffee roastery in Kiel":      "Coffee Roastery",
		"We're going to renovate our kitchen":                     "Kitchen Renovation",
		"I'm planning a trip to Portugal next spring":             "Trip to Portugal",
		"I've decided to write a novel about lighthouses":         "Novel about Lighthouses",
		"we are redesigning our API":                              "API Redesign",
		"I want to learn Portuguese":                              "Learn Portuguese",
		"We plan to move to Vienna":                               "Move to Vienna",
		"I'm planning to train for a marathon":                    "Marathon Training",
		"new project: Garden Shed":                                "Garden Shed",
		"create a project called \"Kiln & Co\"":                   "Kiln & Co",
		"create a project for my thesis":                          "Thesis",
		"let's create a garden project":                           "Garden",
		"start a new project called winter market, because I can": "Winter Market",
		"Create new project Solar Roof":                           "Solar Roof",
		"I have an idea for an app that tracks tides":             "App",
		"I would like to organise my sister's wedding":            "Sister's Wedding",
	} {
		r := Reader{sit: model.Situation{Now: offlinetest.Saturday}}
		got := leading(r.Read(text))
		if got.Intent != intent.CreateProject || got.Name != want {
			t.Errorf("%q: %s %q, want %q", text, got.Intent, got.Name, want)
		}
	}
}

func TestSeveralClauses(t *testing.T) {
	for text, want := range map[string]string{
		"Let's talk about the houseboat and add a task to order cable":             "switch add_task",
		"Hi! Switch to the coffee shop. What do I have to do?":                     "greet switch list_tasks",
		"note: add a task. Then switch to the houseboat":                           "add_note",
		"remember that Bo said \"switch to the houseboat\"":                        "remember",
		"We decided to use teak, and remind me to order it by Friday":              "add_decision add_task",
		"I'm thinking of starting a bakery. It would have ten seats. We need help": "create_project none none",
	} {
		r := Reader{sit: model.Situation{Now: offlinetest.Saturday, Projects: offlinetest.Projects(), Turns: 1}}
		var got []string
		for _, m := range r.Read(text) {
			got = append(got, string(m.Intent))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

// A message at the limit of what is accepted must not hold up the daemon.
func TestLongMessagesAreReadQuickly(t *testing.T) {
	for _, part := range []string{"and then add a task to x, ", "don't ", "\"", "the boat and the shop or ", "note: ", "I need to call, ", "? ", "i am thinking about ", ": ", "we ", "next friday ", "just ", "the just ", "add just a ", "to the ", "what is the ", "x, ", "and "} {
		text := strings.Repeat(part, 60_000/len(part))
		r := Reader{sit: offlinetest.Situation("coffee-shop")}
		start := time.Now()
		r.Read(text)
		// A few tens of milliseconds; what grows with the square of the length takes half a minute.
		if took := time.Since(start); took > 10*time.Second && !raced {
			t.Errorf("%q repeated to %d bytes took %v", part, len(text), took)
		}
	}
}
