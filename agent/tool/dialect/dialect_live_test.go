//go:build live

package dialect

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"testing"
	"time"

	"kist/agent/model"
)

// A real server takes every schema: go test -tags live -v -run Live, with the address that
// ends in /v1 in KIST_LIVE_URL. What it says to the schemas as they are is only logged.

type live struct {
	*testing.T
	url string
}

func newLive(t *testing.T) live {
	url := os.Getenv("KIST_LIVE_URL")
	if url == "" {
		t.Fatal("KIST_LIVE_URL holds no address")
	}
	return live{t, url}
}

// ask sends a request of a few tokens and returns the status and the answer.
func (l live) ask(more map[string]any) (int, string) {
	l.Helper()
	body := map[string]any{"messages": []map[string]string{{"role": "user", "content": "Add the task: sand the hull, due tomorrow."}}, "max_tokens": 5}
	for key, v := range more {
		body[key] = v
	}
	text, err := json.Marshal(body)
	if err != nil {
		l.Fatal(err)
	}
	client := &http.Client{Timeout: 5 * time.Minute}
	res, err := client.Post(l.url+"/chat/completions", "application/json", bytes.NewReader(text))
	if err != nil {
		l.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<16))
	if err != nil {
		l.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

func format(schema json.RawMessage) map[string]any {
	return map[string]any{"response_format": map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "answer", "schema": schema}}}
}

func offer(tools ...model.Tool) map[string]any {
	var all []map[string]any
	for _, x := range tools {
		all = append(all, map[string]any{"type": "function", "function": map[string]any{"name": x.Name, "description": x.Description, "parameters": x.Schema}})
	}
	return map[string]any{"tools": all, "tool_choice": "required"} // so that a grammar is made at once
}

func TestLive(t *testing.T) {
	l := newLive(t)
	_, tools := registry(t)
	for _, kind := range []Kind{Grammar, Strict, AsIs} {
		accepted := map[string]int{}
		try := func(form, name string, more map[string]any) {
			start := time.Now()
			status, answer := l.ask(more)
			switch took := time.Since(start).Round(time.Millisecond); {
			case status == http.StatusOK:
				accepted[form]++
			case kind == Grammar:
				t.Errorf("%s of %s: %d after %s: %.400s", form, name, status, took, answer)
			default:
				t.Logf("kind %q, %s of %s: %d after %s: %.400s", kind, form, name, status, took, answer)
			}
		}
		for _, x := range For(kind, tools) {
			try("format", x.Name, format(x.Schema))
			try("tools", x.Name, offer(x))
		}
		t.Logf("kind %q: of %d tools %d accepted as format, %d as tools", kind, len(tools), accepted["format"], accepted["tools"])
	}
}

func TestLiveUnion(t *testing.T) {
	l := newLive(t)
	_, tools := registry(t)
	for _, words := range []bool{true, false} {
		union := Union(tools, words)
		start := time.Now()
		status, answer := l.ask(format(union))
		t.Logf("union of %d tools, %d bytes, words %v: %d after %s", len(tools), len(union), words, status, time.Since(start).Round(time.Millisecond))
		if status != http.StatusOK {
			t.Errorf("%.1000s", answer)
		}
	}
	for _, kind := range []Kind{Grammar, AsIs} {
		all := offer(For(kind, tools)...)
		all["messages"] = []map[string]string{{"role": "user", "content": "Hi."}}
		status, answer := l.ask(all)
		t.Logf("all tools at once, kind %q: %d: %.300s", kind, status, answer)
	}
}

// A server that can't make a grammar of a pattern may answer all the same, with any text.
func TestLivePatternsHold(t *testing.T) {
	l := newLive(t)
	_, tools := registry(t)
	for _, kind := range []Kind{Grammar, AsIs} {
		tried := map[string]bool{}
		for i, x := range For(kind, tools) {
			before, _ := parse(tools[i].Schema)
			after, _ := parse(x.Schema)
			arguments, _ := parse(before.get("properties"))
			for _, a := range arguments {
				p, _ := parse(a.value)
				pattern := p.text("pattern")
				props, _ := parse(after.get("properties"))
				if pattern == "" || tried[pattern] {
					continue
				}
				tried[pattern] = true
				more := format(closed(member{a.key, props.get(a.key)}))
				more["max_tokens"], more["seed"] = 200, 1
				_, answer := l.ask(more)
				var said struct {
					Choices []struct{ Message struct{ Content string } }
				}
				var args map[string]string
				if err := json.Unmarshal([]byte(answer), &said); err != nil || len(said.Choices) != 1 {
					t.Fatalf("%.1000s", answer)
				}
				text := said.Choices[0].Message.Content
				err := json.Unmarshal([]byte(text), &args)
				holds := err == nil && regexp.MustCompile(pattern).MatchString(args[a.key])
				t.Logf("kind %q, %s: %v: %q", kind, pattern, holds, text)
				if kind == Grammar && !holds {
					t.Error("the pattern doesn't hold")
				}
			}
		}
		if len(tried) < 3 {
			t.Errorf("%d patterns", len(tried))
		}
	}
}

// What is written in the form of the union is one, to its end.
func TestLiveUnionIsWritten(t *testing.T) {
	l := newLive(t)
	r, tools := registry(t)
	more := format(Union(tools, false))
	more["max_tokens"], more["temperature"], more["seed"] = 400, 0.8, 1
	status, answer := l.ask(more)
	var said struct {
		Choices []struct {
			Finish  string `json:"finish_reason"`
			Message struct{ Content string }
		}
	}
	if err := json.Unmarshal([]byte(answer), &said); status != http.StatusOK || err != nil || len(said.Choices) != 1 {
		t.Fatalf("%d: %.1000s", status, answer)
	}
	text := said.Choices[0].Message.Content
	if said.Choices[0].Finish == "length" {
		t.Logf("cut off: %s", text)
		return
	}
	var step struct {
		Say  *string
		Call *struct {
			Tool      string
			Arguments json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(text), &step); err != nil || step.Say == nil || step.Call == nil {
		t.Fatalf("%s: %v", text, err)
	}
	t.Logf("fits: %v: %s", r.Fits(step.Call.Tool, step.Call.Arguments), text)
}
