package agent_test

import (
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/offline"
)

// What was told in sentences that hang on each other, in one with an order, or behind an
// undo, is kept and found.
func TestTheRestIsKept(t *testing.T) {
	for _, test := range []struct {
		said []string
		ask  string
		want string
	}{
		{[]string{"I rang Mr Harcastle this morning. His quote is 86,400 now because the bellows are worse than he thought."}, "what does Mr Harcastle's quote say?", "86,400"},
		{[]string{"remember that I never take jobs on Sundays and Nele builds the website, nele@pixelhof.de"}, "who builds the website?", "Nele builds the website"},
		{[]string{"add a task: sweep the yard", "undo. The wedding is at Gut Sarnow near Potsdam, Lea pays 200 of it upfront by 15 January."}, "where is the wedding?", "Gut Sarnow"},
		{[]string{"The foundation might give us 4,000 euros.", "Petra called, we're getting 3,500 instead of the 4,000, in February."}, "how much money do we get from the foundation?", "3,500"},
		{[]string{"Jonas paints the walls for 900.", "Meyer does the sockets, that's 1,280."}, "how much is Jonas plus Meyer together?", "1,280"},
	} {
		s := newStage(t, "", offline.New(), agent.Options{})
		id := sessionOf(s.send(t, agent.Message{Text: "create a project called Studio"}))
		for _, said := range test.said {
			s.send(t, agent.Message{Text: said, Session: id})
		}
		if said := transcript(s.send(t, agent.Message{Text: test.ask, Session: id})); !strings.Contains(said, test.want) {
			t.Errorf("%q:\n%s", test.ask, said)
		}
		if !strings.Contains(s.kept(t), plain(test.want)) {
			t.Errorf("%q is in no file", test.want)
		}
	}
}

// A name that is given instead of the one that was asked about is taken, and nothing of
// what was told is lost.
func TestCalledInstead(t *testing.T) {
	s := newStage(t, "", offline.New(), agent.Options{})
	id := sessionOf(s.send(t, agent.Message{Text: "Hi! I head the parents' council and we want to build a school garden behind the gym, with raised beds. We'd like to open it in early June."}))
	if said := transcript(s.send(t, agent.Message{Text: "Just call it School garden.", Session: id})); !strings.Contains(said, "School garden") && !strings.Contains(said, "School Garden**.") {
		t.Errorf("the name isn't taken:\n%s", said)
	}
	if kept := s.kept(t); !strings.Contains(kept, plain("raised beds")) || !strings.Contains(kept, plain("early June")) {
		t.Errorf("kept: %s", kept)
	}
}

// Behind the name of a new project its news and its list are read as well.
func TestProjectWithItsList(t *testing.T) {
	s := newStage(t, "", offline.New(), agent.Options{})
	s.send(t, agent.Message{Text: "new project: Umzug Linden. move out 27.3., rent 780 warm, todo: book van, cancel old flat by 31.12., find cellar for welding gear"})
	kept := s.kept(t)
	for _, want := range []string{"name: Umzug Linden", "title: Book van", "title: Cancel old flat", "title: Find cellar for welding gear", "780 warm"} {
		if !strings.Contains(kept, plain(want)) {
			t.Errorf("%q is missing in\n%s", want, kept)
		}
	}
}
