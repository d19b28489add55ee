package refer

import (
	"strings"
	"testing"

	"kist/agent/language"
)

// Said to be done: a word for it behind the thing, or the verb of the task. What only hopes,
// asks or denies, and what somebody else did, is none.
func TestFinished(t *testing.T) {
	titles := []string{
		"Send jo invoice 1", "Set up staging", "Get the mint paint", "The boots for her", "Post Toby's card", "Buy fliesenkleber",
		"Label the backs of the chairs", "Take 4 practice exams", "Order the parkett", "Order 60 soil corer liners", "Call the sms people", "Print the programme", "Ring Ana", "Ring Ben", "Pay the deposit", "Ask Gerald for the score", "Residence interview",
	}
	var tasks []map[string]any
	for _, title := range titles {
		tasks = append(tasks, map[string]any{"title": title, "task": title})
	}
	for said, want := range map[string]string{
		"inv 1 sent": "Send jo invoice 1",
		"the residence interview is booked for the 12th of December":         "",
		"residence interview booked":                                         "Residence interview",
		"staging up":                                                         "Set up staging",
		"boots done paint not yet they had only sage":                        "The boots for her",
		"paint and boots bought":                                             "Get the mint paint; The boots for her",
		"Toby's card is in the post":                                         "Post Toby's card",
		"Toby's card is done, and the programme too":                         "Post Toby's card; Print the programme",
		"fliesenkleber is there i bought 6 bags":                             "Buy fliesenkleber",
		"parkett is ordered eiche 46 square meters":                          "Order the parkett",
		"I ordered the liners yesterday, but 80":                             "Order 60 soil corer liners",
		"the call with the sms people is done":                               "Call the sms people",
		"deposit paid":                                                       "Pay the deposit",
		"Gerald gave me the score last night too":                            "Ask Gerald for the score",
		"it's gone in the post, and Gerald gave me the score last night too": "Ask Gerald for the score",
		"sent jo invoice 1":                                                  "Send jo invoice 1",
		"I went to the shop and bought the mint paint":                       "Get the mint paint",
		"I bought a saw and need to order the parkett":                       "",
		"Lea bought the mint paint":                                          "Get the mint paint",
		"my husband bought the fliesenkleber, 2 bags":                        "Buy fliesenkleber",
		"she ordered the parkett":                                            "Order the parkett",
		"he might have ordered the parkett":                                  "",
		"the parkett was ordered by Timo":                                    "Order the parkett",
		"the parkett is ordered by Friday":                                   "",
		"the parkett is ordered by then":                                     "",
		"Gerald gave me a lift":                                              "",
		"Ana ordered the parkett for her own flat":                           "",
		"the deposit must be paid":                                           "",
		"when the deposit is paid we can start":                              "",
		"the back of the wardrobe is done":                                   "",
		"the backs of the chairs are done":                                   "Label the backs of the chairs",
		"exam 2 done, 71":                                                    "",
		"practice exams done":                                                "Take 4 practice exams",
		"the deposit isn't paid":                                             "",
		"the parkett needs to be ordered":                                    "",
		"I haven't ordered the parkett":                                      "",
		"half of the liners are ordered":                                     "",
		"the boots are nearly done":                                          "",
		"the deposit has to be paid by Friday":                               "",
		"she ordered the parkett for the other flat":                         "",
		"the mint paint looks horrible":                                      "",
		"I ordered the parkett samples":                                      "",
		"paid the deposit slip's fee":                                        "",
		"the mint paint brochure is there":                                   "",
		"the parkett task is done":                                           "Order the parkett",
		"the deposit thing is done":                                          "Pay the deposit",
		"ordered the parkett yesterday":                                      "Order the parkett",
		"we decided on parkett":                                              "",
		"if the paint is bought by then":                                     "",
	} {
		done, several, _ := Finished(said, tasks)
		var got []string
		for _, task := range done {
			got = append(got, text(task, "title"))
		}
		if strings.Join(got, "; ") != want || len(several) > 0 {
			t.Errorf("%q: %q %v, want %q", said, got, several, want)
		}
	}
}

// Of several of a kind those are meant whose numbers were said, and none of another kind.
func TestNumbered(t *testing.T) {
	var tasks []map[string]any
	for _, title := range []string{"Chapter 3", "Chapter 4", "Chapter 5", "Ticket 3: fix the login", "Read form 1040", "Review rooms 7 and 8"} {
		tasks = append(tasks, map[string]any{"title": title, "task": title})
	}
	for said, want := range map[string]string{
		"chapters 4 and 5 are done":    "Chapter 4; Chapter 5",
		"chapters 3, 4 and 5 are done": "Chapter 3; Chapter 4; Chapter 5",
		"chapter 6 is done":            "",
		"ticket 3 is done":             "Ticket 3: fix the login",
		"ticket 4 is done":             "",
		"page 4 is done":               "",
		"the 1040 thing is done":       "Read form 1040",
	} {
		done, several, _ := Finished(said, tasks)
		if got := titlesOf(done); got != want || len(several) > 0 {
			t.Errorf("%q: %q %v, want %q", said, got, several, want)
		}
	}
	for said, want := range map[string]string{"ticket 4": "", "tickets 3": "Ticket 3: fix the login", "page 4": "", "chapters 4": "Chapter 4"} {
		if found, _ := Tasks(said, tasks); titlesOf(found) != want {
			t.Errorf("%q finds %q, want %q", said, titlesOf(found), want)
		}
	}
}

// What only points means what was named before, and the same deed.
func TestFinishedBack(t *testing.T) {
	tasks := []map[string]any{{"title": "Ask Mrs. Dekker from downstairs"}, {"title": "Ring Ana"}, {"title": "Cancel broadband"}}
	for said, want := range map[string]int{
		"Asked her, she'll do it": 1, "I asked her yesterday": 1, "she asked her": 0, "rang her": 0, "I haven't asked her": 0, "asked them if they can": 0,
	} {
		if got := FinishedBack(said, "Then I need to ask Mrs. Dekker from downstairs", tasks); len(got) != want {
			t.Errorf("%q: %v, want %d", said, got, want)
		}
	}
}

// What a thing is like doesn't say that what was to be done with it is done.
func TestDescribes(t *testing.T) {
	for said, want := range map[string]bool{
		"the insulation is rock wool":    true,
		"the plumber is very expensive":  true,
		"the window is ordered":          false,
		"the call with Ana is behind me": false,
		"the tax return is off my list":  false,
		"the hall is all done":           false,
		"the score is sent":              false,
		"is the hall white":              false,
		"boots done":                     false,
	} {
		if got := Describes(language.Tokenize(said)); got != want {
			t.Errorf("%q: %t", said, got)
		}
	}
}
