//go:build live

package live

import (
	"strings"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/route"
)

// TestBroken breaks the server's answers off, at its beginning and in the midst of its
// words. The turn ends in words within two seconds of that, and the next message works.
func TestBroken(t *testing.T) {
	s := liveServer(t)
	for _, c := range []struct {
		name    string
		fault   fault
		after   int
		partner bool
		fails   bool // the turn, rather than the partner answering
	}{
		{"cut in the midst of words", cut, 3, true, true},
		{"cut before a word", cut, 0, true, false},
		{"silent in the midst of words", stall, 3, true, true},
		{"silent before a word", stall, 0, true, false},
		{"cut, with no partner", cut, 3, false, true},
		{"cut before a word, with no partner", cut, 0, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProxy(t, s)
			chat := p.server(s).chat(t, ladder.Text, *size, true, patienceFor(c.fault, c.after))
			var m model.Model = chat
			if c.partner {
				router := route.New(offline.New())
				router.Use(chat, false)
				m = router
			}
			stage := newStage(t, m)
			p.breaks(c.fault, c.after)
			turn := stage.play(t, agent.Message{Session: "new", Project: "houseboat", Text: "Tell me a long story about a heron that lives in the harbour."})
			fell := p.broke()
			if fell.IsZero() {
				t.Fatalf("nothing broke: %q", turn.Reply)
			}
			if took := turn.Ended.Sub(fell) - patienceFor(c.fault, c.after).Next; took > 5*time.Second {
				t.Errorf("it ended %v after that", took)
			}
			if (turn.Failed != nil) != c.fails {
				t.Errorf("failed: %v; %q", turn.Failed, turn.Reply)
			}
			if c.fails && c.after > 0 && strings.TrimSpace(turn.Text) == "" {
				t.Errorf("what had been said is lost: %q", turn.Reply)
			}
			p.breaks(none, 0)
			next := stage.play(t, agent.Message{Text: "Which tasks are open?"})
			if next.Failed != nil {
				t.Errorf("the next message: %v", next.Failed)
			}
			t.Logf("%v after it broke: %.200q; then %s: %.100q", turn.Ended.Sub(fell).Round(time.Millisecond), turn.Reply, next.By, next.Reply)
		})
	}
}

// patienceFor is how long a silence is borne in a test. Before its first words the server
// may take its time, and the first piece of its stream, which has none, comes with them or
// before it has read the request.
func patienceFor(f fault, after int) endpoint.Patience {
	switch {
	case f != stall:
		return endpoint.Patience{}
	case after == 0:
		const long = 15 * time.Second
		return endpoint.Patience{Load: long, First: long, Next: long}
	}
	return endpoint.Patience{Next: 5 * time.Second} // between two words a busy machine needs more than one
}

// TestGone: nobody listens where the server was.
func TestGone(t *testing.T) {
	s := liveServer(t)
	p := newProxy(t, s)
	router := route.New(offline.New())
	router.Use(p.server(s).chat(t, ladder.Text, *size, true, endpoint.Patience{}), false)
	stage := newStage(t, router)
	p.Close()
	turn := stage.play(t, agent.Message{Session: "new", Project: "houseboat", Text: "Which tasks are open?"})
	if turn.Failed != nil || turn.By != "offline" || turn.Took > 2*time.Second {
		t.Errorf("%v by %q after %v: %q", turn.Failed, turn.By, turn.Took, turn.Reply)
	}
}
