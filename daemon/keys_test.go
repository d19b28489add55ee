package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	zalando "github.com/zalando/go-keyring"

	"kist/agent/keyring"
	"kist/agent/models"
)

// TestKeyring: a key that the settings have in the system's keyring is read with them, and what
// can't be had is the fault of its server alone.
func TestKeyring(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	zalando.MockInit()
	if err := keyring.Set(t.Context(), "openai", "sesame"); err != nil {
		t.Fatal(err)
	}
	const chat = "models:\n  chat: openai/small\n  openai: {url: 'https://box.example/v1', keyring: true%s}\n"
	for name, c := range map[string]struct {
		text  string
		env   map[string]string
		key   Secret
		fault error
	}{
		"in the keyring":       {fmt.Sprintf(chat, ""), nil, "sesame", nil},
		"the environment wins": {fmt.Sprintf(chat, ""), map[string]string{"KIST_OPENAI_KEY": "other"}, "other", nil},
		"two keys":             {fmt.Sprintf(chat, ", key: other"), nil, "", errTwoKeys},
		"none of the server's": {"models:\n  chat: anthropic/x\n  anthropic: {keyring: true}\n", nil, "", keyring.ErrNotFound},
		"nobody asked for it":  {"models:\n  chat: openai/small\n  openai: {url: 'https://box.example/v1'}\n", nil, "", nil},
	} {
		m, err := machine(t, c.text, 0o600, c.env)
		s := m.OpenAI
		if strings.HasPrefix(m.Chat, "anthropic/") {
			s = m.Anthropic
		}
		if err != nil || s.Key != c.key || !errors.Is(s.Fault, c.fault) || !errors.Is(m.Fault, c.fault) || (m.Fault == nil) != (c.fault == nil) {
			t.Errorf("%s: %+v, %v, %v", name, s, m.Fault, err)
		}
		if c.fault != nil && !errors.Is(m.Fault, models.ErrServer) {
			t.Errorf("%s: %v", name, m.Fault)
		}
		if locked := m.locked(); locked != errors.Is(c.fault, keyring.ErrNotFound) {
			t.Errorf("%s: locked %v", name, locked)
		}
		if text := fmt.Sprintf("%+v %#v %v", m, m, m.Fault); strings.Contains(text, "sesame") {
			t.Errorf("%s: the key is shown", name)
		}
	}
	// Another model goes on, and a daemon starts without the keyring.
	zalando.MockInitWithError(errors.New("locked: sesame"))
	defer zalando.MockInit()
	m, err := machine(t, "models:\n  chat: ollama/small\n  embed: openai/e\n  openai: {url: 'https://box.example/v1', keyring: true}\n", 0o644, nil)
	if err != nil || m.Fault != nil || !errors.Is(m.OpenAI.Fault, keyring.ErrUnavailable) || m.locked() {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestLookedForAgain: a key that could not be had is looked for again, though the file is the
// same; one that is there isn't.
func TestLookedForAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for fault, again := range map[error]bool{keyring.ErrUnavailable: true, keyring.ErrNotFound: true, errTwoKeys: false, nil: false} {
		l := newLive(path, Models{Chat: "openai/small", OpenAI: Server{Fault: fault}})
		if l.changed() {
			t.Errorf("%v: at once", fault)
		}
		l.read = l.read.Add(-lookAgain)
		if l.changed() != again || l.changed() {
			t.Errorf("%v: want once: %v", fault, again)
		}
	}
}
