package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/private"
	"kist/vault"
)

func load(t *testing.T, text string, env map[string]string) (Config, error) {
	t.Helper()
	dir := t.TempDir()
	if text != "-" {
		if err := os.WriteFile(filepath.Join(dir, "kist.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return LoadConfig(dir, func(key string) string { return env[key] })
}

func defaultModels() Models {
	return Models{Chat: "offline", Embed: "builtin", Private: private.Marks{Tags: []string{"private"}}, Ollama: Server{URL: ollamaURL}, Anthropic: Server{URL: anthropicURL}}
}

func TestConfigDefaults(t *testing.T) {
	want := Config{Layout: vault.DefaultLayout(), Learn: true, Listen: "127.0.0.1:0", Models: defaultModels()}
	for _, text := range []string{"-", "", "# nothing\n", "version: 1\n", "folders:\nagent:\n"} {
		got, err := load(t, text, nil)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestInitConfig: the file that init writes, with every comment sign in it taken
// away, means the defaults and one rule.
func TestInitConfig(t *testing.T) {
	dir := t.TempDir()
	if _, err := Init(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "kist.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load(t, string(text), nil); err != nil {
		t.Error(err)
	}
	var all strings.Builder
	for line := range strings.Lines(string(text)) {
		// Sentences begin with a capital letter, settings don't.
		if rest, ok := strings.CutPrefix(line, "# "); ok && (rest[0] < 'A' || rest[0] > 'Z') {
			line = rest
		}
		all.WriteString(line)
	}
	got, err := load(t, all.String(), nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, all.String())
	}
	if got.Layout != vault.DefaultLayout() {
		t.Errorf("got %+v", got)
	}
	f, err := parseFile([]byte(all.String()))
	if err != nil || f.Agent.Policy != "balanced" || len(f.Agent.Tools) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestConfigSources(t *testing.T) {
	text := `
version: 1
folders:
  projects: Areas/Projects
agent:
  policy: ask
  tools: {create_task: auto}
  budget: {turn: 20000, day: 500000, month: 5000000}
  learn: false
`
	got, err := load(t, text, map[string]string{"KIST_LISTEN": "127.0.0.1:7777", "KIST_ORIGINS": " https://notes.example , app://x "})
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Layout: vault.DefaultLayout(), Budget: Budget{Turn: 20_000, Day: 500_000, Month: 5_000_000},
		Listen: "127.0.0.1:7777", Origins: []string{"https://notes.example", "app://x"}, Models: defaultModels()}
	want.Layout.Projects = "Areas/Projects"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	f, err := parseFile([]byte(text))
	if diff := cmp.Diff(map[string]string{"create_task": "auto"}, f.Agent.Tools); err != nil || f.Agent.Policy != "ask" || diff != "" {
		t.Errorf("%+v, %v %s", f.Agent, err, diff)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, tc := range []struct{ text, env, want string }{
		{text: "version: 2", want: "version 2 is not known"},
		{text: "version: one", want: "line 1"},
		{text: "\n\nverson: 1", want: `line 3: unknown key "verson" (known: version, folders, agent, sync, projects)`},
		{text: "folders:\n  task: x", want: `line 2: unknown key "task" (known: projects, drafts, memories, conversations, sessions, operations)`},
		{text: "agent:\n  polcy: ask\n  tool: {}", want: `line 3: unknown key "tool" (known: policy, tools, budget, learn)`},
		{text: "models: {embed: ollama/x}", want: `unknown key "models"`}, // never from a vault
		{text: "version: 1\nversion: 1", want: "already"},
		{text: "a: [", want: "line 1"},
		{text: "- a", want: "line 1"},
		{text: "agent: {policy: yolo}", want: `agent.policy "yolo" (known: ask, balanced, auto)`},
		{text: "agent: {tools: {x: maybe}}", want: `agent.tools.x "maybe" (known: auto, ask, never)`},
		{text: "agent: {budget: {turn: -1}}", want: "agent.budget: turn is -1; it is a number from 0"},
		{text: "agent: {budget: {day: -5}}", want: "agent.budget: day is -5"},
		{text: "agent: {budget: {turn: 10}}", want: "isn't enough for one answer"},
		{text: "agent: {budget: {turn: 9000, day: 5000}}", want: "agent.budget: turn is 9000, which is more than day, 5000"},
		{text: "agent: {budget: {day: 9000, month: 5000}}", want: "agent.budget: day is 9000, which is more than month, 5000"},
		{text: "agent: {budget: {turn: lots}}", want: "line 1"},
		{text: "agent:\n  budget: {week: 1}", want: `line 2: unknown key "week" (known: turn, day, month)`},
		{text: "sync: {leave_out: ['!a']}", want: "sync.leave_out"},
		{text: "sync: {remote: x}", want: `unknown key "remote" (known: leave_out)`}, // never from a vault
		{text: "agent: {budget: 7}", want: "line 1"},
		{text: "projects:\n  from: Projects/*.md", want: `line 2: projects.from is a list, such as ["Projects/*.md", "tag:project"]`},
		{text: "projects:\n  from:\n    - tag:project\n    - ../*.md", want: `line 4: projects.from: not a rule for projects: "../*.md" is no path in the vault`},
		{text: "projects:\n  from: [[a]]", want: "line 2: projects.from has something that is no text"},
		{text: "projects: {form: []}", want: `unknown key "form" (known: from)`},
		{text: "folders: {projects: ../up}", want: "folders.projects"},
		{text: "folders: {projects: /abs}", want: "folders.projects"},
		{text: `folders: {projects: 'a\b'}`, want: "folders.projects"},
		{text: "folders: {drafts: .hidden}", want: "hidden"},
		{text: "folders: {drafts: .kist/x}", want: "hidden"},
		{text: "folders: {drafts: ''}", want: "folders.drafts"},
		{text: "folders: {drafts: .}", want: "folders.drafts"},
		{text: "folders: {drafts: projects}", want: "folders.projects and folders.drafts are both"},
		{text: "# " + strings.Repeat("x", maxConfig), want: "64 KiB"},
		{env: "*", want: "KIST_ORIGINS"},
		{env: "null", want: "KIST_ORIGINS"},
		{env: "notes.example", want: "KIST_ORIGINS"},
	} {
		_, err := load(t, tc.text, map[string]string{"KIST_ORIGINS": tc.env})
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, ErrConfig) || e.Hint == "" || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%.40q: %v, want %q", tc.text+tc.env, err, tc.want)
		}
	}
}
