package form

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kist/agent/agenttest"
	"kist/agent/model"
)

var form = Form{Rules: "Say a word.", Schema: `{"type":"object"}`, About: "talk", Text: "hello\n"}

func TestFill(t *testing.T) {
	for name, tc := range map[string]struct {
		step agenttest.Step
		want string
		err  string
	}{
		"an object":         {step: agenttest.Say(`{"word":"yes"}`), want: "yes"},
		"in a fence":        {step: agenttest.Say("Sure:\n```json\n{\"word\":\"yes\"}\n```\nDone."), want: "yes"},
		"bad JSON":          {step: agenttest.Say(`{"word":`), err: "no such object"},
		"words":             {step: agenttest.Say("I can't."), err: "no such object"},
		"another type":      {step: agenttest.Say(`{"word":5}`), err: "no such object"},
		"endless":           {step: agenttest.Say(`{"word":"yes"}` + strings.Repeat("x", maxText)), err: "it wrote over 8192 bytes"},
		"cut off":           {step: agenttest.Step{Events: agenttest.Say(`{"word":"yes"}`).Events, CutOff: true}, err: "not whole"},
		"at the limit":      {step: agenttest.Step{Events: agenttest.Say(`{"word":"yes"}`).Events, Stop: model.Length}, err: "not whole"},
		"broken connection": {step: agenttest.Break("it is away"), err: "it is away"},
	} {
		var got struct{ Word string }
		err := form.Fill(t.Context(), agenttest.NewScript(tc.step), nil, &got)
		if tc.err == "" && (err != nil || got.Word != tc.want) || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
			t.Errorf("%s: %q, %v", name, got.Word, err)
		}
	}
}

// What is asked is bound to the schema, has no tools, and says that it is private.
func TestRequest(t *testing.T) {
	script := agenttest.NewScript()
	f := form
	f.Private = "the project is private"
	_ = f.Fill(t.Context(), script, nil, &struct{}{})
	req := script.Requests()[0]
	if req.Private != f.Private || string(req.Format) != f.Schema || len(req.Tools) > 0 || req.MaxOutput == 0 || !strings.Contains(req.Messages[0].Text, "<talk>\nhello\n</talk>") {
		t.Errorf("%+v", req)
	}
}

// slow never says a word.
type slow struct{}

func (slow) Name() string { return "slow" }

func (slow) Generate(ctx context.Context, _ model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		<-ctx.Done()
		yield(model.Event{}, ctx.Err())
	}
}

func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := form.Fill(ctx, slow{}, nil, &struct{}{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}
