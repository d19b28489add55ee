package ollama

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint"
	"kist/agent/model"
)

var _ model.Described = (*Chat)(nil)

func TestInfo(t *testing.T) {
	const small = `"model_info":{"general.architecture":"llama","llama.context_length":2048}`
	for name, tc := range map[string]struct {
		model   string
		context int
		show    string
		want    model.Info
		window  int
	}{
		"all":                   {"m", 0, describes, model.Info{Context: 8192, Tools: true, Format: true, Thinking: true}, 8192},
		"more is asked for":     {"m", 20000, describes, model.Info{Context: 20000, Tools: true, Format: true, Thinking: true}, 20000},
		"more than it has":      {"m", 99999, describes, model.Info{Context: 40960, Tools: true, Format: true, Thinking: true}, 40960},
		"less than nothing":     {"m", -1, describes, model.Info{Context: 8192, Tools: true, Format: true, Thinking: true}, 8192},
		"a small one":           {"m", 0, `{` + small + `,"capabilities":["completion"]}`, model.Info{Context: 2048, Format: true}, 2048},
		"no capabilities told":  {"m", 0, `{` + small + `,"template":"{{ if .Tools }}"}`, model.Info{Context: 2048, Tools: true, Format: true}, 2048},
		"it sees":               {"m", 0, `{` + small + `,"capabilities":["completion","vision"]}`, model.Info{Context: 2048, Format: true, Images: true}, 2048},
		"nothing told":          {"m", 0, `{}`, model.Info{Context: 8192, Format: true}, 8192},
		"an absurd window":      {"m", 0, `{"model_info":{"general.architecture":"x","x.context_length":-3}}`, model.Info{Context: 8192, Format: true}, 8192},
		"no number":             {"m", 0, `{"model_info":{"general.architecture":7,"x.context_length":"y"}}`, model.Info{Context: 8192, Format: true}, 8192},
		"on another host":       {"m", 0, `{"remote_host":"https://ollama.com:443"}`, model.Info{Context: 8192, Format: true, Remote: true}, 8192},
		"another model":         {"m", 0, `{"remote_model":"gpt-oss:120b"}`, model.Info{Context: 8192, Format: true, Remote: true}, 8192},
		"in the cloud, by tag":  {"gpt-oss:120b-cloud", 0, `{}`, model.Info{Context: 8192, Format: true, Remote: true}, 8192},
		"in the cloud, by name": {"glm-5:Cloud ", 0, `{}`, model.Info{Context: 8192, Format: true, Remote: true}, 8192},
		"of the clouds":         {"cloud:8b", 0, `{}`, model.Info{Context: 8192, Format: true}, 8192},
	} {
		f := serve(t)
		f.show = says(tc.show)
		c := NewChat(f.endpoint(t), tc.model, Options{Context: tc.context})
		told(t.Context(), c, userSays("Hello"))
		for range 2 {
			got, err := c.Info(t.Context())
			if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v %s", name, err, diff)
			}
		}
		told(t.Context(), c, userSays("Hello"))
		if diff := cmp.Diff([]int{tc.window, tc.window}, f.windows(t)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if n := f.count("/api/show"); n != 1 {
			t.Errorf("%s: asked %d times", name, n)
		}
	}
}

// TestPassedOn: a name that stood for a model on this machine stands for one elsewhere now. The
// answer that tells so ends with its first line, and the server is asked anew.
func TestPassedOn(t *testing.T) {
	f := serve(t)
	f.show = says(`{}`)
	c := NewChat(f.endpoint(t), "m", Options{})
	if info, err := c.Info(t.Context()); err != nil || info.Remote {
		t.Fatalf("%+v, %v", info, err)
	}
	f.show = says(`{"remote_host":"https://ollama.com:443","remote_model":"x"}`)
	f.chat = says(`{"remote_host":"https://ollama.com:443","remote_model":"x","message":{"content":"Hello."},"done":true,"done_reason":"stop"}`)
	got := strings.Join(told(t.Context(), c, userSays("Hello")), "\n")
	if !strings.Contains(got, "passed the request on to https://ollama.com:443") || strings.Contains(got, "Hello.") {
		t.Errorf("%s", got)
	}
	if info, err := c.Info(t.Context()); err != nil || !info.Remote {
		t.Errorf("%+v, %v", info, err)
	}
	if got := strings.Join(told(t.Context(), c, userSays("Hello")), "\n"); !strings.Contains(got, "Hello.") {
		t.Errorf("now that it is known: %s", got)
	}
}

// TestLives: a server that answers anything is there, one that is silent or gone isn't.
func TestLives(t *testing.T) {
	f := serve(t)
	for _, tc := range []struct {
		version http.HandlerFunc
		want    bool
	}{{says(`{"version":"0.17.4"}`), true}, {fails(500, "x"), true}, {says("x"), true}} {
		if f.version = tc.version; lives(f.endpoint(t)) != tc.want {
			t.Errorf("%v", tc.want)
		}
	}
	e := f.endpoint(t)
	if f.Close(); lives(e) {
		t.Error("one that is gone")
	}
}

// TestMade: another version of the server, or of the model, is another one; it is asked once.
func TestMade(t *testing.T) {
	for name, tc := range map[string]struct{ show, version, want string }{
		"both":                {`{"modified_at":"2026-05-04T14:56:49+02:00"}`, `{"version":"0.32.6"}`, "0.32.6, 2026-05-04T14:56:49+02:00"},
		"no version":          {`{"modified_at":"2026-05-04T14:56:49+02:00"}`, `{}`, ""},
		"none that makes any": {`{"modified_at":"2026-05-04T14:56:49+02:00"}`, `<html>`, ""},
		"no time":             {`{}`, `{"version":"0.32.6"}`, ""},
	} {
		f := serve(t)
		f.show, f.version = says(tc.show), says(tc.version)
		c := NewChat(f.endpoint(t), "m", Options{})
		for range 2 {
			if got, err := c.Info(t.Context()); err != nil || got.Made != tc.want {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		if n := f.count("/api/version"); n > 1 {
			t.Errorf("%s: asked %d times", name, n)
		}
	}
}

// TestNotDescribed: an answer doesn't depend on the description, and the window that it
// was begun with stays.
func TestNotDescribed(t *testing.T) {
	f := serve(t)
	f.show = fails(500, `{"error":"Bearer `+key+`"}`)
	c := NewChat(f.endpoint(t), "m", Options{})
	for range 2 {
		if got := told(t.Context(), c, userSays("Hello")); got[len(got)-1] != "stop end" {
			t.Errorf("%q", got)
		}
		if _, err := c.Info(t.Context()); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%v", err)
		}
	}
	f.show = says(`{"model_info":{"general.architecture":"llama","llama.context_length":2048}}`)
	if info, err := c.Info(t.Context()); err != nil || info.Context != 2048 {
		t.Errorf("%+v, %v", info, err)
	}
	told(t.Context(), c, userSays("Hello"))
	if diff := cmp.Diff([]int{8192, 8192, 8192}, f.windows(t)); diff != "" || f.count("/api/show") != 4 {
		t.Errorf("%s asked %d times", diff, f.count("/api/show"))
	}
	f.show = says("oops " + key)
	if _, err := NewChat(f.endpoint(t), "m", Options{}).Info(t.Context()); err == nil || !strings.Contains(err.Error(), "makes no sense") || strings.Contains(err.Error(), key) {
		t.Errorf("%v", err)
	}
}

// TestAbsent: where nobody listens, the window isn't settled, and the server may yet tell.
func TestAbsent(t *testing.T) {
	f := serve(t)
	f.show = says(`{"model_info":{"general.architecture":"llama","llama.context_length":2048}}`)
	e, err := endpoint.New("http://127.0.0.1:1", "")
	if err != nil {
		t.Fatal(err)
	}
	c := NewChat(e, "m", Options{})
	for e, err := range c.Generate(t.Context(), userSays("Hello")) {
		if e.Notice == "" && (err == nil || !strings.Contains(err.Error(), "nothing listens")) {
			t.Errorf("%+v, %v", e, err)
		}
	}
	c.endpoint = f.endpoint(t) // it is there now
	if info, err := c.Info(t.Context()); err != nil || info.Context != 2048 {
		t.Errorf("%+v, %v", info, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewChat(e, "m", Options{}).Info(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestModels(t *testing.T) {
	status, body := http.StatusOK, `{"models":[
		{"name":"qwen3:8b","model":"qwen3:8b","modified_at":"some day","size":5225388164},
		{"name":"gpt-oss:120b-cloud","size":384,"remote_host":"https://ollama.com:443","remote_model":"gpt-oss:120b"},
		{"name":"mine","size":300,"remote_host":"https://ollama.com:443"},{"name":"a\u001b[31m"}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/api/tags" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		w.WriteHeader(status)
		w.Write([]byte(body))
	}))
	defer server.Close()
	e, err := endpoint.New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Models(t.Context(), e)
	want := []Listed{{"qwen3:8b", 5225388164, false}, {"gpt-oss:120b-cloud", 384, true}, {"mine", 300, true}, {"a[31m", 0, false}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	status, body = http.StatusOK, `[]`
	if _, err := Models(t.Context(), e); err == nil {
		t.Error("another shape: no error")
	}
	status, body = http.StatusInternalServerError, `{"error":"no"}`
	if _, err := Models(t.Context(), e); err == nil || !strings.Contains(err.Error(), "500") {
		t.Errorf("%v", err)
	}
}
