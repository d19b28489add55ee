package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"kist/agent/budget"
	"kist/agent/private"
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
	with := func(change func(*Models)) Models {
		m := defaultModels()
		change(&m)
		return m
	}
	openai := with(func(m *Models) {
		m.Embed, m.OpenAI = "openai/small", Server{URL: "http://127.0.0.1:8080/v1", Key: "abc"}
	})
	for _, tc := range []struct {
		name, text string
		env        map[string]string
		want       Models
	}{
		{"nothing", "", nil, defaultModels()},
		{"a file", both, nil, openai},
		{"the environment wins", both, map[string]string{"KIST_EMBED": "builtin", "KIST_OPENAI_KEY": "xyz"},
			with(func(m *Models) { m.OpenAI = Server{URL: openai.OpenAI.URL, Key: "xyz"} })},
		{"the environment alone", "", map[string]string{"KIST_EMBED": "ollama/nomic-embed-text", "KIST_OLLAMA_URL": "http://box:1"},
			with(func(m *Models) { m.Embed, m.Ollama = "ollama/nomic-embed-text", Server{URL: "http://box:1"} })},
		{"a chat", "models: {chat: 'ollama/qwen3:8b', context: 16384, keep_alive: 30m, instant: false}", nil,
			with(func(m *Models) {
				m.Chat, m.ChatSet, m.Context, m.KeepAlive, m.Patient = "ollama/qwen3:8b", true, 16384, 30*time.Minute, true
			})},
		{"private things", "models: {private: {folders: [journal/], tags: [], projects: [divorce]}, openai: {url: 'http://127.0.0.1:1/v1', remote: true}}", nil,
			with(func(m *Models) {
				m.Private = private.Marks{Folders: []string{"journal/"}, Tags: []string{}, Projects: []string{"divorce"}}
				m.OpenAI = Server{URL: "http://127.0.0.1:1/v1", Remote: true}
			})},
		{"a chat elsewhere", "", map[string]string{"KIST_CHAT": "anthropic/claude", "KIST_ANTHROPIC_KEY": "k"},
			with(func(m *Models) { m.Chat, m.ChatSet, m.Anthropic.Key = "anthropic/claude", true, "k" })},
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
		{text: "models: {embeds: x}", want: `unknown key "embeds" (known: chat, fallback, fast, embed, context, keep_alive, instant, private, prices, budget, ollama, openai, anthropic)`},
		{text: "models: {openai: {token: x}}", want: `unknown key "token" (known: url, key, keyring, remote)`},
		{text: "models: {private: {folders: [/etc]}}", want: `models.private.folders: "/etc" is no folder of a vault`},
		{text: "models: {private: {folders: [../x]}}", want: "is no folder of a vault"},
		{text: "models: {private: {tags: ['#']}}", want: "is no tag"},
		{text: "models: {private: {projects: [a/b]}}", want: "is no project's folder"},
		{text: "models: {private: {folder: [a]}}", want: `unknown key "folder" (known: folders, tags, projects)`},
		{text: "models: {embed: [a]}", want: "line 1: a list is not text"},
		{text: "models: [a]", want: "line 1: a list is not keys with values"},
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

// TestChatFaults: what makes no sense of the model of conversations ends nothing else, and
// is told with where it stands.
func TestChatFaults(t *testing.T) {
	for _, tc := range []struct {
		text, want string
		env        map[string]string
	}{
		{text: "models: {chat: gpt}", want: "config.yaml: models.chat: not a model's name: \"gpt\" is not offline, ollama/NAME, openai/NAME or anthropic/NAME"},
		{text: "models: {chat: [a]}", want: "config.yaml: models.chat: line 1: a list is not text"},
		{text: "models: {chat: openai/x}", want: "KIST_OPENAI_URL"},
		{text: "models: {chat: anthropic/x}", want: "KIST_ANTHROPIC_URL"},
		{text: "models: {context: 12}", want: "from 2048 to"},
		{text: "models: {context: lots}", want: "config.yaml: models.context: line 1: `lots` is not a whole number"},
		{text: "models: {instant: perhaps}", want: "models.instant: line 1: `perhaps` is not true or false"},
		{text: "models: {keep_alive: long}", want: "no length of time"},
		{text: "models: {budget: {daily: 2}}", want: `models.budget: unknown key "daily" (known: turn, day, month)`},
		{text: "models: {budget: {day: -2}}", want: "models.budget: day is -2"},
		{text: "models: {budget: {day: .nan}}", want: "models.budget: day is NaN"},
		{text: "models: {budget: {day: \"2\"}}", want: "models.budget: line 1: `2` is not a number"},
		{text: "models: {budget: 3}", want: "models.budget: line 1"},
		{text: "models: {budget: {day: 3, month: 2}}", want: "day is 3, which is more than month, 2"},
		{text: "models: {prices: {gpt: {input: 1}}}", want: `models.prices: "gpt" is neither a model such as ollama/NAME nor one of ollama, openai, anthropic`},
		{text: "models: {prices: {openai: {in: 1}}}", want: `models.prices: openai: unknown key "in" (known: input, output, cached)`},
		{text: "models: {prices: {openai: {input: 1}}}", want: "models.prices: openai: both input and output are needed"},
		{text: "models: {prices: {openai: {input: 1, cached: 1}}}", want: "both input and output are needed"},
		{text: "models: {prices: {openai: {input: -1, output: 1}}}", want: "models.prices: openai: a price is a number from 0"},
		{text: "models: {chat: anthropic/x, budget: {day: 2}, anthropic: {key: k}}", want: "models.prices has none of anthropic/x"},
		{env: map[string]string{"KIST_CHAT": "rubbish"}, want: "KIST_CHAT: models.chat: not a model's name"},
		{text: "models: {fallback: [a], chat: gpt}", want: "models.chat: not a model's name"},
	} {
		m, err := machine(t, tc.text, 0o600, tc.env)
		var e *Error
		if err != nil || !errors.As(m.Fault, &e) || !errors.Is(m.Fault, ErrConfig) || !strings.Contains(m.Fault.Error(), tc.want) || strings.Contains(m.Fault.Error(), "!!") {
			t.Errorf("%q: %v, %v, want %q", tc.text, err, m.Fault, tc.want)
		}
		if m.settings("").Fault == nil || m.Embed != BuiltIn {
			t.Errorf("%q: %+v", tc.text, m)
		}
		if ofChat := strings.Contains(m.Fault.Error(), "chat") || strings.Contains(tc.text, "chat: "); m.OfChat != ofChat {
			t.Errorf("%q: the fault is of chat alone: %v", tc.text, m.OfChat)
		}
	}
	// One of the model that takes over leaves the other one as it is, and one of chat the model that takes over.
	if m, err := machine(t, "models: {chat: ollama/x, fallback: [a]}", 0o600, nil); err != nil || m.Fault != nil || m.Chat != "ollama/x" || m.Awry == nil || !strings.Contains(m.Awry.Error(), "config.yaml: models.fallback: line 1: a list is not text") || m.settings("").FallbackFault == nil {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := machine(t, "models: {chat: [a], fallback: ollama/x}", 0o600, nil); err != nil || m.Fault == nil || !m.settings("").OfChat || m.settings("").Fallback != "ollama/x" || m.Awry != nil {
		t.Errorf("%+v, %v", m, err)
	}
	m, err := machine(t, "models: {chat: anthropic/x, budget: {day: 2, month: 20}, prices: {anthropic: {input: 3, output: 15, cached: 0.3}}, anthropic: {key: k}}", 0o600, nil)
	if err != nil || m.Fault != nil || m.Spend != (budget.Limit{Day: 2, Month: 20}) || m.Prices["anthropic"] != (budget.Price{Input: 3, Output: 15, Cached: 0.3}) {
		t.Errorf("%+v, %v, %v", m, err, m.Fault)
	}
	if m, err := machine(t, "models: {chat: 7}", 0o600, map[string]string{"KIST_CHAT": "offline"}); err != nil || m.Fault != nil {
		t.Errorf("the environment mends it: %v, %v", err, m.Fault)
	}
}

// TestModelsInVault: what came with a vault can't say where text is sent, also where the
// folder for settings lies in it, as in a home folder that is a vault.
func TestModelsInVault(t *testing.T) {
	vault, outside := t.TempDir(), t.TempDir()
	put(t, vault, map[string]string{"kist.yaml": "", ".config/kist/config.yaml": "models: {embed: openai/x, openai: {url: 'https://evil.example/v1'}}\n"})
	inside := filepath.Join(vault, ".config/kist/config.yaml")
	link := filepath.Join(outside, "config.yaml")
	if err := os.Symlink(inside, link); err != nil {
		t.Fatal(err)
	}
	for _, env := range []map[string]string{{"HOME": vault}, {"XDG_CONFIG_HOME": filepath.Join(vault, ".config")}, {"KIST_CONFIG": inside}, {"KIST_CONFIG": link}} {
		m, err := loadModels(func(key string) string { return env[key] })
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, ErrConfig) || e.Hint == "" || !strings.Contains(err.Error(), "may have come with it") || m.OpenAI.URL != "" {
			t.Errorf("%v: %+v, %v", env, m, err)
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
