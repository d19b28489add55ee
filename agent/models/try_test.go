package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
	"kist/agent/wire/wiretest"
)

// Which check a request belongs to.
const (
	asksWords  = "capital of France"
	asksTool   = "call the welder"
	asksWindow = "hull was scraped"
)

// A sent request, as far as the fakes look at it.
type sent struct {
	Messages []struct {
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools    json.RawMessage `json:"tools"`
	Response json.RawMessage `json:"response_format"`
	body     string
}

func (s sent) count() int {
	n := model.Tokens(string(s.Tools))
	for _, m := range s.Messages {
		n += 6 + model.Tokens(string(m.Content))
	}
	return n
}

// read panics within a handler, which breaks the answer.
func read(r wiretest.Request) sent {
	s := sent{body: string(r.Body)}
	if err := json.Unmarshal(r.Body, &s); err != nil {
		panic(err)
	}
	return s
}

// good answers well, by calls of tools.
func good(s sent) reply {
	switch {
	case strings.Contains(s.body, asksWindow):
		return reply{text: "The deck.", count: s.count()}
	case strings.Contains(s.body, asksTool):
		return reply{tool: "create_task", arguments: `{"title":"Call the welder"}`, count: s.count()}
	}
	return reply{text: "Paris.", count: s.count()}
}

// check runs the checks and returns what they tell: the result and what stands in the detail.
func check(t *testing.T, s Settings, ref string) ([]Check, error) {
	t.Helper()
	m, _, _ := start(t, s)
	var got []Check
	err := m.Test(t.Context(), ref, func(c Check) bool {
		if c.Took < 0 || c.What == "" || strings.Contains(c.Detail, "sesame") || len(c.Detail) > 500 {
			t.Errorf("%+v", c)
		}
		got = append(got, c)
		return true
	})
	return got, err
}

func TestTrials(t *testing.T) {
	words := func(s sent) reply {
		r := good(s)
		if r.tool != "" {
			return reply{text: "I would add a task.", count: r.count}
		}
		return r
	}
	union := `{"say":"On it.","call":{"tool":"create_task","arguments":{"title":"Call the welder"}}}`
	for _, c := range []struct {
		name   string
		answer func(sent) wiretest.Answer
		want   string // of each check: the result and a part of the detail
	}{
		{"all is well", func(s sent) wiretest.Answer { return openAI(good(s)) },
			"passed a window of 8000 tokens; passed Paris; passed Call the welder\"} (native); passed tokens were read"},
		{"it never calls", func(s sent) wiretest.Answer { return openAI(words(s)) },
			"passed; passed; failed called nothing (native); passed"},
		{"it calls what there isn't", func(s sent) wiretest.Answer {
			r := good(s)
			if r.tool != "" {
				r.tool = "rm_rf"
			}
			return openAI(r)
		}, "passed; passed; failed \"rm_rf\", which there isn't; passed"},
		{"it comes to no end", func(s sent) wiretest.Answer {
			r := words(s)
			r.text, r.finish = strings.Repeat("and so on ", 500), "length"
			return openAI(r)
		}, "passed; failed comes to no end; failed called nothing; skipped"},
		{"nor does its server", func(s sent) wiretest.Answer {
			a := openAI(reply{text: strings.Repeat("and so on ", 3000), finish: "none"})
			return wiretest.Answer{Body: strings.Repeat(strings.TrimSuffix(a.Body, "data: [DONE]\n\n"), 4), End: wiretest.Hang}
		}, "passed; failed comes to no end; failed called nothing; skipped"},
		{"it says nothing", func(sent) wiretest.Answer { return openAI(reply{text: " ", count: 9000}) },
			"passed; failed empty; failed called nothing; passed"},
		{"its prompts are cut", func(s sent) wiretest.Answer {
			r := good(s)
			r.count = min(r.count, 500)
			return openAI(r)
		}, "passed; passed; passed; failed models.context"},
		{"its server counts nothing", func(s sent) wiretest.Answer {
			r := good(s)
			r.count = 0
			return openAI(r)
		}, "passed; passed; passed; skipped count"},
		{"its prompts are refused", func(s sent) wiretest.Answer {
			if strings.Contains(s.body, asksWindow) {
				return wiretest.Answer{Status: 400, Body: `{"error":{"message":"maximum context length is 10 tokens"}}`}
			}
			return openAI(good(s))
		}, "passed; passed; passed; failed longer than the model's window"},
		{"tools are left out without a word", func(s sent) wiretest.Answer {
			r := words(s)
			if strings.Contains(s.body, asksTool) && s.Response != nil {
				r.text = union
			} else if s.Tools != nil {
				r.count -= model.Tokens(string(s.Tools))
			}
			return openAI(r)
		}, "passed; passed; passed Call the welder\"} (union); passed"},
		{"tools are refused", func(s sent) wiretest.Answer {
			if s.Tools != nil {
				return wiretest.Answer{Status: 400, Body: `{"error":"no tools"}`}
			}
			r := words(s)
			if s.Response != nil {
				r.text = union
			}
			return openAI(r)
		}, "passed; passed; passed (union); passed"},
		{"tools and schemas are refused", func(s sent) wiretest.Answer {
			if s.Tools != nil || s.Response != nil {
				return wiretest.Answer{Status: 400, Body: `{"error":"neither"}`}
			}
			r := words(s)
			if strings.Contains(s.body, asksTool) {
				r.text = `[ACTION: create_task {"title":"Call the welder"}]`
			}
			return openAI(r)
		}, "passed; passed; passed (text); passed"},
		{"the answer is cut off", func(sent) wiretest.Answer { return openAI(reply{text: "Par", finish: "none"}) },
			"passed; failed cut off"},
		{"the connection breaks", func(sent) wiretest.Answer { return wiretest.Answer{End: wiretest.Broken} },
			"passed; failed broke off"},
		{"the key is wrong", func(sent) wiretest.Answer { return wiretest.Answer{Status: 401, Body: `{"error":"sesame is wrong"}`} },
			"passed; failed check the key"},
		{"a page of a proxy", func(sent) wiretest.Answer { return wiretest.Answer{Body: "<html>"} },
			"passed; failed proxy"},
		{"it breaks off later", func(s sent) wiretest.Answer {
			if strings.Contains(s.body, asksTool) {
				return wiretest.Answer{Status: 500, Body: "out of memory"}
			}
			return openAI(good(s))
		}, "passed; passed; failed out of memory; passed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
				if r.Method == http.MethodGet {
					return asJSON(`{"data":[{"id":"x","context_length":8000}]}`)
				}
				return c.answer(read(r))
			})
			got, err := check(t, at("openai", "x", s.URL+"/v1"), "")
			compare(t, c.want, got, err)
		})
	}
}

// compare holds the checks against what is wanted: the result of each, and what its
// detail has.
func compare(t *testing.T, want string, got []Check, err error) {
	t.Helper()
	all := strings.Split(want, "; ")
	// A window is told with a semicolon of its own, which the wanted part leaves out.
	if err != nil || len(got) != len(all) {
		t.Fatalf("%v, %d checks: %+v", err, len(got), got)
	}
	for i, w := range all {
		result, part, _ := strings.Cut(w, " ")
		if got[i].Result != result || !strings.Contains(got[i].Detail, part) {
			t.Errorf("want %q: %+v", w, got[i])
		}
	}
}

// The model of each kind of server is put together so that it works.
func TestTrialOfEachKind(t *testing.T) {
	for kind, answers := range map[string]struct {
		told  map[string]wiretest.Answer
		reply func(reply) wiretest.Answer
	}{
		"ollama":    {map[string]wiretest.Answer{"/api/show": asJSON(`{"capabilities":["completion","tools"],"model_info":{"general.architecture":"q","q.context_length":6000}}`)}, ollamaSays},
		"openai":    {map[string]wiretest.Answer{"/models": asJSON(`{"data":[{"id":"x","max_model_len":6000}]}`)}, openAI},
		"anthropic": {map[string]wiretest.Answer{"/v1/models/x": asJSON(`{"id":"x","max_input_tokens":6000,"max_tokens":3000}`)}, anthropicSays},
	} {
		s := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
			if a, ok := answers.told[r.Path]; ok {
				return a
			}
			if r.Header.Get("Authorization")+r.Header.Get("X-Api-Key") == "" {
				t.Errorf("%s: no key", kind)
			}
			return answers.reply(good(read(r)))
		})
		settings := at(kind, "other", s.URL)
		got, err := check(t, settings, kind+"/x")
		compare(t, "passed a window of 6000 tokens; passed Paris; passed create_task; passed", got, err)
		settings.Context = 3000
		got, err = check(t, settings, kind+"/x")
		compare(t, "passed a window of 3000 tokens; passed Paris; passed create_task; passed", got, err)
	}
}

// A server that doesn't answer isn't asked on.
func TestTrialEnds(t *testing.T) {
	for name, c := range map[string]struct {
		told wiretest.Answer
		want string
	}{
		"the key is wrong":        {wiretest.Answer{Status: 401, Body: `{"error":"sesame"}`}, "failed check the key"},
		"it may not":              {wiretest.Answer{Status: 403}, "failed check the key"},
		"it breaks":               {wiretest.Answer{End: wiretest.Broken}, "failed broke off"},
		"it has too much to do":   {wiretest.Answer{Status: 503}, "failed 503"},
		"it tells of no models":   {notFound, "skipped 404; passed Paris; passed (native); passed"},
		"what it tells is a page": {wiretest.Answer{Body: "<html>"}, "skipped makes no sense; passed Paris; passed create_task; passed"},
	} {
		s := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
			if r.Method == http.MethodGet {
				return c.told
			}
			return openAI(good(read(r)))
		})
		t.Run(name, func(t *testing.T) {
			got, err := check(t, at("openai", "x", s.URL), "")
			compare(t, c.want, got, err)
		})
	}
	got, err := check(t, at("openai", "x", "http://127.0.0.1:1"), "")
	compare(t, "failed check that the server runs", got, err)
	got, err = check(t, Settings{Chat: Offline, Embed: "builtin"}, "")
	compare(t, "failed offline partner alone", got, err)
}

// counting is a meter that allows so many requests.
type counting struct{ allowed, calls, tokens int }

func (c *counting) Allow(model.Usage) error {
	if c.calls == c.allowed {
		return fmt.Errorf("%w of mine", model.ErrLimit)
	}
	c.calls++
	return nil
}
func (c *counting) Count(used model.Usage) { c.tokens += used.Input + used.Output }

// What a trial asks is counted, and it ends at a limit.
func TestTrialIsCounted(t *testing.T) {
	asked := 0
	s := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
		if r.Method == http.MethodGet {
			return asJSON(`{"data":[{"id":"x","max_model_len":6000}]}`)
		}
		asked++
		return openAI(good(read(r)))
	})
	for _, allowed := range []int{3, 1} {
		m, _, _ := start(t, at("openai", "x", s.URL))
		meter := &counting{allowed: allowed}
		m.Count(func() model.Meter { return meter })
		var got []Check
		asked = 0
		err := m.Test(t.Context(), "", func(c Check) bool { got = append(got, c); return true })
		want := "passed; passed; passed; passed"
		if allowed == 1 {
			want = "passed; passed; failed a limit of mine"
		}
		compare(t, want, got, err)
		if asked != allowed || meter.calls != allowed || meter.tokens == 0 {
			t.Errorf("%d allowed: %d asked, %d counted, of %d tokens", allowed, asked, meter.calls, meter.tokens)
		}
	}
}

func TestTrialRefused(t *testing.T) {
	s := at("openai", "x", "http://127.0.0.1:1")
	for ref, want := range map[string]error{"nonsense": ErrName, "builtin": ErrName, "ollama/x": ErrServer, "anthropic/x": ErrServer} {
		if got, err := check(t, s, ref); !errors.Is(err, want) || len(got) > 0 {
			t.Errorf("%s: %v, %+v", ref, err, got)
		}
	}
}

// Whoever listens no more ends it, also while a server hangs.
func TestTrialIsCancelled(t *testing.T) {
	s := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
		if r.Method == http.MethodGet {
			return asJSON(`{"data":[]}`)
		}
		return wiretest.Answer{End: wiretest.Hang}
	})
	m, _, _ := start(t, at("openai", "x", s.URL))
	var got []string
	tell := func(c Check) bool { got = append(got, c.Result); return len(got) < 2 }
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := m.Test(ctx, "", tell); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	got = nil
	if err := m.Test(t.Context(), "", func(c Check) bool { got = append(got, c.Result); return false }); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{passed}, got); diff != "" {
		t.Error(diff)
	}
}
