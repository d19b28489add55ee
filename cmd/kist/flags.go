package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kist/cmd/kist/completion"
	"kist/rpc/dial"
)

func priorityFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "priority", "", "low, medium, high or urgent")
	completion.Fixed(cmd, "priority", "low", "medium", "high", "urgent")
}

func reasonFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "reason", "", "why, for the operation log")
}

func (c *cli) projectFlag(cmd *cobra.Command, to *string, usage string) {
	cmd.Flags().StringVarP(to, "project", "p", "", usage)
	_ = cmd.RegisterFlagCompletionFunc("project", c.offers().Projects) // the flag exists: the line above
}

// offers are what the shell can complete with, of a daemon that runs.
func (c *cli) offers() completion.Offers {
	return completion.Offers{Connect: func(ctx context.Context) (*dial.Client, error) { return c.connect(ctx, false) }}
}

// dates wants each text to be empty, for which none is said, too, or a date.
func dates(all ...*string) error {
	for _, s := range all {
		switch _, err := time.Parse(time.DateOnly, *s); {
		case *s == "none":
			*s = ""
		case *s != "" && err != nil:
			return usagef("%q is not a date such as 2027-03-01", *s)
		}
	}
	return nil
}

// given returns the value of a flag that was given, else nil.
func given(cmd *cobra.Command, flag string, value *string) *string {
	if cmd.Flags().Changed(flag) {
		return value
	}
	return nil
}

// textFrom returns a command's text: its arguments, or standard input if there
// are none and it isn't a terminal.
func (c *cli) textFrom(args []string, what string) (string, error) {
	if len(args) > 0 && (len(args) > 1 || args[0] != "-") {
		return strings.Join(args, " "), nil
	}
	if c.interactive() && len(args) == 0 {
		return "", usagef("%s is needed, as arguments or on standard input", what)
	}
	b, err := io.ReadAll(c.in)
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return string(b), nil
}

// words is textFrom for a text of words: without the blanks around it, and not empty.
func (c *cli) words(args []string, what string) (string, error) {
	s, err := c.textFrom(args, what)
	if err != nil {
		return "", err
	}
	if s = strings.TrimSpace(s); s == "" {
		return "", usagef("%s is needed, and the text is empty", what)
	}
	return s, nil
}

// inVault turns an absolute path inside the vault into the form that the daemon
// wants: from the vault's root, with forward slashes. Others stay as they are.
func (c *cli) inVault(path string) string {
	if !filepath.IsAbs(path) {
		return filepath.ToSlash(path)
	}
	if rel, err := filepath.Rel(c.dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// interactive reports whether somebody sits at standard input.
func (c *cli) interactive() bool {
	f, ok := c.in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
