//go:build live

package live

import (
	"fmt"
	"strings"
	"testing"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/window"
)

// TestWindow: a request that has more in it than fits is taken by the server as it is sent,
// and is within the window by the server's own count.
func TestWindow(t *testing.T) {
	client := liveServer(t).client(t, endpoint.Patience{})
	long := strings.Repeat("The hull was scraped on 2026-11-23, “Überfahrt” is next: {\"path\":\"notes/hull.md\",\"line\":12}.\n", 400)
	for _, size := range []int{2048, *size} {
		m := window.New(client, size)
		for range 2 { // the second knows how the server counts
			req := model.Request{Brief: func(int) model.Brief { return model.Brief{Rules: "Answer in one word.", Now: "It is Monday."} }, MaxOutput: 5}
			for range 10 {
				req.Messages = append(req.Messages, model.Message{Role: model.User, Text: long[:800]}, model.Message{Role: model.Assistant, Text: long[:600]})
			}
			req.Said = len(req.Messages)
			req.Messages = append(req.Messages, model.Message{Role: model.User, Text: "What was scraped?"})
			var usage model.Usage
			for e, err := range m.Generate(t.Context(), req) {
				if err != nil {
					t.Fatalf("%d: %v", size, err)
				}
				if e.Usage != nil {
					usage = *e.Usage
				}
			}
			fmt.Printf("live: a window of %d: %d tokens were read\n", size, usage.Input)
			if usage.Input == 0 || usage.Input+usage.Output > size {
				t.Errorf("%d: %+v", size, usage)
			}
		}
	}
}
