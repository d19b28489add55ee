package daemon

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"

	"kist/rpc/dial"
	"kist/vault/control"
	"kist/vault/fsys"
	"kist/vault/pattern"
)

// maxToken is far more than a token takes, in bytes.
const maxToken = 1 << 10

var tokenForm = pattern.Lazy(`^[0-9a-f]{64}$`)

// A token is the secret in .kist/token: 256 random bits in hex. It stays the same
// across starts, so that a plugin needs it once. To change it, delete the file:
// the daemon makes a new one, and the old one is worth nothing from that moment.
//
// On a full disk without a token the secret lies beside the socket, which as a rule is on
// no disk, until the daemon stops.
type token struct {
	paths dial.Paths
	path  string // of the file
	write func(path string, data []byte) error

	mu   sync.Mutex
	info fs.FileInfo // of the file that text was read from
	text string
}

// openToken reads the token or makes one.
func openToken(paths dial.Paths) (*token, error) {
	t := &token{paths: paths, path: paths.Token, write: writePrivate}
	return t, t.open()
}

func (t *token) open() error {
	if t.current() != "" {
		return nil
	}
	err := t.renew()
	if fsys.IsFull(err) && makeSocketDir(t.paths) == nil {
		t.path = t.paths.SpareToken()
		err = t.renew()
	}
	if err != nil {
		return fmt.Errorf("write the token: %w", err)
	}
	return nil
}

// close removes a token that was for this start alone.
func (t *token) close() error {
	if t.path == t.paths.Token {
		return nil
	}
	if err := os.Remove(t.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
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
	data, err := control.Read(t.path, maxToken)
	text := strings.TrimSpace(string(data))
	if err != nil || !tokenForm().MatchString(text) {
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
	return t.write(t.path, []byte(hex.EncodeToString(secret)+"\n"))
}
