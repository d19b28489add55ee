package daemon

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"kist/agent/keyring"
)

// errTwoKeys: nobody can tell which one is meant.
var errTwoKeys = errors.New("both key and keyring are set; one is enough")

// SettingsFile is where this machine's settings are; empty where there is no folder for them.
func SettingsFile() string { return machinePath(os.Getenv) }

// readKeys reads the keys that lie in the system's keyring, in keyring.Within together. One in
// the environment goes before. What can't be read is a fault of its server alone, by its kind.
func (f *modelsFile) readKeys(getenv func(string) string) map[string]error {
	faults := map[string]error{}
	ctx, cancel := context.WithTimeout(context.Background(), keyring.Within)
	defer cancel()
	for kind, s := range map[string]*serverFile{"ollama": &f.Ollama, "openai": &f.OpenAI, "anthropic": &f.Anthropic} {
		switch {
		case !s.Keyring || getenv("KIST_"+strings.ToUpper(kind)+"_KEY") != "":
		case s.Key != "":
			s.Key, faults[kind] = "", errTwoKeys
		default:
			s.Key, faults[kind] = keyring.Key(ctx, kind)
		}
	}
	return faults
}

// locked reports whether a model of conversations lacks a key that may be there soon, as when
// the keyring is unlocked.
func (m Models) locked() bool {
	for kind, s := range map[string]Server{"ollama": m.Ollama, "openai": m.OpenAI, "anthropic": m.Anthropic} {
		waits := errors.Is(s.Fault, keyring.ErrUnavailable) || errors.Is(s.Fault, keyring.ErrNotFound)
		if waits && (strings.HasPrefix(m.Chat, kind+"/") || strings.HasPrefix(m.Fast, kind+"/")) {
			return true
		}
	}
	return false
}

// lookAgain is after how long a key that could not be had is looked for again: a turn waits for
// that, up to keyring.Within.
const lookAgain = time.Minute
