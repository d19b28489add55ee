package route

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kist/agent/model"
)

// A fake answers with what answer returns, and counts.
type fake struct {
	name   string
	sure   bool
	answer []model.Event
	err    error
	asked  []model.Request
}

func (f *fake) Name() string            { return f.name }
func (f *fake) Sure(model.Request) bool { return f.sure }
func (f *fake) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		f.asked = append(f.asked, req)
		for _, e := range f.answer {
			if !yield(e, nil) {
				return
			}
		}
		if f.err != nil {
			yield(model.Event{}, f.err)
		}
	}
}

func words(text string) []model.Event { return []model.Event{{Text: text}, {Stop: model.End}} }

// hear reads one answer: what is said, by whom, and how it ends.
func hear(t *testing.T, m model.Model, req model.Request) (text string, by []model.By, stop model.Stop, err error) {
	t.Helper()
	for e, fault := range m.Generate(t.Context(), req) {
		if fault != nil {
			return text, by, stop, fault
		}
		text += e.Text
		if e.By != nil {
			by = append(by, *e.By)
		}
		stop = e.Stop
	}
	return text, by, stop, nil
}

func TestRoutes(t *testing.T) {
	broken := errors.New("connection refused")
	for _, c := range []struct {
		name    string
		chat    *fake
		instant bool
		sure    bool
		says    string
		by      string // who answers, and why
		err     error
	}{
		{"no model", nil, true, true, "partner", "", nil},
		{"a model", &fake{name: "big", answer: words("big")}, true, false, "big", "big", nil},
		{"the partner is sure", &fake{name: "big", answer: words("big")}, true, true, "partner", "offline", nil},
		{"that is switched off", &fake{name: "big", answer: words("big")}, false, true, "big", "big", nil},
		{"it fails at once", &fake{name: "big", err: broken}, true, false, "partner", "offline big doesn't answer (connection refused) and isn't asked again for 15 s, so I do what I can without it.", nil},
		{"it is cut off before a word", &fake{name: "big"}, true, false, "partner", "offline big doesn't answer (the answer was cut off) and isn't asked again for 15 s, so I do what I can without it.", nil},
		{"it fails after a notice", &fake{name: "big", answer: []model.Event{{Notice: "again"}}, err: broken}, true, false, "partner", "offline big doesn't answer (connection refused) and isn't asked again for 15 s, so I do what I can without it.", nil},
		{"it fails in the middle", &fake{name: "big", answer: []model.Event{{Text: "big"}}, err: broken}, true, false, "big", "big", broken},
		{"it is cut off in the middle", &fake{name: "big", answer: []model.Event{{Text: "big"}}}, true, false, "big", "big", model.ErrCut},
	} {
		r := New(&fake{name: "offline", sure: c.sure, answer: words("partner")})
		if c.chat != nil {
			r.Use(c.chat, c.instant)
		}
		text, by, _, err := hear(t, r.Turn(), model.Request{})
		got := ""
		for _, b := range by {
			got += strings.TrimSpace(b.Model + " " + b.Degraded)
		}
		if text != c.says || got != c.by || !errors.Is(err, c.err) {
			t.Errorf("%s: %q by %q, %v", c.name, text, got, err)
		}
	}
}

// A model that failed is left alone for a while, and then asked again.
func TestAvoided(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chat := &fake{name: "big", err: errors.New("silent")}
		r := New(&fake{name: "offline", answer: words("partner")})
		r.Use(chat, true)
		for range 3 {
			if text, _, _, err := hear(t, r.Turn(), model.Request{}); text != "partner" || err != nil {
				t.Errorf("%q, %v", text, err)
			}
		}
		if len(chat.asked) != 1 || r.State().Err == nil || r.Name() != "big" {
			t.Errorf("asked %d times, %+v", len(chat.asked), r.State())
		}
		time.Sleep(avoided)
		chat.err, chat.answer = nil, words("big")
		if text, _, _, err := hear(t, r.Turn(), model.Request{}); text != "big" || err != nil || r.State().Err != nil {
			t.Errorf("%q, %v, %+v", text, err, r.State())
		}
	})
}

// busy is what a server says that wants to be left alone.
type busy time.Duration

func (b busy) Error() string       { return "busy" }
func (b busy) Wait() time.Duration { return time.Duration(b) }

// A server that wants an hour gets it, and each turn says so; what the partner is sure of it
// does without a word of that. What was too long is no reason to ask no more.
func TestAvoidedAsLongAsTheServerWants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chat, partner := &fake{name: "big", err: fmt.Errorf("ask: %w", busy(time.Hour))}, &fake{name: "offline", answer: words("partner")}
		r := New(partner)
		r.Use(chat, true)
		hear(t, r.Turn(), model.Request{})
		time.Sleep(10 * time.Minute)
		_, by, _, _ := hear(t, r.Turn(), model.Request{})
		if want := "big failed (ask: busy) and isn't asked again for 50 min, so I do what I can without it."; len(by) != 1 || by[0].Degraded != want {
			t.Errorf("%+v", by)
		}
		partner.sure = true
		if _, by, _, _ := hear(t, r.Turn(), model.Request{}); len(by) != 1 || by[0].Degraded != "" {
			t.Errorf("%+v", by)
		}
		partner.sure = false
		time.Sleep(51 * time.Minute)
		chat.err = busy(-1)
		for range 2 {
			hear(t, r.Turn(), model.Request{})
		}
		if len(chat.asked) != 3 {
			t.Errorf("asked %d times", len(chat.asked))
		}
	})
}

// A server that counts no tokens is one whose tokens aren't known.
func TestNoUsage(t *testing.T) {
	r := New(&fake{name: "offline"})
	r.Use(&fake{name: "big", answer: []model.Event{{Text: "big"}, {Usage: &model.Usage{}}, {Stop: model.End}}}, true)
	for e, err := range r.Turn().Generate(t.Context(), model.Request{}) {
		if err != nil || e.Usage != nil {
			t.Errorf("%+v, %v", e, err)
		}
	}
}

// One that broke off in the middle is asked again at once.
func TestBrokenOffIsNotAvoided(t *testing.T) {
	chat := &fake{name: "big", answer: []model.Event{{Text: "big"}}, err: errors.New("reset")}
	r := New(&fake{name: "offline", answer: words("partner")})
	r.Use(chat, true)
	for n := range 2 {
		if text, _, _, err := hear(t, r.Turn(), model.Request{}); text != "big" || err == nil {
			t.Errorf("turn %d: %q, %v", n, text, err)
		}
	}
}

// Who begins a turn ends it; once it is left the partner does, from the user's message on.
func TestTurn(t *testing.T) {
	chat := &fake{name: "big", answer: []model.Event{{Call: &model.Call{Name: "nonsense"}}, {Stop: model.Calls}}}
	partner := &fake{name: "offline", answer: words("partner")}
	r := New(partner)
	r.Use(chat, true)
	turn := r.Turn()
	req := model.Request{Said: 1, Messages: []model.Message{{Role: model.Assistant, Text: "before"}, {Role: model.User, Text: "do it"}}}
	for step := range 3 {
		if step == 1 {
			partner.sure = true // of the message, but the turn has begun
		}
		if step == 2 && !turn.(model.Leaver).Leave("big's calls made no sense") {
			t.Error("it can't be left")
		}
		if _, _, _, err := hear(t, turn, req); err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "1", Name: "nonsense"}}},
			model.Message{Role: model.ToolRole, CallID: "1", Invalid: true})
	}
	if len(chat.asked) != 2 || len(partner.asked) != 1 || len(partner.asked[0].Messages) != 2 {
		t.Errorf("%d and %d requests: %+v", len(chat.asked), len(partner.asked), partner.asked)
	}
	r.Use(nil, false)
	if r.Name() != "offline" || turn.Name() != "offline" {
		t.Errorf("%s, %s", r.Name(), turn.Name())
	}
}

// What the model left of a turn, and what kist told it, stays out of all that the partner is
// asked in the rest of it.
func TestTakenOver(t *testing.T) {
	partner := &fake{name: "offline", answer: words("partner")}
	r := New(partner)
	r.Use(&fake{name: "big", answer: words("I've added it.")}, true)
	turn := r.Turn()
	req := model.Request{Said: 1, Messages: []model.Message{{Role: model.Assistant, Text: "before"}, {Role: model.User, Text: "do it"}}}
	for range 2 {
		req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "1", Name: "nonsense"}}},
			model.Message{Role: model.ToolRole, CallID: "1", Invalid: true})
	}
	req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "(kist: call it now)"})
	if m := turn.(model.Leaver); !m.Leave("big went wrong") || m.Leave("again") {
		t.Error("it can't be left, or twice")
	}
	for range 3 {
		if _, _, _, err := hear(t, turn, req); err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, model.Message{Role: model.Assistant, Calls: []model.Call{{ID: "2", Name: "task"}}},
			model.Message{Role: model.ToolRole, CallID: "2", Text: "done"})
	}
	for n, asked := range partner.asked {
		if len(asked.Messages) != 2+2*n || asked.Messages[1].Text != "do it" || n > 0 && asked.Messages[2].Calls[0].ID != "2" {
			t.Errorf("request %d: %+v", n, asked.Messages)
		}
	}
	if len(partner.asked) != 3 {
		t.Errorf("asked %d times", len(partner.asked))
	}
}

// far is a model that isn't on this machine.
type far struct{ *fake }

func (far) Remote(context.Context) bool { return true }

// What is private isn't for a model elsewhere: messages about it are left out, and where the
// whole request is about it the partner answers; for one on this machine nothing changes.
func TestPrivate(t *testing.T) {
	req := model.Request{Said: 2, Messages: []model.Message{
		{Role: model.User, Text: "secret", Private: true}, {Role: model.Assistant, Text: "known", Private: true}, {Role: model.User, Text: "and?"},
	}}
	chat := &fake{name: "big", answer: words("big")}
	r := New(&fake{name: "offline", answer: words("partner")})
	r.Use(far{chat}, true)
	if text, _, _, err := hear(t, r.Turn(), req); text != "big" || err != nil || len(chat.asked[0].Messages) != 1 || chat.asked[0].Said != 0 {
		t.Errorf("%q, %v, %+v", text, err, chat.asked)
	}
	all := req
	all.Private = "the project Boat is private"
	text, by, _, err := hear(t, r.Turn(), all)
	if text != "partner" || err != nil || len(chat.asked) != 1 || by[0].Degraded != "big isn't asked: the project Boat is private, so I do what I can without it." {
		t.Errorf("%q, %v, %+v", text, err, by)
	}
	read := req
	read.Messages = append(read.Messages, model.Message{Role: model.ToolRole, Private: true})
	if text, _, _, err := hear(t, r.Turn(), read); text != "partner" || err != nil || len(chat.asked) != 1 {
		t.Errorf("what was read for it: %q, %v", text, err)
	}
	if r.State().Err != nil {
		t.Errorf("it counts as a failure: %v", r.State().Err)
	}
	r.Use(chat, true)
	if text, _, _, err := hear(t, r.Turn(), all); text != "big" || err != nil || len(chat.asked[1].Messages) != 3 {
		t.Errorf("here: %q, %v", text, err)
	}
}
