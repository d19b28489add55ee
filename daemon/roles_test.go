package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kist/agent/models"
)

// What isn't the value stays as it is, to the byte.
func TestSetRole(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", "models:\n  chat: ollama/x\n"},
		{"# mine", "# mine\nmodels:\n  chat: ollama/x\n"},
		{"models:\n  chat: offline\n", "models:\n  chat: ollama/x\n"},
		{"models:\n    # why\n    embed: builtin  # so\n", "models:\n    # why\n    chat: ollama/x\n    embed: builtin  # so\n"},
		{"models:\n  chat: \"a # b\" # why\n  openai: {url: x}", "models:\n  chat: ollama/x # why\n  openai: {url: x}"},
		{"models:\n  chat: 'it''s' # why\r\n", "models:\n  chat: ollama/x # why\r\n"},
		{"models:\n  embed: über/ü\n  chat: größe\n", "models:\n  embed: über/ü\n  chat: ollama/x\n"},
		{"models: {chat: offline}\n", ""},
		{"models:\n  chat: |\n    offline\n", ""},
		{"models:\n  chat:\n    offline\n", ""},
		{"models: []\n", ""},
		{"models: x: y\n", ""},
		{"- models\n", ""},
		{"models:\n  chat: &a offline\n  embed: *a\n", ""},
	} {
		got, err := setRole([]byte(tc.text), "chat", "ollama/x")
		if string(got) != tc.want || (err != nil) != (tc.want == "") || err != nil && !errors.Is(err, models.ErrSettings) {
			t.Errorf("%q: %q, %v", tc.text, got, err)
		}
	}
	if got, err := setRole(nil, "chat", "ollama/qwen3:8b"); string(got) != "models:\n  chat: 'ollama/qwen3:8b'\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// The file is for its owner alone, is made where there is none, and is left as a link.
func TestWriteRole(t *testing.T) {
	dir := t.TempDir()
	env := func(key string) string { return map[string]string{"XDG_CONFIG_HOME": dir}[key] }
	if err := writeRole(env, "chat", "ollama/x"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, machineConfig)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	m, err := loadModels(env)
	if err != nil || m.Chat != "ollama/x" {
		t.Errorf("%+v, %v", m, err)
	}
	kept := filepath.Join(dir, "dotfiles.yaml")
	if err := errors.Join(os.Rename(path, kept), os.Symlink(kept, path), writeRole(env, "chat", "offline")); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(path); err != nil || target != kept {
		t.Errorf("the link is gone: %q, %v", target, err)
	}
	chosen := func(key string) string { return map[string]string{"XDG_CONFIG_HOME": dir, "KIST_CHAT": "offline"}[key] }
	if err := writeRole(chosen, "chat", "ollama/x"); !errors.Is(err, models.ErrSettings) {
		t.Errorf("the environment would win: %v", err)
	}
	if err := writeRole(func(string) string { return "" }, "chat", "ollama/x"); !errors.Is(err, models.ErrSettings) {
		t.Errorf("no folder: %v", err)
	}
}
