/*
Package keyring keeps the keys of model servers in the keyring of the system: Keychain of
macOS, Credential Manager of Windows, the Secret Service elsewhere (GNOME Keyring, KWallet,
KeePassXC). [Key] reads one, [Set] and [Delete] change what is there.

A keyring may be missing, locked, or wait for somebody who isn't there: each call ends
within a time limit, with an error that says so and never has a key in it. What hangs by
then is left to itself; it holds nothing that anybody else waits for. No bus is started:
where nobody has logged in there is no keyring.
*/
package keyring

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/zalando/go-keyring"
)

// ErrUnavailable: there is no keyring, or it doesn't answer.
var ErrUnavailable = errors.New("the system's keyring can't be used")

// ErrNotFound: the keyring has no such key.
var ErrNotFound = errors.New("the system's keyring has no such key")

// ErrKey: what should be a key can't be one.
var ErrKey = errors.New("that is no key")

// service is the name by which the keyring's own programs show what is kist's. The user is
// the kind of the server.
const service = "kist"

// maxKey is how long a key may be, in bytes: what Windows takes.
const maxKey = 2560

// Kinds are the kinds of servers that have keys.
func Kinds() []string { return []string{"ollama", "openai", "anthropic"} }

// Key returns the key of a kind of server. Errors wrap ErrUnavailable, ErrNotFound or come
// from ctx.
func Key(ctx context.Context, kind string) (key string, err error) {
	return within(ctx, func() (string, error) { return keyring.Get(service, kind) })
}

// Set keeps a key in place of one that was there. Errors wrap ErrUnavailable, ErrKey or come
// from ctx; what was there may be so still.
func Set(ctx context.Context, kind, key string) error {
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || r == unicode.ReplacementChar }) {
		return fmt.Errorf("%w: one is a word of up to %d characters", ErrKey, maxKey)
	}
	_, err := within(ctx, func() (string, error) { return "", without(key, keyring.Set(service, kind, key)) })
	return err
}

// Delete takes a key out. Errors are as of Key.
func Delete(ctx context.Context, kind string) error {
	_, err := within(ctx, func() (string, error) { return "", keyring.Delete(service, kind) })
	return err
}

// without is an error in whose text a key doesn't stand.
func without(key string, err error) error {
	if err == nil || !strings.Contains(err.Error(), key) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), key, "[key]"))
}

// within does what a keyring is asked for, until ctx ends.
func within(ctx context.Context, do func() (string, error)) (string, error) {
	if !reachable() {
		return "", fmt.Errorf("%w: there is no session bus, as nobody has logged in to a desktop", ErrUnavailable)
	}
	type answer struct {
		key string
		err error
	}
	done := make(chan answer, 1)
	go func() {
		key, err := do()
		done <- answer{key, err}
	}()
	select {
	case a := <-done:
		switch {
		case errors.Is(a.err, keyring.ErrNotFound):
			return "", ErrNotFound
		case a.err != nil:
			return "", fmt.Errorf("%w: %s", ErrUnavailable, line(a.err.Error()))
		}
		return a.key, nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", fmt.Errorf("%w: it didn't answer in time; it may wait to be unlocked", ErrUnavailable)
		}
		return "", ctx.Err()
	}
}

// line is one short line of a text.
func line(text string) string {
	const most = 200
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > most {
		return string(r[:most]) + "..."
	}
	return string(r)
}

// reachable reports whether a bus is there on which the Secret Service may be: without one
// the library would start one, which nobody wants of a program that looks for a key.
func reachable() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return !strings.HasPrefix(address, "autolaunch:")
	}
	folder := filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return true
		}
	}
	return false
}

// Within is how long a daemon waits for a key.
const Within = 5 * time.Second

// Patience is how long a person is waited for who has to unlock the keyring.
const Patience = time.Minute
