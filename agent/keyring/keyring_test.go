package keyring

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
)

// bus has tests find a session bus, where none has to answer.
func bus(t *testing.T, address string) { t.Setenv("DBUS_SESSION_BUS_ADDRESS", address) }

func TestKeys(t *testing.T) {
	bus(t, "unix:path=/nowhere")
	keyring.MockInit()
	if _, err := Key(t.Context(), "openai"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	for _, key := range []string{"sesame", "sesame2"} {
		if err := Set(t.Context(), "openai", key); err != nil {
			t.Fatal(err)
		}
		if got, err := Key(t.Context(), "openai"); got != key || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := Key(t.Context(), "anthropic"); !errors.Is(err, ErrNotFound) {
		t.Errorf("of another server: %v", err)
	}
	for _, key := range []string{"", " sesame", "ses\name", "ses\xffame", "ses ame", strings.Repeat("x", maxKey+1)} {
		if err := Set(t.Context(), "openai", key); !errors.Is(err, ErrKey) || key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v", key, err)
		}
	}
	if got, _ := Key(t.Context(), "openai"); got != "sesame2" {
		t.Errorf("what is no key took the other's place: %q", got)
	}
	if err := Delete(t.Context(), "openai"); err != nil {
		t.Error(err)
	}
	if err := Delete(t.Context(), "openai"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// What a keyring says of a failure is told in a line, without the key.
func TestFails(t *testing.T) {
	bus(t, "unix:path=/nowhere")
	keyring.MockInitWithError(errors.New("can't keep\nsesame: " + strings.Repeat("x", 1000)))
	defer keyring.MockInit()
	err := Set(t.Context(), "openai", "sesame")
	if !errors.Is(err, ErrUnavailable) || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "sesame") || len(err.Error()) > 300 {
		t.Error(err)
	}
	if _, err := Key(t.Context(), "openai"); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}

// A keyring that never answers is waited for no longer than ctx lasts.
func TestHangs(t *testing.T) {
	bus(t, "unix:path=/nowhere")
	over := make(chan bool)
	defer close(over)
	hang := func() (string, error) {
		select {
		case <-over:
		case <-time.After(10 * time.Second): // so that the test ends where nothing else does
		}
		return "sesame", nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if key, err := within(ctx, hang); key != "" || !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "unlocked") {
		t.Errorf("%q, %v", key, err)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := within(gone, hang); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}

// Without a bus no library is asked, which would start one; a bus that is silent is left.
func TestNoBus(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // the others have no bus
	}
	asked := false
	bus(t, "autolaunch:")
	if _, err := within(t.Context(), func() (string, error) { asked = true; return "", nil }); !errors.Is(err, ErrUnavailable) || asked {
		t.Errorf("%v, asked %v", err, asked)
	}
	socket := filepath.Join(t.TempDir(), "bus")
	silent, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	bus(t, "unix:path="+socket)
	if !reachable() {
		t.Error("a bus is there")
	}
}
