// Package windowtest draws the requests by which is tried that a window holds.
package windowtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"kist/agent/model"
)

// texts are drawn once, of every length up to so many bytes: what costs in a random request is
// to count it, and a text that was counted before costs nothing.
func texts(r *rand.Rand, n, most int) []string {
	words := []string{"hull ", "Überfahrt ", "船 ", "2026-11-23 ", "{\"a\":1} ", "море ", "\n"}
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for long := most * (i + 1) / n; ; {
			word := words[r.IntN(len(words))]
			if b.Len()+len(word) > long {
				break
			}
			b.WriteString(word)
		}
		out[i] = b.String()
	}
	return out
}

// maxResult is what tools give at most, in bytes.
const maxResult = 16 << 10

// Situations draws requests with so much of everything that some of it has to go: up to ten
// turns of history, 41 tools, and 25 steps of up to four results, in one of four requests the
// largest that tools give.
func Situations(r *rand.Rand) func() model.Request {
	past, asked, about, results := texts(r, 40, 14<<10), texts(r, 20, 1400), texts(r, 20, 200), texts(r, 60, maxResult)
	one := func(of []string) string { return of[r.IntN(len(of))] }
	rules := func(room int) model.Brief {
		if room <= 0 {
			room = 3500
		}
		return model.Brief{Rules: "The rules." + strings.Repeat(" r", room), Now: "It is Monday." + strings.Repeat(" n", room)}
	}
	return func() model.Request {
		req := model.Request{Brief: rules}
		for range r.IntN(11) {
			req.Messages = append(req.Messages, model.Message{Role: model.User, Text: one(past)}, model.Message{Role: model.Assistant, Text: one(past)})
		}
		req.Said = len(req.Messages)
		req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "MINE " + one(asked)})
		for i := range r.IntN(42) {
			req.Tools = append(req.Tools, model.Tool{Name: fmt.Sprintf("tool_%d", i), Description: "Does it. " + one(about), Schema: []byte(`{"type":"object"}`), Rank: r.IntN(5)})
		}
		largest := r.IntN(4) == 0
		for step := range r.IntN(26) {
			m := model.Message{Role: model.Assistant, Text: one(about)}
			var told []model.Message
			for c := range r.IntN(4) + 1 {
				id := fmt.Sprintf("%d-%d", step, c)
				m.Calls = append(m.Calls, model.Call{ID: id, Name: "tool_0", Arguments: []byte(`{"query":"hull"}`)})
				text := one(results)
				if largest {
					text = results[len(results)-1]
				}
				told = append(told, model.Message{Role: model.ToolRole, CallID: id, Tool: "tool_0", Text: text})
			}
			req.Messages = append(append(req.Messages, m), told...)
		}
		return req
	}
}
