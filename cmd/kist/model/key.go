package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"google.golang.org/protobuf/types/known/structpb"

	"kist/agent/keyring"
)

// This file holds the commands about keys. They reach the keyring themselves: a key goes over
// no connection, and into no argument, which others can read.

// maxTyped is how much of standard input is read for a key, in bytes.
const maxTyped = 16 << 10

func key(a App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Keep the keys of model servers in the system's keyring",
		Long: "Keep the key of a kind of server (ollama, openai or anthropic) in the keyring of the system instead\n" +
			"of a file. It is read where the settings of this machine say keyring: true of that server, such as\n" +
			"models.openai.keyring. A key is never printed.",
		Example: "  kist model key set openai",
		RunE:    a.Group,
	}
	cmd.AddCommand(
		keyCommand(a, setKey, &cobra.Command{
			Use: "set KIND", Short: "Keep a key, read from the terminal or from standard input",
			Long: "Read a key, from the terminal without showing it or from standard input, and keep it in the keyring,\n" +
				"in place of one that was there. Running daemons use it from the next turn on.",
			Example: "  kist model key set openai\n  kist model key set anthropic < key.txt",
		}),
		keyCommand(a, showKey, &cobra.Command{
			Use: "show KIND", Short: "Tell whether a key is there",
			Long:    "Tell whether the keyring has a key of that kind of server, without showing it.",
			Example: "  kist model key show openai",
		}),
		keyCommand(a, deleteKey, &cobra.Command{
			Use: "delete KIND", Short: "Take a key out of the keyring",
			Long: "Take the key of that kind of server out of the keyring. Running daemons use it no more from the\n" +
				"next turn on.",
			Example: "  kist model key delete openai",
		}),
	)
	return cmd
}

// keyCommand is one about the key of a kind of server.
func keyCommand(a App, do func(ctx context.Context, a App, in io.Reader, kind string) error, cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := cobra.ExactArgs(1)(cmd, args); err != nil {
			return err
		}
		if !slices.Contains(keyring.Kinds(), args[0]) { // which isn't told: it may be a key
			return fmt.Errorf("keys are of %s", strings.Join(keyring.Kinds(), ", "))
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.hinted(do(cmd.Context(), a, cmd.InOrStdin(), args[0]))
	}
	return cmd
}

// hinted gives an error of the keyring a sentence about what to do.
func (a App) hinted(err error) error {
	switch {
	case errors.Is(err, keyring.ErrUnavailable):
		return a.Hint(err, "unlock the keyring, or log in to a desktop; else give the key in the environment of the daemon (KIST_OPENAI_KEY and so on) or in the settings' file, mode 600")
	case errors.Is(err, keyring.ErrKey):
		return a.Hint(err, "nothing was changed; copy the key from its server anew")
	case errors.Is(err, keyring.ErrNotFound):
		return a.Hint(err, "nothing was changed")
	}
	return err
}

// has reports whether the keyring has a key.
func has(ctx context.Context, kind string) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, keyring.Patience)
	defer cancel()
	_, err := keyring.Key(limited, kind)
	if errors.Is(err, keyring.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func setKey(ctx context.Context, a App, in io.Reader, kind string) error {
	if _, err := has(ctx, kind); err != nil {
		return err // before anybody types a key for nothing
	}
	typed, err := a.typed(ctx, in, kind)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, keyring.Patience)
	defer cancel()
	if err := keyring.Set(limited, kind, typed); err != nil {
		return err
	}
	a.heard()
	return a.told(kind, true, func(print Printf) {
		print("the keyring has the key of %s\n", kind)
		a.Log("it is used where the settings say so: models.%s.keyring: true, in %s\n", kind, a.Settings())
	})
}

func showKey(ctx context.Context, a App, _ io.Reader, kind string) error {
	there, err := has(ctx, kind)
	if err != nil {
		return err
	}
	return a.told(kind, there, func(print Printf) {
		if !there {
			print("the keyring has no key of %s\n", kind)
			return
		}
		print("the keyring has the key of %s\n", kind)
	})
}

func deleteKey(ctx context.Context, a App, _ io.Reader, kind string) error {
	limited, cancel := context.WithTimeout(ctx, keyring.Patience)
	defer cancel()
	if err := keyring.Delete(limited, kind); err != nil {
		return err
	}
	a.heard()
	return a.told(kind, false, func(print Printf) { print("the keyring has no key of %s any more\n", kind) })
}

func (a App) told(kind string, there bool, human func(Printf)) error {
	s, err := structpb.NewStruct(map[string]any{"kind": kind, "stored": there})
	if err != nil {
		return err
	}
	return a.Show(s, human)
}

// heard has running daemons read their settings anew, as after any change of their file. Where
// there is none, nothing uses a key of the keyring.
func (a App) heard() {
	now := time.Now()
	_ = os.Chtimes(a.Settings(), now, now)
}

// typed reads a key: a line of the terminal, which doesn't show it, or all of the input.
func (a App) typed(ctx context.Context, in io.Reader, kind string) (string, error) {
	tty, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(tty.Fd())) {
		text, err := io.ReadAll(io.LimitReader(in, maxTyped))
		return strings.TrimSpace(string(text)), err
	}
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		return "", err
	}
	type answer struct {
		text []byte
		err  error
	}
	a.Log("the key of %s (it isn't shown): ", kind)
	done := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(int(tty.Fd()))
		done <- answer{text, err}
	}()
	select {
	case got := <-done:
		a.Log("\n")
		return strings.TrimSpace(string(got.text)), got.err
	case <-ctx.Done(): // Ctrl-C: what is typed from here on is to be seen again
		a.Log("\n")
		return "", errors.Join(ctx.Err(), term.Restore(int(tty.Fd()), before))
	}
}
