package interpret

import (
	"strings"
	"testing"

	"kist/agent/offline/offlinetest"
)

// What is said of things to do beside them, of others or of nothing, is no task; what only
// dates the one before gives it its day, and what is pointed to has its name.
func TestTasksOfPlainTalk(t *testing.T) {
	for said, want := range map[string]string{
		// only a date of the task before
		"We still have to book the coach to Salzburg, and that should be settled by 3 March.": "Book the coach to Salzburg <2027-03-03>",
		"I need to order the new folders. It has to happen before 1 February.":                "Order the new folders <2027-01-31>",
		// none at all
		"I have to let them know by Friday":                                                           "",
		"so I said fine, book it for the 9th of May":                                                  "",
		"It is a separate thing, and I hope to have it recorded.":                                     "",
		"no time to rehearse the Bruckner before 12 May":                                              "",
		"neighbour also wants the hedge cut by the weekend":                                           "",
		"I want that off my desk before Friday":                                                       "",
		"budget 2k from grandma, Mrs Leitner":                                                         "",
		"I should like to get this over with by March":                                                "",
		"Das ist ein eigenes Vorhaben, und das soll im Mai fertig":                                    "",
		"I have it all on the backs of envelopes and that has to stop, last year I lost the envelope": "",
		"I taught infants and now I sing and somehow I also run the choir":                            "",
		"Or Hanna without the h at the end, I'd have to check":                                        "",
		"Add Julian though":                         "",
		"I have got to admit the blue looks better": "",
		// whole, and with the name
		"someone needs to be in thurs":                                                                             "Someone needs to be in thurs <2026-11-26>",
		"three copies of the list must be printed":                                                                 "Three copies of the list must be printed",
		"get Amina to sign the drug list":                                                                          "Get Amina to sign the drug list",
		"It may need a licence, Mark will know, I must ask him":                                                    "Ask Mark",
		"Frida has a cold and I must take her to the doctor on Tuesday":                                            "Take Frida to the doctor <2026-11-24>",
		"Toby will want his fare, and Gwen says we ought to give him something on top, so I thought thirty pounds": "Give Toby something, thirty pounds",
		"Add a task: appointment with Pawel, Thursday 10 December, 8:30":                                           "Appointment with Pawel, 8:30 <2026-12-10>",
		// told beside it
		"I have to buy a music stand, the folding one, 35 euros, and return the old lamp":         "Buy a music stand, the folding one, 35 euros; Return the old lamp",
		"I talked to Emil de la Cruz about the meadow and I ought to call him back":               "Call Emil de la Cruz back",
		"You dropped the insurance: I have to renew it by 4 March, the agent is called Frau Pohl": "Renew the insurance <2027-03-04>",
		"I have to sign the papers by Monday, the notary is Dr. Weiss and the office is in Kiel":  "Sign the papers <2026-11-23>",
		"ring the vicar, the heating is off again":                                                "Ring the vicar",
		"We need to rent a marquee, the supplier is Tenthouse in Ulm":                             "Rent a marquee",
		"Ich muss noch den Saal mieten, der Hausmeister heißt Herr Kurz":                          "Den Saal mieten",
		"I must return the books before the 3rd of May, the fine is two euros a day":              "Return the books <2027-05-02>",
		"You forgot one: get the key from Mrs Abel, she lives upstairs":                           "Get the key from Mrs Abel",
		"The tickets are 40 euros each, buy six of them by Friday":                                "Buy six of the tickets <2026-11-27>",
		"We need to give notice on the lease three months ahead, so by the end of December":       "Give notice on the lease three months ahead <2026-12-31>",
		"task: print the menu, not so important":                                                  "Print the menu !low",
		"buy six tickets, they are 40 euros each":                                                 "Buy six tickets",
		"add salt to the list": "Salt",
		// several things that were named
		"I still have to find both of them": "",
		// in one piece
		"I have to ask Mrs van Houten whether we can store the risers in her barn":       "Ask Mrs van Houten whether we can store the risers in her barn",
		"Ich muss noch Frau von Arnim fragen, ob wir den Keller nutzen dürfen":           "Frau von Arnim fragen, ob wir den Keller nutzen dürfen",
		"we need to have the risers repaired by 15 April":                                "Have the risers repaired <2027-04-15>",
		"need to treat the bees on 3 December and buy gloves for it before that":         "Treat the bees <2026-12-03>; Buy gloves <2026-12-02>",
		"someone needs to measure the hall for the stove that can be Otto he's my uncle": "Measure the hall for the stove",
		// named
		"Ring Agnes van der Berg and ask her whether the church is heated.":            "Ring Agnes van der Berg; Ask Agnes van der Berg whether the church is heated",
		"I have to send Beate the list by Monday and remind her about the deposit":     "Send Beate the list <2026-11-23>; Remind Beate about the deposit",
		"The programmes are at the printer's, I have to collect them on Friday.":       "Collect the programmes <2026-11-27>",
		"The piano is out of tune and I must get it tuned before 5 June.":              "Get the piano tuned <2027-06-04>",
		"The tiler came today, I have to pay him by the 30th":                          "Pay the tiler <2026-11-30>",
		"I need to choose the tiles and order them by 1 February":                      "Choose the tiles; Order the tiles <2027-02-01>",
		"I have to ring the plumber about Bo's boiler and the landlord, and thank him": "Ring the plumber about Bo's boiler and the landlord; Thank him",
		// said outright
		"tasks: paint, brushes, Mr Novak":              "Paint; Brushes; Mr Novak",
		"add a task: it must be dry by Friday":         "It must be dry <2026-11-27>",
		"please add \"tell him\" to the list of tasks": "Tell him",
	} {
		r := &Reader{sit: offlinetest.Situation("houseboat-renovation")}
		var got []string
		for _, m := range r.Read(said) {
			if s := sayTodos(m); s != "" {
				got = append(got, s)
			}
		}
		if all := strings.Join(got, "; "); all != want {
			t.Errorf("%q: %q, want %q", said, all, want)
		}
	}
}
