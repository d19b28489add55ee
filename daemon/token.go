package daemon

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

var tokenForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// A token is the secret in .kist/token: 256 random bits in hex. It stays the same
// across starts, so that a plugin needs it once. To change it, delete the file:
// the daemon makes a new one, and the old one is worth nothing from that moment.
type token struct {
	path string

	mu   sync.Mutex
	info fs.FileInfo // of the file that text was read from
	text string
}

// openToken reads the token or makes one.
func openToken(path string) (*token, error) {
	t := &token{path: path}
	if t.current() != "" {
		return t, nil
	}
	if err := t.renew(); err != nil {
		return nil, fmt.Errorf("write the token: %w", err)
	}
	return t, nil
}

// current returns the token of now; "" where there is none that can be trusted.
// It costs a stat per call.
func (t *token) current() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	info, err := os.Lstat(t.path)
	if err != nil || !info.Mode().IsRegular() || exposed(info) {
		t.info, t.text = nil, ""
		return ""
	}
	if t.info != nil && os.SameFile(t.info, info) && t.info.ModTime().Equal(info.ModTime()) && t.info.Size() == info.Size() {
		return t.text
	}
	data, err := os.ReadFile(t.path)
	text := strings.TrimSpace(string(data))
	if err != nil || !tokenForm.MatchString(text) {
		t.info, t.text = nil, ""
		return ""
	}
	t.info, t.text = info, text
	return text
}

// exposed reports whether somebody else may have read the file.
func exposed(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}

// keep makes a new token where the old one was deleted or got unusable.
func (t *token) keep() error {
	if t.current() != "" {
		return nil
	}
	if err := t.renew(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (t *token) renew() error {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	return writePrivate(t.path, []byte(hex.EncodeToString(secret)+"\n"))
}
