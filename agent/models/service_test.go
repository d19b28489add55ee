package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kist/agent/model"
	"kist/agent/wire/wiretest"
)

func TestSplit(t *testing.T) {
	for ref, want := range map[string]string{
		"ollama/qwen3:8b":                 "ollama qwen3:8b",
		"openai/org/model@1":              "openai org/model@1",
		"anthropic/claude-sonnet-5":       "anthropic claude-sonnet-5",
		"ollama/hf.co/x/Überfahrt:latest": "ollama hf.co/x/Überfahrt:latest",
		"offline":                         "",
		"builtin":                         "",
		"":                                "",
		"/":                               "",
		"ollama":                          "",
		"ollama/":                         "",
		"ollama/ ":                        "",
		"ollama/ x":                       "",
		"ollama/x\n":                      "",
		"Ollama/x":                        "",
		" ollama/x":                       "",
		"gemini/x":                        "",
		"/x":                              "",
	} {
		kind, name, err := Split(ref)
		if got := strings.TrimSpace(kind + " " + name); got != want || (err != nil) != (want == "") || err != nil && !errors.Is(err, ErrName) {
			t.Errorf("%q: %q, %v", ref, got, err)
		}
	}
}

func TestCheck(t *testing.T) {
	const name = "models.%s.url"
	for _, c := range []struct {
		chat   string
		server Server
		want   error
		says   string // of the error
	}{
		{Offline, Server{}, nil, ""},
		{"nonsense", Server{}, ErrName, "offline, ollama/NAME"},
		{"%s/x", Server{}, ErrServer, name},
		{"%s/x", Server{URL: "http://127.0.0.1:1"}, nil, ""},
		{"%s/x", Server{URL: "http://[::1]:1"}, nil, ""},
		{"%s/x", Server{URL: "https://models.example"}, ErrServer, "has to name"},
		{"%s/x", Server{URL: "https://127.0.0.1.models.example", Key: "sesame"}, ErrServer, "has to name"},
		{"%s/x", Server{URL: "https://models.example", Set: true}, nil, ""},
		{"%s/x", Server{URL: "https://me:sesame@models.example", Set: true}, ErrServer, name},
		{"%s/x", Server{URL: "ftp://sesame", Set: true}, ErrServer, name},
		{"%s/x", Server{URL: "http://a:sesame/%zz", Set: true}, ErrServer, name},
		{"%s/x", Server{URL: "http://models.example", Key: "sesame\n", Set: true}, ErrServer, name},
	} {
		for _, kind := range Kinds() {
			chat := strings.ReplaceAll(c.chat, "%s", kind)
			err := Settings{Chat: chat, Servers: map[string]Server{kind: c.server}}.Check()
			if !errors.Is(err, c.want) || err == nil && c.want != nil {
				t.Errorf("%s at %+v: %v", chat, c.server, err)
			}
			if err != nil && (!strings.Contains(err.Error(), strings.ReplaceAll(c.says, "%s", kind)) || strings.ContainsAny(err.Error(), "\n\x00") || strings.Contains(err.Error(), "sesame")) {
				t.Errorf("%s at %+v: %q", chat, c.server, err)
			}
		}
	}
}

// Servers that answer are listed, whatever the others do.
func TestList(t *testing.T) {
	tags := plays(t, map[string]wiretest.Answer{"/api/tags": asJSON(`{"models":[{"name":"b:8b","size":5000000000},{"name":"a:cloud"},{"name":" "}]}`)})
	listing := plays(t, map[string]wiretest.Answer{"/v1/models": asJSON(`{"data":[{"id":"gpt"},{"id":""},{"id":"x\n"},{"id":"org/x"}]}`)})
	claude := plays(t, map[string]wiretest.Answer{"/v1/models": asJSON(`{"data":[{"id":"claude"}]}`)})
	broken := plays(t, map[string]wiretest.Answer{"/v1/models": {Status: 401, Body: `{"error":"sesame is wrong"}`}})
	slow := plays(t, map[string]wiretest.Answer{"/v1/models": {End: wiretest.Hang}})
	odd := plays(t, map[string]wiretest.Answer{"/v1/models": asJSON(`<html>`)})
	ollama := Found{Kind: "ollama", URL: tags.URL, Models: []Available{{Name: "ollama/a:cloud", Remote: true}, {Name: "ollama/b:8b", Size: 5000000000}}}
	openai := Found{Kind: "openai", URL: listing.URL + "/v1", Set: true, Models: []Available{{Name: "openai/gpt"}, {Name: "openai/org/x"}}}
	anthropic := Found{Kind: "anthropic", URL: claude.URL, Set: true, Models: []Available{{Name: "anthropic/claude"}}}
	for _, c := range []struct {
		name    string
		servers map[string]Server
		want    []Found
	}{
		{"all three", map[string]Server{"ollama": {URL: tags.URL}, "openai": {URL: listing.URL + "/v1", Set: true}, "anthropic": {URL: claude.URL, Key: "sesame", Set: true}}, []Found{ollama, openai, anthropic}},
		{"none", nil, nil},
		{"Ollama isn't where it usually is, and there is no key for Anthropic", map[string]Server{"ollama": {URL: "http://127.0.0.1:1"}, "anthropic": {URL: "https://api.anthropic.com"}},
			[]Found{{Kind: "ollama", URL: "http://127.0.0.1:1", Error: "nothing listens", Hint: "runs"}}},
		{"one is slow, one wants a key", map[string]Server{"ollama": {URL: tags.URL}, "openai": {URL: slow.URL + "/v1", Set: true}, "anthropic": {URL: broken.URL, Key: "sesame", Set: true}},
			[]Found{ollama, {Kind: "openai", URL: slow.URL + "/v1", Set: true, Error: "deadline", Hint: "runs"}, {Kind: "anthropic", URL: broken.URL, Set: true, Error: "401", Hint: "key"}}},
		{"an answer that makes no sense", map[string]Server{"openai": {URL: odd.URL + "/v1", Set: true}}, []Found{{Kind: "openai", URL: odd.URL + "/v1", Set: true, Error: "makes no sense"}}},
		{"an address with a password", map[string]Server{"openai": {URL: "http://me:sesame@x", Set: true}}, []Found{{Kind: "openai", Set: true, Error: "must not hold", Hint: "correct"}}},
	} {
		m, _, _ := start(t, Settings{Chat: Offline, Embed: "builtin", Servers: c.servers})
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		got := m.List(ctx)
		cancel()
		if strings.Contains(fmt.Sprint(got), "sesame") {
			t.Errorf("%s: the key: %+v", c.name, got)
		}
		holds := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Error" || p.String() == "Hint" }, cmp.Comparer(func(a, b string) bool {
			return (a == "") == (b == "") && (strings.Contains(a, b) || strings.Contains(b, a))
		}))
		if diff := cmp.Diff(c.want, got, holds, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A server that lists more than can be of use.
func TestListIsBounded(t *testing.T) {
	many := strings.Repeat(`{"id":"x"},`, 3*maxListed)
	s := plays(t, map[string]wiretest.Answer{"/v1/models": asJSON(`{"data":[` + many + `{"id":"y"}]}`)})
	m, _, _ := start(t, at("openai", "x", s.URL+"/v1"))
	if got := m.List(t.Context()); len(got) != 1 || len(got[0].Models) != maxListed {
		t.Errorf("%d servers", len(got))
	}
}

func TestUse(t *testing.T) {
	s := plays(t, map[string]wiretest.Answer{
		"/v1/models":           asJSON(`{"data":[{"id":"a","context_length":9000},{"id":"b","context_length":5000}]}`),
		"/v1/chat/completions": openAI(reply{text: "big"}),
	})
	m, f, r := start(t, Settings{Chat: Offline, Embed: "builtin", Path: "config.yaml"})
	turn := r.Turn() // begun before: it goes on as it began
	f.s.Servers = map[string]Server{"openai": {URL: s.URL + "/v1", Set: true}}
	role, err := m.Use(t.Context(), "chat", "openai/a") // whose server was named only now
	want := Role{Name: "chat", Model: "openai/a", State: "untried", URL: s.URL + "/v1", Context: 9000}
	if diff := cmp.Diff(want, role); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for who, wants := range map[model.Model]string{turn: "partner ", r.Turn(): "big openai/a"} {
		if text, by, err := hear(t.Context(), who); text+" "+by != wants || err != nil {
			t.Errorf("%q by %q, %v", text, by, err)
		}
	}
	if got := m.Roles(t.Context())[0]; got.State != "ready" || got.Rung != "native" {
		t.Errorf("%+v", got)
	}
	role, err = m.Use(t.Context(), "embed", "openai/e")
	if want := (Role{Name: "embed", Model: "openai/e", State: "untried", URL: s.URL + "/v1", Hint: "its server lists no model of that name, but a, b"}); role != want || err != nil {
		t.Errorf("%+v, %v", role, err)
	}
	for _, ref := range []string{"builtin", Offline} {
		name := map[string]string{"builtin": "embed", Offline: "chat"}[ref]
		if role, err = m.Use(t.Context(), name, ref); role != (Role{Name: name, Model: ref, State: "ready"}) || err != nil {
			t.Errorf("%+v, %v", role, err)
		}
	}
	if diff := cmp.Diff([]string{"chat=openai/a", "embed=openai/e", "embed=builtin", "chat=offline"}, f.writes); diff != "" || r.Name() != Offline {
		t.Error(diff, r.Name())
	}
}

// TestUseOfNone: a model that isn't there is chosen all the same, for it may yet come; what there
// is, and how it would come, is said rather than what else a 404 may mean.
func TestUseOfNone(t *testing.T) {
	for tags, want := range map[string]string{
		`{"models":[{"name":"a:8b"}]}`: "its server lists no model of that name, but a:8b; kist model pull ollama/b has it fetched",
		`{"models":[]}`:                "its server lists no model of that name; kist model pull ollama/b has it fetched",
	} {
		s := plays(t, map[string]wiretest.Answer{"/api/tags": asJSON(tags), "/api/show": {Status: 404, Body: `{"error":"model 'b' not found"}`}})
		m, _, _ := start(t, Settings{Chat: Offline, Embed: "builtin", Path: "config.yaml", Servers: map[string]Server{"ollama": {URL: s.URL}}})
		if role, err := m.Use(t.Context(), "chat", "ollama/b"); err != nil || role.State != "failing" || role.Hint != want {
			t.Errorf("%+v, %v", role, err)
		}
	}
}

// TestPull: a model is named as kist does, or as Ollama does; other servers fetch none.
func TestPull(t *testing.T) {
	s := plays(t, map[string]wiretest.Answer{"/api/pull": {Body: `{"status":"success"}` + "\n"}})
	m, _, _ := start(t, Settings{Chat: Offline, Embed: "builtin", Path: "config.yaml", Servers: map[string]Server{"ollama": {URL: s.URL}}})
	for ref, want := range map[string]error{"ollama/a:8b": nil, "a:8b": nil, "hf.co/b/a": nil, "openai/a": ErrName, " ": ErrName} {
		told := ""
		err := m.Pull(t.Context(), ref, func(status string, _, _ int64) bool { told = status; return true })
		if !errors.Is(err, want) || (told == "success") != (want == nil) {
			t.Errorf("%q: %q, %v", ref, told, err)
		}
	}
}

// The window of a model of Ollama is by the memory that is free, and the same for whoever
// asks, also where the model is chosen anew.
func TestUseByMemory(t *testing.T) {
	const llama = `{"capabilities":["completion"],"model_info":{"general.architecture":"llama","llama.context_length":131072,"llama.block_count":32,"llama.embedding_length":4096,"llama.attention.head_count":32,"llama.attention.head_count_kv":8}}`
	s := plays(t, map[string]wiretest.Answer{"/api/show": asJSON(llama), "/api/tags": asJSON(`{"models":[{"name":"x"}]}`)})
	settings := at("ollama", "other", s.URL)
	m, _, _ := start(t, settings)
	if first, then := m.free(), m.free(); first != then {
		t.Errorf("%d, then %d bytes", first, then)
	}
	m.free = func() int64 { return 20 << 30 }
	for range 2 {
		if role, err := m.Use(t.Context(), "chat", "ollama/x"); role.Context != 16384 || err != nil {
			t.Errorf("%+v, %v", role, err)
		}
	}
	err := m.Test(t.Context(), "ollama/x", func(c Check) bool {
		if !strings.Contains(c.Detail, "a window of 16384 tokens") {
			t.Errorf("%+v", c)
		}
		return false
	})
	if err != nil {
		t.Error(err)
	}
}

// What is refused changes nothing, and what fails nothing that counts.
func TestUseFails(t *testing.T) {
	for _, c := range []struct {
		role, ref   string
		write, load error
		want        error
		written     bool
	}{
		{"chat", "nonsense", nil, nil, ErrName, false},
		{"chat", "builtin", nil, nil, ErrName, false},
		{"chat", "openai/x", nil, nil, ErrServer, false},
		{"chat", "anthropic/x", nil, nil, ErrServer, false},
		{"chat", "offline", fmt.Errorf("%w: %w", ErrSettings, errDisk), nil, ErrSettings, false},
		{"chat", "offline", nil, errDisk, ErrSettings, true},
		{"chat", "openai/x", nil, errDisk, errDisk, false},
		{"embed", "offline", nil, nil, ErrName, false},
		{"embed", "anthropic/x", nil, nil, ErrName, false},
		{"embed", "openai/x", nil, nil, ErrServer, false},
		{"embed", "ollama/", nil, nil, ErrName, false},
		{"embed", "ollama/e", fmt.Errorf("%w: %w", ErrSettings, errDisk), nil, ErrSettings, false},
		{"", "offline", nil, nil, ErrName, false},
		{"sing", "offline", nil, nil, ErrName, false},
	} {
		m, f, r := start(t, Settings{Chat: "ollama/old", Embed: "builtin", Path: "p", Servers: map[string]Server{
			"ollama": {URL: "http://127.0.0.1:1"}, "anthropic": {URL: "https://api.anthropic.com"},
		}})
		f.failWrite, f.failLoad = c.write, c.load
		role, err := m.Use(t.Context(), c.role, c.ref)
		if !errors.Is(err, c.want) || role != (Role{}) || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%s %s: %+v, %v", c.role, c.ref, role, err)
		}
		if roles := m.Roles(t.Context()); roles[0].Model != "ollama/old" || roles[1].Model != "builtin" || r.Name() != "ollama/old" || (len(f.writes) > 0) != c.written {
			t.Errorf("%s %s: %+v, %s, %q", c.role, c.ref, roles, r.Name(), f.writes)
		}
	}
}

// Settings that were broken by hand are mended by a choice that makes sense of them.
func TestUseMends(t *testing.T) {
	m, f, r := start(t, Settings{Chat: "ollama/old", Embed: "builtin", Servers: map[string]Server{"ollama": {URL: "http://127.0.0.1:1"}}})
	load := m.load
	f.s.Chat = "nonsense"
	m.load = func() (Settings, error) {
		s, _ := load()
		return s, s.Check()
	}
	if _, err := m.Use(t.Context(), "chat", Offline); err != nil || r.Name() != Offline {
		t.Errorf("%v, %s", err, r.Name())
	}
}

// Whoever chooses last wins, in the file and in what counts, while turns go on.
func TestUseAtOnce(t *testing.T) {
	s := plays(t, map[string]wiretest.Answer{
		"/v1/models":           asJSON(`{"data":[]}`),
		"/v1/chat/completions": openAI(reply{text: "big"}),
	})
	m, f, r := start(t, at("openai", "0", s.URL+"/v1"))
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 5 {
				if _, err := m.Use(t.Context(), "chat", fmt.Sprintf("openai/%d-%d", i, n)); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 5 {
				if text, _, err := hear(t.Context(), r.Turn()); text != "big" || err != nil {
					t.Errorf("%q, %v", text, err)
				}
				m.Roles(t.Context())
			}
		})
	}
	all.Wait()
	if last := f.s.Chat; r.Name() != last || m.Roles(t.Context())[0].Model != last || len(f.writes) != 20 || !slices.Contains(f.writes, "chat="+last) {
		t.Errorf("%s in the file, %s counts", last, r.Name())
	}
}

func TestRoles(t *testing.T) {
	answers := map[string]wiretest.Answer{
		"/v1/models":           asJSON(`{"data":[{"id":"x","context_length":4096}]}`),
		"/v1/chat/completions": openAI(reply{text: "big"}),
	}
	var mu sync.Mutex
	set := func(path string, a wiretest.Answer) {
		mu.Lock()
		defer mu.Unlock()
		answers[path] = a
	}
	s := wiretest.New(t, func(r wiretest.Request) wiretest.Answer {
		mu.Lock()
		defer mu.Unlock()
		return answers[r.Path]
	})
	chat := func(m *Service) Role { return m.Roles(t.Context())[0] }

	m, _, _ := start(t, Settings{Chat: Offline, Embed: "builtin"})
	if diff := cmp.Diff([]Role{{Name: "chat", Model: Offline, State: "ready"}, {Name: "embed", Model: "builtin", State: "ready"}, {Name: "fast", Model: Offline, State: "ready"}}, m.Roles(t.Context())); diff != "" {
		t.Error(diff)
	}

	m, _, r := start(t, at("openai", "x", s.URL+"/v1"))
	if got := chat(m); got.State != "untried" || got.Context != 4096 || got.Remote || got.Rung != "" {
		t.Errorf("untried: %+v", got)
	}
	if _, _, err := hear(t.Context(), r.Turn()); err != nil || chat(m).State != "ready" {
		t.Errorf("ready: %v, %+v", err, chat(m))
	}
	set("/v1/chat/completions", wiretest.Answer{Status: 401, Body: `{"error":"sesame is wrong"}`})
	if text, _, err := hear(t.Context(), r.Turn()); text != "partner" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if got := chat(m); got.State != "failing" || !strings.Contains(got.Error, "401") || !strings.Contains(got.Hint, "key") || strings.Contains(got.Error, "sesame") || got.Context != 4096 {
		t.Errorf("failing: %+v", got)
	}

	// Where nothing is told of the models, it counts how they answer.
	set("/v1/models", notFound)
	set("/v1/chat/completions", openAI(reply{text: "big"}))
	m, _, r = start(t, at("openai", "x", s.URL+"/v1"))
	if got := chat(m); got.State != "failing" || got.Hint == "" {
		t.Errorf("nothing is told: %+v", got)
	}
	if text, _, err := hear(t.Context(), r.Turn()); text != "big" || err != nil || chat(m).State != "ready" {
		t.Errorf("nothing is told, and it answers: %q, %v, %+v", text, err, chat(m))
	}

	// What isn't on this machine is remote, whether it answers or not.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, _, _ = start(t, at("anthropic", "x", "https://models.example"))
	if got := m.Roles(ctx)[0]; !got.Remote || got.State != "failing" {
		t.Errorf("remote: %+v", got)
	}
}

// TestFastFault: a fault of the small model's ends nothing else, and is told.
func TestFastFault(t *testing.T) {
	s := at("openai", "x", "http://127.0.0.1:1/v1")
	s.Fast = "anthropic/y"
	m, _, _ := start(t, s)
	if m.Fast() != nil {
		t.Error("there is a model")
	}
	roles := m.Roles(t.Context())
	got := roles[2]
	if got.State != "failing" || !strings.Contains(got.Error, "models.fast: ") {
		t.Errorf("%+v", got)
	}
	if chat := m.Known()[0]; chat.Error != "" || chat.State != "untried" {
		t.Errorf("the other role: %+v", chat)
	}
}

// TestFaultBeforeTheModel: a fault that kept the model's name from being read doesn't say
// that the partner isn't asked.
func TestFaultBeforeTheModel(t *testing.T) {
	_, _, router := start(t, Settings{Chat: Offline, Embed: "builtin", Fault: errors.New("line 4: a list is not keys with values")})
	by := ""
	for e, err := range router.Turn().Generate(t.Context(), said("Be brief.", "Hello?")) {
		if err != nil {
			t.Fatal(err)
		}
		if e.By != nil {
			by += e.By.Degraded
		}
	}
	if want := "the language model isn't asked: line 4: a list is not keys with values, so I do what I can without it."; by != want {
		t.Error(by)
	}
}
