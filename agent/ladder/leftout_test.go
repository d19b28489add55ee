package ladder

import (
	"fmt"
	"strings"
	"testing"

	"kist/agent/model"
	"kist/agent/window"
)

// TestLeftOutAfterFit: what was sent is smaller than what was asked for, with its tools in it.
func TestLeftOutAfterFit(t *testing.T) {
	req := model.Request{Brief: func(room int) model.Brief { return model.Brief{Rules: strings.Repeat("Be brief. ", 100)} }}
	for i := range 10 {
		req.Messages = append(req.Messages, model.Message{Role: model.User, Text: fmt.Sprint(i, strings.Repeat(" What of plank two?", 100))}, model.Message{Role: model.Assistant, Text: strings.Repeat("It is sound. ", 150)})
	}
	req.Said = len(req.Messages)
	req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "And three?"})
	for range 24 {
		req.Tools = append(req.Tools, model.Tool{Name: "create_task", Description: strings.Repeat("Adds a task. ", 4), Schema: []byte(`{"type":"object","properties":{"title":{"type":"string","maxLength":200},"due":{"type":"string"}}}`)})
	}
	fitted, err := window.Fit(req, 8192, 1)
	if err != nil {
		t.Fatal(err)
	}
	instructions, messages := fitted.Prompt()
	sent := model.Tokens(instructions) + model.Request{Messages: messages, Tools: fitted.Tools}.Tokens()
	if len(fitted.Tools) != len(req.Tools) || New(&fake{}, options()).leftOut(req, 8192, sent) {
		t.Errorf("the server counts all of what it was sent, %d tokens with %d of %d tools: taken for a template without tools", sent, len(fitted.Tools), len(req.Tools))
	}
}

// A template without tools is noticed where all was sent.
func TestLeftOut(t *testing.T) {
	req := model.Request{Messages: []model.Message{{Role: model.User, Text: strings.Repeat("the hull ", 50)}}, Tools: []model.Tool{{Name: "create_task", Description: strings.Repeat("Adds a task. ", 40)}}}
	rest, tools := model.Request{Messages: req.Messages}.Tokens(), model.Request{Tools: req.Tools}.Tokens()
	m := New(&fake{}, options())
	if !m.leftOut(req, 8192, rest) || m.leftOut(req, 8192, rest+tools) || m.leftOut(req, 8192, 0) {
		t.Errorf("%d and %d tokens", rest, tools)
	}
}
