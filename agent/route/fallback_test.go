package route

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kist/agent/model"
)

// tried is a turn as an engine has it, which makes its request anew where it is told to.
func tried(t *testing.T, turn model.Model, req model.Request) (text, by string, anew int, err error) {
	t.Helper()
	for {
		said, who, _, err := hear(t, turn, req)
		if errors.Is(err, model.ErrAnew) && anew < 10 {
			anew++
			continue
		}
		for _, b := range who {
			by += strings.TrimSpace(b.Model + " " + b.Degraded)
		}
		return said, by, anew, err
	}
}

// A model that can't be asked is followed by the one behind it, and at last by the partner; one that
// broke off in the middle by nobody.
func TestFallback(t *testing.T) {
	broken := errors.New("connection refused")
	half := []model.Event{{Text: "half"}}
	second := func() *fake { return &fake{answer: words("second")} }
	for _, c := range []struct {
		name          string
		first, second *fake
		says, by      string
		err           error
	}{
		{"the first answers", &fake{answer: words("first")}, second(), "first", "a", nil},
		{"the first is down", &fake{err: broken}, second(), "second", "b a doesn't answer (connection refused) and isn't asked again for 15 s, so b answers.", nil},
		{"it only thought", &fake{answer: []model.Event{{Thinking: "hm"}}, err: broken}, second(), "second", "b a doesn't answer (connection refused) and isn't asked again for 15 s, so b answers.", nil},
		{"it says nothing", &fake{}, second(), "second", "b a doesn't answer (the answer was cut off) and isn't asked again for 15 s, so b answers.", nil},
		{"it has no price", &fake{err: model.ErrPrice}, second(), "second", "b a isn't asked: a price is missing, so b answers.", nil},
		{"a limit is the user's word", &fake{err: model.ErrLimit}, second(), "", "", model.ErrLimit},
		{"the first breaks off", &fake{answer: half, err: broken}, second(), "half", "a", broken},
		{"the second breaks off", &fake{err: broken}, &fake{answer: half, err: broken}, "half", "b a doesn't answer (connection refused) and isn't asked again for 15 s, so b answers.", broken},
		{"both are down", &fake{err: broken}, &fake{err: errors.New("no route")}, "partner", "offline a doesn't answer (connection refused) and isn't asked again for 15 s; b doesn't answer (no route) and isn't asked again for 15 s, so I do what I can without them.", nil},
	} {
		c.first.name, c.second.name = "a", "b"
		r := New(&fake{name: "offline", answer: words("partner")})
		r.Use(c.first, true, c.second)
		if text, by, _, err := tried(t, r.Turn(), model.Request{}); text != c.says && err == nil || by != c.by || !errors.Is(err, c.err) {
			t.Errorf("%s: %q by %q, %v", c.name, text, by, err)
		}
	}
}

// The next turn begins with the one that can be asked, so that its request needs no other; and the
// first is asked again in its time.
func TestFallbackBeginsTheNextTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := &fake{name: "a", err: errors.New("down")}, &fake{name: "b", answer: words("b")}
		r := New(&fake{name: "offline", answer: words("partner")})
		r.Use(first, true, far{second})
		for n, anew := range []int{1, 0} {
			turn := r.Turn()
			if remote := turn.(model.Remote).Remote(t.Context()); remote != (n == 1) {
				t.Errorf("turn %d is remote: %v", n, remote)
			}
			if text, by, got, err := tried(t, turn, model.Request{}); text != "b" || got != anew || err != nil || len(first.asked) != 1 || !strings.HasSuffix(by, "so b answers.") || !turn.(model.Remote).Remote(t.Context()) {
				t.Errorf("turn %d: %q by %q, anew %d, %v", n, text, by, got, err)
			}
		}
		if a, b := r.State(), r.Fallback(); a.Err == nil || b.Err != nil || !b.Used || r.Name() != "a" {
			t.Errorf("%+v, %+v", a, b)
		}
		time.Sleep(avoided)
		first.err, first.answer = nil, words("a")
		if text, by, _, err := tried(t, r.Turn(), model.Request{}); text+by != "aa" || err != nil {
			t.Errorf("%q by %q, %v", text, by, err)
		}
	})
}

// A model that has said or called something, and is left, is followed by the partner: what it was
// shown on the way is not for another one.
func TestLeftForThePartner(t *testing.T) {
	second := &fake{name: "b", answer: words("b")}
	r := New(&fake{name: "offline", answer: words("partner")})
	r.Use(&fake{name: "a", answer: words("I've done it.")}, true, second)
	turn := r.Turn()
	if text, _, _, err := tried(t, turn, model.Request{}); text == "" || err != nil {
		t.Fatal(text, err)
	}
	if m := turn.(model.Leaver); !m.Leave("a gave no answer") || m.Leave("again") {
		t.Error("it isn't left, or twice")
	}
	if text, by, anew, err := tried(t, turn, model.Request{}); text != "partner" || by != "offline a gave no answer, so I do what I can without it." || anew != 0 || len(second.asked) > 0 || err != nil {
		t.Errorf("%q by %q, anew %d, %v", text, by, anew, err)
	}
}

// gone is one whose settings make no sense.
type gone struct{ *fake }

func (gone) Fault() error { return errors.New("no url") }

// One that nothing can be made of keeps none behind it away, nor does one that a message isn't for.
func TestPassedOver(t *testing.T) {
	req := model.Request{Private: "the project Boat is private"}
	for name, c := range map[string]struct {
		first, second model.Model
		by            string
		anew          int
	}{
		"no settings": {gone{&fake{name: "a"}}, &fake{name: "b", answer: words("b")}, "b a isn't asked: no url, so b answers.", 0},
		"private":     {far{&fake{name: "a"}}, &fake{name: "b", answer: words("b")}, "b a isn't asked: the project Boat is private, so b answers.", 1},
		"neither":     {gone{&fake{name: "a"}}, far{&fake{name: "b"}}, "offline a isn't asked: no url; b isn't asked: the project Boat is private, so I do what I can without them.", 0},
		"nor there":   {far{&fake{name: "a"}}, gone{&fake{name: "b"}}, "offline a isn't asked: the project Boat is private; b isn't asked: no url, so I do what I can without them.", 1},
	} {
		r := New(&fake{name: "offline", answer: words("partner")})
		r.Use(c.first, true, c.second)
		if _, by, anew, err := tried(t, r.Turn(), req); by != c.by || anew != c.anew || err != nil {
			t.Errorf("%s: by %q, anew %d, %v", name, by, anew, err)
		}
		turn := r.Turn().(model.Previewer)
		for range c.anew {
			if by, err := turn.Preview(t.Context(), req); !errors.Is(err, model.ErrAnew) {
				t.Errorf("%s: %+v, %v", name, by, err)
			}
		}
		if by, err := turn.Preview(t.Context(), req); !strings.HasPrefix(c.by, by.Model) || err != nil {
			t.Errorf("%s: %+v, %v", name, by, err)
		}
	}
}
