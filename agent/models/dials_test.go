package models

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/endpoint"
	"kist/agent/endpoint/endpointtest"
	"kist/agent/ollama"
	"kist/agent/openai"
	"kist/agent/wire/wiretest"
	"kist/index"
	"kist/index/served"
	"kist/vault"
	"kist/vault/vaulttest"
)

// foreign is what the environment names in TestDials. It is an address that no machine has.
const foreign = "192.0.2.1:9"

// TestDials: with models on this machine nothing else is dialled, and no name is looked up,
// whatever the environment says and wherever the servers redirect to. The standard library
// reads the environment once, so that the test is run by itself.
func TestDials(t *testing.T) {
	if os.Getenv("KIST_DIALS_TEST") == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestDials$", "-test.v")
		cmd.Env = append(os.Environ(), "KIST_DIALS_TEST=1", "NO_PROXY=", "no_proxy=", "REQUEST_METHOD=", "OLLAMA_HOST="+foreign)
		for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL"} {
			cmd.Env = append(cmd.Env, name+"=http://"+foreign)
		}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestDials") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for _, kind := range Kinds() {
		for _, host := range []string{"127.0.0.1", "localhost", "LocalHost", "[::ffff:127.0.0.1]"} {
			t.Run(kind+" at "+host, func(t *testing.T) {
				t.Parallel()
				talkAt(t, kind, host)
			})
		}
	}
}

// dials are what was dialled and looked up with a context.
type dials struct {
	mu     sync.Mutex
	dialed []string
	looked []string
}

func (d *dials) watch(ctx context.Context) context.Context {
	add := func(to *[]string, what string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		*to = append(*to, what)
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart:     func(i httptrace.DNSStartInfo) { add(&d.looked, i.Host) },
		ConnectStart: func(_, address string) { add(&d.dialed, address) },
	})
}

// check wants each port to have been dialled, on this machine, and nothing else.
func (d *dials) check(t *testing.T, urls ...string) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	want := map[string]bool{}
	for _, u := range urls {
		_, port, _ := strings.Cut(strings.TrimPrefix(u, "http://"), ":")
		want[port] = false
	}
	for _, address := range d.dialed {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !to.Addr().Unmap().IsLoopback() {
			t.Errorf("%s is dialled", address)
			continue
		}
		port := fmt.Sprint(to.Port())
		if _, ok := want[port]; !ok {
			t.Errorf("%s is dialled", address)
		}
		want[port] = true
	}
	for port, dialed := range want {
		if !dialed {
			t.Errorf("port %s isn't dialled: %v", port, d.dialed)
		}
	}
	if len(d.looked) > 0 {
		t.Errorf("looked up: %v", slices.Compact(slices.Sorted(slices.Values(d.looked))))
	}
}

// A talker is a server of any kind that first calls a tool and then says something, and is busy
// the third time.
type talker struct {
	kind string

	mu    sync.Mutex
	asked int
}

func (s *talker) answer(r wiretest.Request) wiretest.Answer {
	switch r.Path {
	case "/api/tags":
		return asJSON(`{"models":[{"name":"m"}]}`)
	case "/v1/models":
		return asJSON(`{"data":[{"id":"m","context_length":32768}]}`)
	case "/v1/models/m":
		return asJSON(`{"id":"m","max_input_tokens":32768}`)
	case "/api/show":
		return asJSON(`{"capabilities":["completion","tools"],"model_info":{"general.architecture":"a","a.context_length":32768}}`)
	case "/api/ps":
		return asJSON(`{"models":[]}`)
	case "/api/pull":
		return wiretest.Answer{Header: map[string]string{"Content-Type": "application/x-ndjson"}, Body: `{"status":"success"}` + "\n"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	say := reply{text: "The hull is sound.", count: 100}
	body := string(r.Body)
	switch held := strings.Contains(body, `"response_format"`) || strings.Contains(body, `"format"`) || strings.Contains(body, `"output_config"`); {
	case s.asked == 3:
		return wiretest.Answer{Status: 503, Body: "busy"}
	case held:
		say.text = `{"say":"The hull is sound.","call":null}`
	case s.asked%2 == 1 && strings.Contains(body, `"tools"`):
		say.tool, say.arguments = "search", `{"query":"hull"}`
	}
	return map[string]func(reply) wiretest.Answer{"ollama": ollamaSays, "openai": openAI, "anthropic": anthropicSays}[s.kind](say)
}

// talkAt does with a model at a host all that is done with one.
func talkAt(t *testing.T, kind, host string) {
	d := &dials{}
	ctx, cancel := context.WithTimeout(d.watch(t.Context()), 20*time.Second)
	defer cancel()
	at := func(address string) string {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return "http://" + host + ":" + u.Port()
	}
	server := wiretest.New(t, (&talker{kind: kind}).answer)
	astray := httptest.NewServer(http.RedirectHandler("http://"+foreign, http.StatusTemporaryRedirect))
	t.Cleanup(astray.Close)
	path := map[string]string{"openai": "/v1"}[kind]
	s := Settings{Chat: kind + "/m", Embed: "builtin", Patient: true, Servers: map[string]Server{kind: {URL: at(server.URL) + path, Key: "sesame", Set: true}}}
	m, f, router := start(t, s)
	embeds := endpointtest.New(t)
	defer func() { d.check(t, server.URL, embeds.URL, astray.URL) }()
	x := indexAt(ctx, t, kind, at(embeds.URL))
	a, err := agent.New(x.vault, x.Index, router, agent.Options{Now: func() time.Time { return vaulttest.Now }})
	if err != nil {
		t.Fatal(err)
	}
	for n, text := range []string{"What do we know about the hull?", "Add a task: sand the hull", "Compare the hull with the mast, please.", "Thanks, and what is next?"} {
		for e, err := range a.Send(ctx, agent.Message{Text: text, Project: "houseboat"}) {
			if failed, ok := e.(agent.Failed); ok || err != nil {
				t.Errorf("%q: %v %v", text, err, failed.Err)
			}
		}
		if state := router.State(); state.Err != nil || state.Model != s.Chat {
			t.Errorf("turn %d wasn't the model's: %+v", n, state)
		}
	}
	if _, err := x.Search(ctx, index.Query{Text: "boat"}); err != nil {
		t.Error(err)
	}
	if found := m.List(ctx); len(found) != 1 || len(found[0].Models) != 1 {
		t.Errorf("%+v", found)
	}
	if _, err := m.Use(ctx, "chat", kind+"/m"); err != nil {
		t.Error(err)
	}
	m.Roles(ctx)
	if err := m.Test(ctx, "", func(Check) bool { return true }); err != nil {
		t.Error(err)
	}
	if kind == "ollama" {
		if err := m.Pull(ctx, "ollama/m", func(string, int64, int64) bool { return true }); err != nil {
			t.Error(err)
		}
	}

	f.s.Servers = map[string]Server{kind: {URL: at(astray.URL), Key: "sesame", Set: true}}
	if _, err := m.Use(ctx, "chat", kind+"/m"); err != nil {
		t.Error(err)
	}
	if text, by, err := hear(ctx, router); err != nil || text != "partner" {
		t.Errorf("sent away: %q by %s, %v", text, by, err)
	}
	m.List(ctx)
}

// followed is an index that is followed, with the vault that it is of.
type followed struct {
	*index.Index
	vault *vault.Vault
}

// indexAt returns the index of a vault whose documents a server embeds, all of them.
func indexAt(ctx context.Context, t *testing.T, kind, url string) followed {
	t.Helper()
	v := vaulttest.New(t, "-- projects/houseboat/project.md --\n---\ntype: project\nname: Houseboat\nstatus: active\ncreated_by: agent\n---\n\n# Houseboat\n-- hull.md --\n# Hull\n\nThe hull of the boat is sound.\n")
	var embedder served.Embedder
	if kind == "ollama" {
		e, err := endpoint.New(url, "")
		if err != nil {
			t.Fatal(err)
		}
		embedder = ollama.NewEmbedder(e, "e")
	} else {
		e, err := endpoint.New(url+"/v1", "")
		if err != nil {
			t.Fatal(err)
		}
		embedder = openai.NewEmbedder(e, "e")
	}
	x, err := index.Open(v, index.Options{Dir: t.TempDir(), Embedder: embedder})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- x.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	for s := x.Status(); s.Vectors.Embedder.State != served.Ready; s = x.Status() {
		if ctx.Err() != nil {
			t.Fatalf("%+v", s.Vectors)
		}
		time.Sleep(time.Millisecond)
	}
	return followed{x, v}
}
