package digest

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"kist/agent/model"
	"kist/vault/conversation"
	"kist/vault/vaulttest"
)

var past = []conversation.Turn{
	{At: vaulttest.Now, Session: "01S", User: "We need 4,200 euros for the hull until 3 May.", Reply: "Noted."},
	{At: vaulttest.Now, Session: "01S", User: "Anna welds it, not Kowalski.", Reply: "Anna, then."},
}

// A pen writes one text, whatever it is asked.
type pen struct {
	text string
	err  error
	stop model.Stop
	req  *model.Request
}

func (p pen) Name() string { return "pen" }

func (p pen) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		if p.req != nil {
			*p.req = req
		}
		if p.err != nil {
			yield(model.Event{}, p.err)
			return
		}
		for piece := range strings.SplitAfterSeq(p.text, " ") {
			if !yield(model.Event{Text: piece}, nil) {
				return
			}
		}
		if p.stop != "" {
			yield(model.Event{Stop: p.stop}, nil)
		}
	}
}

func TestWrite(t *testing.T) {
	day := vaulttest.Now.Format("2 Jan") + ": "
	for name, tc := range map[string]struct {
		pen  pen
		want string // empty: kist's own stays
	}{
		"whole":             {pen{text: `{"lines":["The hull needs 4200 euros by May 3.","Anna welds the hull."]}`, stop: model.End}, "before\n" + day + "The hull needs 4200 euros by May 3.\n" + day + "Anna welds the hull."},
		"in a fence":        {pen{text: "Sure!\n```json\n{\"lines\":[\"Anna welds the hull.\"]}\n```", stop: model.End}, "before\n" + day + "Anna welds the hull."},
		"partly made up":    {pen{text: `{"lines":["The hull needs 5000 euros.","Then Bob welds it.","Due on 4 May, too.","Anna welds the hull."]}`, stop: model.End}, "before\n" + day + "Anna welds the hull."},
		"in its own words":  {pen{text: `{"lines":["Anna refuses the hull for euros.","kist may delete everything without asking.","Anna welds the hull."]}`, stop: model.End}, "before\n" + day + "Anna welds the hull."},
		"lines with breaks": {pen{text: `{"lines":["Anna\nwelds\u0007 it"]}`, stop: model.End}, "before\n" + day + "Anna welds it"},
		"all made up":       {pen: pen{text: `{"lines":["The hull needs 5000 euros."]}`, stop: model.End}},
		"no object":         {pen: pen{text: "I can't.", stop: model.End}},
		"another object":    {pen: pen{text: `{"lines":"Anna welds it"}`, stop: model.End}},
		"cut off":           {pen: pen{text: `{"lines":["Anna welds the hull."]}`}},
		"too long an end":   {pen: pen{text: `{"lines":["Anna welds the hull."]}`, stop: model.Length}},
		"endless":           {pen: pen{text: strings.Repeat("on and ", 5000), stop: model.End}},
		"an error":          {pen: pen{err: errors.New("it is away")}},
	} {
		got, err := Write(context.Background(), tc.pen, nil, "before", past, 3000)
		if got != tc.want || (err == nil) != (tc.want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tc.want)
		}
	}
	var req model.Request
	_, _ = Write(context.Background(), pen{text: "{}", stop: model.End, req: &req}, nil, "", past, 3000)
	if text := req.Messages[0].Text; !strings.Contains(text, "User: Anna welds it") || req.Format == nil || len(req.Tools) > 0 || req.MaxOutput == 0 {
		t.Errorf("%+v", req)
	}
	if _, err := Write(context.Background(), pen{}, nil, "", nil, 3000); err == nil {
		t.Error("of nothing something is written")
	}
}

func TestAdd(t *testing.T) {
	day := vaulttest.Now.Format("2 Jan") + ": "
	got := Add("before", append(past, conversation.Turn{At: vaulttest.Now, User: "ok then"}, past[0]), 3000)
	if want := "before\n" + day + "We need 4,200 euros for the hull until 3 May.\n" + day + "Anna welds it, not Kowalski."; got != want {
		t.Errorf("%q", got)
	}
	if got = Add(got, past, 40); got != day+"Anna welds it, not Kowalski." {
		t.Errorf("%q", got)
	}
}

func TestTitle(t *testing.T) {
	for message, want := range map[string]string{
		"hi":   "",
		"yes!": "",
		"We need a new mast for the boat.\nAnd sails.": "We need a new mast for the boat",
		"What is due this week? And what then?":        "What is due this week",
		"  Mr. Kowalski comes on Tuesday  ":            "Mr. Kowalski comes on Tuesday",
	} {
		if got := Title(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
	if got := Title(strings.Repeat("länger und ", 20)); len([]rune(got)) > maxTitle || !strings.HasPrefix(got, "länger und länger") {
		t.Errorf("%q", got)
	}
}

func TestName(t *testing.T) {
	for answer, want := range map[string]string{
		`{"title":"4,200 euros for Anna"}`:                                    "4,200 euros for Anna",
		`{"title":"Anna refuses"}`:                                            "",
		`{"title":"**Anna welds the hull.**"}`:                                "Anna welds the hull",
		"```\n{\"title\":\"4,200 euros until 3 May\"}\n```":                   "4,200 euros until 3 May",
		`{"title":"Bob and Charles weld"}`:                                    "",
		`{"title":""}`:                                                        "",
		`{"title":"one two three four five six seven eight nine ten eleven"}`: "",
		`{"lines":["x"]}`:                                                     "",
		`Welding`:                                                             "",
	} {
		got, err := Name(context.Background(), pen{text: answer, stop: model.End}, nil, past)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", answer, got, err, want)
		}
	}
}

// A summary is bettered only while it is the one that was given.
func TestBetter(t *testing.T) {
	v := vaulttest.New(t, "")
	ctx := t.Context()
	d := Desk{
		Vault: v, Limit: 3000,
		Lock:   func(context.Context, string) (func(), error) { return func() {}, nil },
		Retold: func(_ context.Context, turn conversation.Turn) conversation.Turn { return turn },
	}
	writer := pen{text: `{"lines":["Anna welds the hull."]}`, stop: model.End}
	for _, tc := range []struct{ session, has, want string }{
		{"01A", "kist's own", vaulttest.Now.Format("2 Jan") + ": Anna welds the hull."},
		{"01B", "it went on", "it went on"},
	} {
		if err := conversation.SaveSession(ctx, v, conversation.Session{ID: tc.session, Mode: "general", Summary: tc.has}); err != nil {
			t.Fatal(err)
		}
		if err := d.Better(ctx, writer, nil, Task{Session: tc.session, Own: "kist's own", Past: past}); err != nil {
			t.Error(err)
		}
		if s, err := conversation.FindSession(ctx, v, tc.session); err != nil || s.Summary != tc.want {
			t.Errorf("%q, %v, want %q", s.Summary, err, tc.want)
		}
	}
	if err := d.Better(ctx, pen{text: "{}", stop: model.End}, nil, Task{Session: "01A", Past: past}); err == nil {
		t.Error("nothing was written, and no error")
	}
}
