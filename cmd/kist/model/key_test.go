package model

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	zalando "github.com/zalando/go-keyring"
	"google.golang.org/protobuf/proto"

	"kist/agent/keyring"
)

// TestKeyCommands: a key goes from the input into the keyring, and nowhere else; running
// daemons hear of it by the settings' file.
func TestKeyCommands(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	zalando.MockInit()
	settings := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(settings, []byte("models: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	print := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	app := App{
		Show: func(m proto.Message, human func(Printf)) error { print("%v ", m); human(print); return nil },
		Log:  print, Settings: func() string { return settings },
		Hint: func(err error, hint string) error { return fmt.Errorf("%w; hint: %s", err, hint) },
	}
	run := func(in string, args ...string) (string, bool, error) {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(settings, old, old); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		cmd := key(app)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(args)
		cmd.SetIn(bytes.NewBufferString(in))
		err := cmd.ExecuteContext(t.Context())
		info, statErr := os.Stat(settings)
		if statErr != nil {
			t.Fatal(statErr)
		}
		if said := out.String() + fmt.Sprint(err); strings.Contains(said, "sesame") {
			t.Errorf("%q tells the key: %s", args, said)
		}
		return out.String(), time.Since(info.ModTime()) < time.Minute, err
	}
	if said, heard, err := run("", "show", "openai"); err != nil || heard || !strings.Contains(said, "has no key of openai") {
		t.Errorf("%q, %v", said, err)
	}
	if said, heard, err := run("sesame\n", "set", "openai"); err != nil || !heard || !strings.Contains(said, "models.openai.keyring: true, in "+settings) {
		t.Errorf("%q, %v, %v", said, heard, err)
	}
	if got, err := keyring.Key(t.Context(), "openai"); got != "sesame" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if said, heard, err := run("", "show", "openai"); err != nil || heard || !strings.Contains(said, "has the key of openai") {
		t.Errorf("%q, %v", said, err)
	}
	for _, in := range []string{"", " \n", "sesame\nsesame", "ses ame", strings.Repeat("x", 5000)} {
		if said, heard, err := run(in, "set", "openai"); !errors.Is(err, keyring.ErrKey) || heard {
			t.Errorf("%q: %q, %v", in, said, err)
		}
	}
	if _, heard, err := run("", "set", "openai", "sesame"); err == nil || heard {
		t.Error("a key among the arguments is taken")
	}
	if _, _, err := run("sesame", "set", "builtin"); err == nil || !strings.HasPrefix(err.Error(), "keys are of ") {
		t.Error(err)
	}
	if said, heard, err := run("", "delete", "openai"); err != nil || !heard || !strings.Contains(said, "no key of openai any more") {
		t.Errorf("%q, %v", said, err)
	}
	if _, heard, err := run("", "delete", "openai"); !errors.Is(err, keyring.ErrNotFound) || heard {
		t.Error(err)
	}
	zalando.MockInitWithError(errors.New("locked"))
	defer zalando.MockInit()
	for _, verb := range []string{"set", "show", "delete"} {
		if _, heard, err := run("sesame", verb, "openai"); !errors.Is(err, keyring.ErrUnavailable) || heard || !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("%s: %v", verb, err)
		}
	}
}
