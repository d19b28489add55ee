package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint/endpointtest"
	kistv1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// machine loads a machine's file of settings, and an environment.
func machine(t *testing.T, text string, mode os.FileMode, env map[string]string) (Models, error) {
	t.Helper()
	home := t.TempDir()
	name := filepath.Join(home, ".config", "kist", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return loadModels(func(key string) string {
		if key == "HOME" {
			return home
		}
		return env[key]
	})
}

func TestModels(t *testing.T) {
	const both = "models:\n  embed: openai/small\n  openai: {url: 'http://127.0.0.1:8080/v1', key: abc}\n"
	openai := Models{Embed: "openai/small", Ollama: Server{URL: ollamaURL}, OpenAI: Server{URL: "http://127.0.0.1:8080/v1", Key: "abc"}}
	for _, tc := range []struct {
		name, text string
		env        map[string]string
		want       Models
	}{
		{"nothing", "", nil, defaultModels()},
		{"a file", both, nil, openai},
		{"the environment wins", both, map[string]string{"KIST_EMBED": "builtin", "KIST_OPENAI_KEY": "xyz"},
			Models{Embed: "builtin", Ollama: openai.Ollama, OpenAI: Server{URL: openai.OpenAI.URL, Key: "xyz"}}},
		{"the environment alone", "", map[string]string{"KIST_EMBED": "ollama/nomic-embed-text", "KIST_OLLAMA_URL": "http://box:1"},
			Models{Embed: "ollama/nomic-embed-text", Ollama: Server{URL: "http://box:1"}}},
	} {
		got, err := machine(t, tc.text, 0o600, tc.env)
		if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", tc.name, err, diff)
		}
		if e, err := got.embedder(); err != nil || (e == nil) != (got.Embed == BuiltIn) {
			t.Errorf("%s: embedder %v, %v", tc.name, e, err)
		}
	}
}

func TestModelsErrors(t *testing.T) {
	for _, tc := range []struct {
		text, want string
		mode       os.FileMode
	}{
		{text: "models: {embed: chatty}", want: "is not builtin, ollama/NAME or openai/NAME"},
		{text: "models: {embed: ollama/}", want: "is not builtin"},
		{text: "models: {embed: openai/x}", want: "KIST_OPENAI_URL"},
		{text: "models: {embed: ollama/x, ollama: {url: 'ftp://x'}}", want: "models.ollama.url"},
		{text: "models: {embed: ollama/x, ollama: {url: 'http://me:secret@x'}}", want: "must not hold a name or password"},
		{text: "models: {embeds: x}", want: `unknown key "embeds" (known: embed, ollama, openai)`},
		{text: "models: {openai: {token: x}}", want: `unknown key "token" (known: url, key)`},
		{text: "model: {}", want: `unknown key "model" (known: models)`},
		{text: "models: {openai: {key: secret}}", mode: 0o644, want: "others can read it"},
	} {
		if tc.mode == 0 {
			tc.mode = 0o600
		}
		if tc.mode != 0o600 && runtime.GOOS == "windows" {
			continue
		}
		_, err := machine(t, tc.text, tc.mode, nil)
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, ErrConfig) || e.Hint == "" || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", tc.text, err, tc.want)
		}
	}
}

// TestSecret: no usual way of printing shows a key.
func TestSecret(t *testing.T) {
	m := Models{OpenAI: Server{Key: "hunter2"}}
	out := fmt.Sprintf("%v %+v %#v %s", m, m, m, m.OpenAI.Key)
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "models", m, "key", m.OpenAI.Key)
	if out += string(data) + log.String(); strings.Contains(out, "hunter2") {
		t.Error(out)
	}
}

// TestEmbedder: a daemon that is told of a server uses it, says so, and sends the key
// nowhere else.
func TestEmbedder(t *testing.T) {
	paths := isolate(t)
	server := endpointtest.New(t)
	t.Setenv("KIST_EMBED", "openai/small")
	t.Setenv("KIST_OPENAI_URL", server.URL+"/v1")
	t.Setenv("KIST_OPENAI_KEY", "hunter2")
	if err := os.WriteFile(filepath.Join(paths.Vault, "boat.md"), []byte("A hull and a mast."), 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	r := beginLogged(t, paths, usualPatience(), slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	k, err := dial.Connect(t.Context(), paths.Vault, dial.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var e *kistv1.EmbedderStatus
	for e.GetState() != "ready" {
		s, err := k.Index.GetIndexStatus(ctx, &kistv1.GetIndexStatusRequest{})
		if err != nil {
			t.Fatalf("%v; %v", err, e)
		}
		e = s.Vectors.Embedder
	}
	if e.Model != "openai/small" || !e.InUse || e.Documents < 1 || e.Pending != 0 || e.Problem != "" {
		t.Errorf("status %v", e)
	}
	r.stop()
	r.end(t)
	if strings.Contains(log.String(), "hunter2") {
		t.Error("the log has the key")
	}
}
