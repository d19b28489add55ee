// Package editor has the user edit a text in a program of their own.
package editor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A Draft is a text in a private folder of its own: editors leave swap and backup
// files beside what they edit. The zero Draft is none.
type Draft struct{ dir, file string }

// plainExt is an extension that is fit for the name of a temporary file.
var plainExt = regexp.MustCompile(`^\.[0-9A-Za-z]{1,8}$`)

// New makes a draft of a text. It gets the extension of name, for editors that go by it.
func New(text, name string) (Draft, error) {
	dir, err := os.MkdirTemp("", "kist-edit-")
	if err != nil {
		return Draft{}, fmt.Errorf("make a temporary file: %w", err)
	}
	ext := path.Ext(name)
	if !plainExt.MatchString(ext) {
		ext = ".md"
	}
	d := Draft{dir: dir, file: filepath.Join(dir, "proposal"+ext)}
	if err := os.WriteFile(d.file, []byte(text), 0o600); err != nil {
		return Draft{}, errors.Join(fmt.Errorf("make a temporary file: %w", err), d.Remove())
	}
	return d, nil
}

// File is where the text is; empty for the zero Draft.
func (d Draft) File() string { return d.file }

// Remove deletes the draft, with all that an editor left beside it.
func (d Draft) Remove() error {
	if d.dir == "" {
		return nil
	}
	return os.RemoveAll(d.dir)
}

// Edit runs $VISUAL, $EDITOR or vi on the draft and returns what it holds then. The
// error names the program.
func (d Draft) Edit(ctx context.Context, in io.Reader, out io.Writer) (string, error) {
	program := "vi"
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if set := strings.TrimSpace(os.Getenv(name)); set != "" {
			program = set
		}
	}
	cmd := command(ctx, program, d.file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("edit with %s: %w", program, err)
	}
	text, err := os.ReadFile(d.file)
	if err != nil {
		return "", fmt.Errorf("read the text: %w", err)
	}
	return string(text), nil
}

// command runs an editor as git does: the variable is a shell command, such as
// "code --wait", and the file its last argument.
func command(ctx context.Context, program, file string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		words := append(strings.Fields(program), file)
		return exec.CommandContext(ctx, words[0], words[1:]...)
	}
	return exec.CommandContext(ctx, "sh", "-c", program+` "$@"`, program, file)
}
