package models

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/openai"
)

// A Check is one thing that was tried with a model.
type Check struct {
	What   string
	Result string // passed, failed or skipped
	Detail string
	Took   time.Duration
}

// The results.
const (
	passed  = "passed"
	failed  = "failed"
	skipped = "skipped"
)

// Test asks a model a few things, that of chat where ref is empty, and tells of each; it
// ends early where tell returns false, where the server doesn't answer at all, or where the
// next request would pass a limit. Errors wrap ErrName or ErrServer.
func (m *Service) Test(ctx context.Context, ref string, tell func(Check) bool) error {
	s, _ := m.now()
	if ref == "" {
		ref = s.Chat
	}
	if ref == Offline {
		tell(Check{What: "a model is set up", Result: failed, Detail: "none is; kist works with the offline partner alone. kist model list shows what there is"})
		return nil
	}
	chat, err := s.open(ref, nil, m.free)
	if err != nil {
		return err
	}
	t := &trial{chat: chat, tell: tell}
	if m.meter != nil {
		t.meter = m.meter()
	}
	for _, try := range []func(context.Context) Check{t.reach, t.answer, t.call, t.window} {
		began := time.Now()
		c := try(ctx)
		c.Took = time.Since(began)
		if !tell(c) || t.away || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// A trial is one run of the checks.
type trial struct {
	chat  *Chat
	tell  func(Check) bool
	meter model.Meter // nil: nobody counts
	info  model.Info
	away  bool // the server doesn't answer, or isn't to be asked any more
}

// The limits of an answer to a check, in tokens and bytes: one that thinks first needs
// many, and there are servers that count none.
const (
	mostTokens = 2000
	mostBytes  = 64 << 10
)

func (t *trial) reach(ctx context.Context) Check {
	c := Check{What: "the server answers", Result: passed}
	info, err := t.chat.Info(ctx)
	t.info = info
	if err != nil {
		c.Result, c.Detail = failed, withHint(err)
		t.away = !mute(err)
		if !t.away {
			c.Result = skipped
		}
		return c
	}
	where := "local"
	if info.Remote || t.chat.Remote(ctx) {
		where = "remote: what it is sent leaves this machine"
	}
	c.Detail = fmt.Sprintf("%s; a window of %d tokens", where, info.Context)
	return c
}

// mute: the server is there and tells nothing of its models; it may answer all the same.
func mute(err error) bool {
	e, ok := errors.AsType[*endpoint.Error](err)
	if !ok {
		return errors.Is(err, openai.ErrAnswer)
	}
	return e.Status != 0 && e.Status != http.StatusUnauthorized && e.Status != http.StatusForbidden && !e.Passing()
}

func withHint(err error) string {
	if h := hint(err); h != "" {
		return err.Error() + " (" + h + ")"
	}
	return err.Error()
}

// heard is an answer to a check.
type heard struct {
	text  string
	calls []model.Call
	stop  model.Stop
	usage model.Usage
	err   error
}

func (t *trial) ask(ctx context.Context, req model.Request) (h heard) {
	var text strings.Builder
	defer func() { h.text = text.String() }()
	req.Meter = t.meter
	for e, err := range t.chat.Generate(ctx, req) {
		if err != nil {
			h.err, t.away = err, t.away || errors.Is(err, model.ErrLimit)
			return h
		}
		if e.Back {
			text.Reset()
		}
		if text.WriteString(e.Text); text.Len() > mostBytes {
			h.stop = model.Length
			return h
		}
		if e.Call != nil {
			h.calls = append(h.calls, *e.Call)
		}
		if e.Usage != nil {
			h.usage = *e.Usage
		}
		if e.Stop != "" {
			h.stop = e.Stop
		}
	}
	if h.stop == "" {
		h.err = model.ErrCut
	}
	return h
}

// said makes a request of one message.
func said(rules, text string) model.Request {
	return model.Request{
		Brief:    func(int) model.Brief { return model.Brief{Rules: rules} },
		Messages: []model.Message{{Role: model.User, Text: text}},
	}
}

func (t *trial) answer(ctx context.Context) Check {
	c := Check{What: "it answers in words"}
	req := said("You are a helpful assistant. Answer in one short sentence.", "What is the capital of France?")
	req.MaxOutput = mostTokens
	h := t.ask(ctx, req)
	switch {
	case h.err != nil:
		c.Result, c.Detail = failed, withHint(h.err)
		t.away = true
	case h.stop == model.Length, h.stop == model.Circles:
		c.Result, c.Detail = failed, fmt.Sprintf("it comes to no end: %q", clip(h.text, 80))
	case strings.TrimSpace(h.text) == "":
		c.Result, c.Detail = failed, "the answer is empty"
	default:
		c.Result, c.Detail = passed, fmt.Sprintf("%q", clip(h.text, 80))
	}
	return c
}

func (t *trial) call(ctx context.Context) Check {
	c := Check{What: "it uses tools"}
	req := said("You keep a list of tasks for the user. Use the tools.", "Add a task: call the welder.")
	req.MaxOutput = mostTokens
	req.Tools = []model.Tool{{
		Name: "create_task", Description: "Adds a task to the list.",
		Schema: []byte(`{"type":"object","properties":{"title":{"type":"string","maxLength":200,"description":"what is to be done"}},"required":["title"],"additionalProperties":false}`),
	}}
	rung := t.chat.Rung()
	h := t.ask(ctx, req)
	for len(h.calls) == 0 && h.err == nil && t.chat.Rung() > rung { // it found that there is a better way
		rung = t.chat.Rung()
		h = t.ask(ctx, req)
	}
	rung = t.chat.Rung()
	switch {
	case h.err != nil:
		c.Result, c.Detail = failed, withHint(h.err)
	case len(h.calls) == 0:
		c.Result, c.Detail = failed, fmt.Sprintf("it said %q and called nothing (%v)", clip(h.text, 60), rung)
	case h.calls[0].Name != "create_task":
		c.Result, c.Detail = failed, fmt.Sprintf("it called %q, which there isn't (%v)", clip(h.calls[0].Name, 60), rung)
	default:
		c.Result, c.Detail = passed, fmt.Sprintf("create_task %s (%v)", clip(string(h.calls[0].Arguments), 80), rung)
	}
	return c
}

// window looks whether the server reads all that it is sent: there are those that leave
// out the beginning without a word.
func (t *trial) window(ctx context.Context) Check {
	c := Check{What: "it reads all of its window"}
	line := "The hull was scraped, the deck was oiled and nothing else happened on that day.\n"
	n := min(t.info.Context, 32<<10) * 6 / 10 / model.Tokens(line)
	req := said("Answer in one word.", strings.Repeat(line, n)+"\nWhat was oiled?")
	req.MaxOutput = 60
	h := t.ask(ctx, req)
	estimate := n * model.Tokens(line)
	switch {
	case h.err != nil:
		c.Result, c.Detail = failed, withHint(h.err)
	case h.usage.Input == 0:
		c.Result, c.Detail = skipped, "the server doesn't count what it reads"
	case h.usage.Input < estimate/2:
		c.Result, c.Detail = failed, fmt.Sprintf("of about %d tokens it read %d; set models.context lower, or the server's window higher", estimate, h.usage.Input)
	default:
		c.Result, c.Detail = passed, fmt.Sprintf("%d tokens were read", h.usage.Input)
	}
	return c
}

func clip(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "..."
	}
	return s
}
