package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	v1 "kist/proto/kist/v1"
)

func textDelta(s string) *v1.SendResponse {
	return &v1.SendResponse{Event: &v1.SendResponse_TextDelta{TextDelta: &v1.TextDelta{Text: s}}}
}

func created(path, batch string) *v1.SendResponse {
	return &v1.SendResponse{Event: &v1.SendResponse_Operation{Operation: &v1.Operation{
		Id: "01KB2Q3M7N8P9R0S1T2V3W4X5Y", Status: "completed", Type: "create", Batch: batch, Reason: "you asked",
		Entity: &v1.Entity{Type: "task", Path: path},
	}}}
}

func TestTurnShowsEventsOnLinesOfTheirOwn(t *testing.T) {
	var out, log bytes.Buffer
	tu := &turn{c: &cli{out: newPrinter(&out), log: newPrinter(&log)}}
	for _, ev := range []*v1.SendResponse{
		textDelta("Let me "), textDelta("see."), created("a.md", "b1"), created("b.md", "b1"), created("c.md", "b2"),
		{Event: &v1.SendResponse_Notice{Notice: &v1.Notice{Text: "slow today"}}},
		{Event: &v1.SendResponse_ContextSwitch{ContextSwitch: &v1.ContextSwitch{Project: "boat", Name: "Boat"}}},
		textDelta("\n\nDone.\nAll of it."),
	} {
		if end, err := tu.event(ev); end || err != nil {
			t.Fatal(end, err)
		}
	}
	end, err := tu.event(&v1.SendResponse{Event: &v1.SendResponse_Done{Done: &v1.Done{Session: "s", Project: "boat"}}})
	tu.freshLine()
	if !end || err != nil || tu.session != "s" || tu.project != "boat" {
		t.Errorf("end %v, error %v, session %q, project %q", end, err, tu.session, tu.project)
	}
	if !slices.Equal(tu.batches, []string{"b1", "b2"}) {
		t.Errorf("batches %v", tu.batches)
	}
	want := "Let me see.\n+ created task a.md (you asked) [2V3W4X5Y]\n+ created task b.md (you asked) [2V3W4X5Y]\n" +
		"+ created task c.md (you asked) [2V3W4X5Y]\n\nDone.\nAll of it.\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("slow today\nnow in: Boat\n", log.String()); diff != "" {
		t.Error(diff)
	}
}

// Where the pieces of a text are cut is no matter of its lines.
func TestTextInPieces(t *testing.T) {
	const text = "One.\n\n- a\n- b\n\n\nTwo.\n"
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		tu := &turn{c: &cli{out: newPrinter(&out), log: newPrinter(&bytes.Buffer{})}}
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			tu.show(textDelta(rest[:min(size, len(rest))]))
		}
		if out.String() != text {
			t.Errorf("in pieces of %d: %q", size, out.String())
		}
	}
}

// Calls of a model that weren't carried out don't fill the screen.
func TestManyRefusedCalls(t *testing.T) {
	var out, log bytes.Buffer
	tu := &turn{c: &cli{out: newPrinter(&out), log: newPrinter(&log)}}
	for i := range 50 {
		tu.show(&v1.SendResponse{Event: &v1.SendResponse_ToolCall{ToolCall: &v1.ToolCall{Name: "create_task", Error: fmt.Sprintf("fault %d", i/10)}}})
	}
	tu.end()
	if want := "create_task: fault 0\ncreate_task: fault 1\ncreate_task: fault 2\n47 more calls weren't carried out\n"; log.String() != want {
		t.Errorf("%q", log.String())
	}
}

func TestTurnThatFails(t *testing.T) {
	fail := &v1.SendResponse{Event: &v1.SendResponse_Error{Error: &v1.TurnError{Code: "not_found", Message: "no session", Hint: "list them"}}}
	var out, log bytes.Buffer
	tu := &turn{c: &cli{out: newPrinter(&out), log: newPrinter(&log)}}
	end, err := tu.event(fail)
	if f, code := explain(err); !end || code != exitNotFound || f.Hint != "list them" || f.Message != "no session" {
		t.Errorf("end %v, fault %+v, exit code %d", end, f, code)
	}
	// With --json the event was printed: saying it again would be saying it twice.
	tu.c.json = true
	_, err = tu.event(fail)
	if r, ok := errors.AsType[reportedError](err); !ok || r.code != exitNotFound {
		t.Errorf("error %v", err)
	}
}
