package title

import "testing"

func TestOfTask(t *testing.T) {
	for said, want := range map[string]string{
		"ring the council":                         "Ring the council",
		"ok have to pay this bill":                 "Pay this bill",
		"condition reports for all nine works":     "Condition reports for all nine works",
		"rail passes":                              "Rail passes",
		"the roof wants to be painted":             "The roof wants to be painted",
		"the sign makes Morag Innes, 780 pounds":   "",
		"concert tickets go on sale":               "",
		"Bo wants to go to the park":               "",
		"62":                                       "",
		"The seal leaks":                           "The seal leaks",
		"the deposit":                              "The deposit",
		"feeds have to be in":                      "Feeds have to be in",
		"fix that leaking tap":                     "Fix that leaking tap",
		"replace this broken pane":                 "Replace this broken pane",
		"send her a menu":                          "Send her a menu",
		"ring him back":                            "Ring him back",
		"ask the choir whether they would do it":   "Ask the choir whether they would do it",
		"hire a van for it before that":            "Hire a van",
		"hire a van for it before that, 90 euros":  "Hire a van, 90 euros",
		"fit two feeds before that":                "Fit two feeds",
		"buy the paint and stir it":                "Buy the paint and stir it",
		"have the boiler serviced":                 "Have the boiler serviced",
		"order 40 patch leads at 2 euros each":     "Order 40 patch leads at 2 euros each",
		"the deposit of 200 euros":                 "The deposit of 200 euros",
		"call Mrs Okafor":                          "Call Mrs Okafor",
		"I should ring the plumber":                "Ring the plumber",
		"we still have to paint the fence":         "Paint the fence",
		"I'd like to book the ferry":               "Book the ferry",
		"invoice 4 clients":                        "Invoice 4 clients",
		"I should have that done":                  "",
		"It is a separate undertaking":             "",
		"I said okay book it":                      "",
		"I'd let him know":                         "",
		"I want to have it printed for the summer": "",
		"should we ask Tom":                        "",
		"that has to be done":                      "",
		"wants the wifi redone in the hall":        "",
		"collect them on the 12th with a van":      "",
		"put it in the shed":                       "",
		"do that":                                  "",
		"get rid of it":                            "",
		"budget 6k from the bursar":                "",
		"rent 780 euros":                           "",
		"Mrs Okafor":                               "",
		"the blue one, 64 euros":                   "",
		"wtf no":                                   "",
		"replace before spring":                    "",
		"make sure it gets done":                   "",
		"off my desk":                              "",
		"do not let me forget the vet form":        "The vet form",
		"Frau Arnim fragen":                        "Frau Arnim fragen",
	} {
		if got, ok := OfTask(said); got != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
