package daemon

import (
	"errors"
	"io/fs"
	"kist/rpc/dial"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	open := func() *token {
		t.Helper()
		tok, err := openToken(dial.Paths{Token: path})
		if err != nil {
			t.Fatal(err)
		}
		return tok
	}
	first := open()
	secret := first.current()
	if !tokenForm().MatchString(secret) {
		t.Fatalf("token %q", secret)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if again := open().current(); again != secret {
		t.Error("the token changes at each start")
	}
	for name, spoil := range map[string]func() error{
		"deleted":         func() error { return os.Remove(path) },
		"empty":           func() error { return os.WriteFile(path, nil, 0o600) },
		"short":           func() error { return os.WriteFile(path, []byte(secret[:32]), 0o600) },
		"open to others":  func() error { return os.Chmod(path, 0o604) },
		"to the group":    func() error { return os.Chmod(path, 0o640) },
		"not hexadecimal": func() error { return os.WriteFile(path, []byte(strings.Repeat("g", 64)), 0o600) },
	} {
		old := first.current()
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if got := first.current(); got != "" {
			t.Errorf("%s: %q still lets in", name, got)
		}
		if err := first.keep(); err != nil {
			t.Fatal(err)
		}
		if now := first.current(); !tokenForm().MatchString(now) || now == old {
			t.Errorf("%s: then the token is %q", name, now)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: then the mode is %v, %v", name, info.Mode(), err)
		}
	}
}

// Where there is no room for a token, it lies beside the socket until the daemon stops.
func TestNoRoomForToken(t *testing.T) {
	paths := isolate(t)
	tok := &token{paths: paths, path: paths.Token, write: func(path string, data []byte) error {
		if path == paths.Token {
			return &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
		}
		return writePrivate(path, data)
	}}
	if err := tok.open(); err != nil {
		t.Fatal(err)
	}
	if !tokenForm().MatchString(tok.current()) {
		t.Errorf("token %q", tok.current())
	}
	if info, err := os.Stat(paths.SpareToken()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := tok.close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(paths.SpareToken()); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	tok.write = func(string, []byte) error { return syscall.EACCES }
	tok.path = paths.Token
	if err := tok.open(); !errors.Is(err, syscall.EACCES) {
		t.Error(err)
	}
}
