package offline

import (
	"encoding/json"
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/offline/offlinetest"
)

// Titles are whole: no sentence is taken to end at an abbreviation or behind a number, a
// bracket keeps its partner, and German times go into the date.
func TestTitlesAreWhole(t *testing.T) {
	for said, want := range map[string]string{
		"wir müssen noch Tickets buchen, die kosten ca. 30 Euro":                     "Tickets buchen",
		"neue Aufgabe: Tobi am 3. Prüfung abhören":                                   "Tobi am 3. Prüfung abhören",
		"todo: buy paint, min. 5 l, for the walls":                                   "Buy paint, min. 5 l, for the walls",
		"note: Elevator in the new bldg. is only 1.9 m wide. Measure the sofa.":      "Elevator in the new bldg. is only 1.9 m wide",
		"Notiz: Tobi verschiebt sich auf den 8. Dezember, weil er am 3. Prüfung hat": "Tobi verschiebt sich auf den 8. Dezember, weil er am 3.",
		"Exposé abgeben bis nächsten Freitag":                                        "Exposé abgeben 2026-11-27",
		"I have to hand in the Exposé bis nächsten Freitag":                          "Hand in the Exposé 2026-11-27",
		"add a task for the call with Lena kommenden Mittwoch":                       "The call with Lena 2026-11-25",
		"need to print the posters Ende nächster Woche":                              "Print the posters 2026-11-27",
		"add task: pay the rent am 3. Dezember":                                      "Pay the rent 2026-12-03",
		"remind me to call the plumber (the one from Graz)":                          "Call the plumber (the one from Graz)",
		"add a task to review the token code (Hmac check)":                           "Review the token code (Hmac check)",
		"I have to write the report (draft only) and call Bo":                        "Write the report (draft only); Call Bo",
		"still to do: rate limits (per key), token rotation (Hmac check)":            "Rate limits (per key); Token rotation (Hmac check)",
		"Aufgabe: Wohnung besichtigen (mit Lena) bis Freitag":                        "Wohnung besichtigen (mit Lena) 2026-11-27",
	} {
		calls := withNoTasks(t, offlinetest.Situation("houseboat-renovation"), said)
		var got []string
		for _, call := range calls {
			var args struct{ Title, Due string }
			if err := json.Unmarshal(call.Arguments, &args); err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimSpace(args.Title+" "+args.Due))
		}
		if all := strings.Join(got, "; "); all != want {
			t.Errorf("%q: %q, want %q", said, all, want)
		}
	}
}

// withNoTasks are the calls that a message leads to where there are no tasks yet.
func withNoTasks(t *testing.T, sit model.Situation, text string) []model.Call {
	t.Helper()
	req := model.Request{Situation: sit, Messages: user(text), Tools: []model.Tool{{Name: "any"}}}
	_, calls, _ := generate(t, req)
	for range 3 {
		if len(calls) == 0 || calls[0].Name != "list_tasks" {
			break
		}
		req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: calls})
		for _, c := range calls {
			req.Messages = append(req.Messages, model.Message{Role: model.ToolRole, CallID: c.ID, Tool: c.Name, Text: `{"ok":true,"result":{"tasks":[]}}`})
		}
		_, calls, _ = generate(t, req)
	}
	return calls
}
