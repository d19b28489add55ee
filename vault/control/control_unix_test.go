//go:build unix

package control_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"kist/vault/control"
)

// Every call either gives the text of a regular file or says at once why not. A call
// that waited for a pipe's other end would never come back.
func TestOnlyRegularFiles(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(outside, []byte("out"), 0o600),
		os.WriteFile(at("file"), []byte("text"), 0o600),
		os.Mkdir(at("folder"), 0o700),
		syscall.Mkfifo(at("pipe"), 0o600),
		os.Symlink("file", at("inside")),
		os.Symlink(outside, at("out")),
		os.Symlink("pipe", at("to-pipe")),
		os.Symlink("/dev/zero", at("device")),
		os.Symlink("nowhere", at("nothing")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) ([]byte, error) { return control.Read(at(name), 100) }
	linked := func(name string) ([]byte, error) { return control.ReadLinked(at(name), 100) }
	within := func(name string) ([]byte, error) { return control.ReadWithin(dir, name, 100) }
	write := func(name string) ([]byte, error) {
		f, err := control.OpenFile(at(name), os.O_WRONLY|os.O_CREATE, 0o600)
		if err == nil {
			err = f.Close()
		}
		return nil, err
	}
	escapes := errors.New("any other error")
	tests := []struct {
		name                        string
		read, linked, within, write error
	}{
		{"file", nil, nil, nil, nil},
		{"missing", fs.ErrNotExist, fs.ErrNotExist, fs.ErrNotExist, nil},
		{"folder", control.ErrNotRegular, control.ErrNotRegular, control.ErrNotRegular, control.ErrNotRegular},
		{"pipe", control.ErrNotRegular, control.ErrNotRegular, control.ErrNotRegular, control.ErrNotRegular},
		{"inside", control.ErrNotRegular, nil, nil, control.ErrNotRegular},
		{"out", control.ErrNotRegular, nil, escapes, control.ErrNotRegular},
		{"to-pipe", control.ErrNotRegular, control.ErrNotRegular, control.ErrNotRegular, control.ErrNotRegular},
		{"device", control.ErrNotRegular, control.ErrNotRegular, escapes, control.ErrNotRegular},
		{"nothing", control.ErrNotRegular, fs.ErrNotExist, fs.ErrNotExist, control.ErrNotRegular},
	}
	for _, tt := range tests {
		for _, c := range []struct {
			call string
			do   func(string) ([]byte, error)
			want error
		}{{"Read", read, tt.read}, {"ReadLinked", linked, tt.linked}, {"ReadWithin", within, tt.within}, {"OpenFile", write, tt.write}} {
			text, err := c.do(tt.name)
			switch {
			case c.want == escapes && err != nil:
			case !errors.Is(err, c.want) || (err == nil) != (c.want == nil):
				t.Errorf("%s of %s: %v, want %v", c.call, tt.name, err, c.want)
			case err == nil && c.call != "OpenFile" && string(text) != "text" && tt.name != "out":
				t.Errorf("%s of %s gave %q", c.call, tt.name, text)
			}
		}
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "out" {
		t.Errorf("outside: %q, %v", text, err)
	}
}
