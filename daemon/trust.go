package daemon

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kist/agent/policy"
	"kist/vault"
	"kist/vault/control"
)

// trust is what this machine's user agreed to for one vault: that what the agent
// section of its kist.yaml asks less than usual counts. It is a small file in the user's
// folder for state, since whatever lies in a vault, its folder .kist included, may have
// come with it. It is of one text's meaning, and of one vault at one path: a mark in
// .kist, which nobody can know who makes another vault to be put in its place.
type trust struct {
	path  string
	vault string
}

// An agreement is the file.
type agreement struct {
	Vault string    `json:"vault"` // absolute path, links resolved
	Agent string    `json:"agent"` // digest of the agent section
	Mark  string    `json:"mark"`  // what the file mark of the vault holds
	At    time.Time `json:"at"`
}

// mark is the file in the vault that ties an agreement to it.
func (t trust) mark() string { return filepath.Join(t.vault, vault.StateDir, "trust-mark") }

// maxAgreement is far more than one takes, in bytes.
const maxAgreement = 16 << 10

// given reports whether the user agreed to what has this digest. Whatever is wrong with
// the file means no.
func (t trust) given(digest string) bool {
	a, ok := t.agreed()
	if !ok || a.Agent != digest || a.Mark == "" {
		return false
	}
	mark, err := control.Read(t.mark(), maxAgreement)
	return err == nil && subtle.ConstantTimeCompare(mark, []byte(a.Mark)) == 1
}

// agreed returns what the user agreed to for the vault at this path.
func (t trust) agreed() (a agreement, ok bool) {
	if t.place() != nil {
		return a, false
	}
	info, err := os.Lstat(t.path)
	if err != nil || exposed(info) {
		return a, false
	}
	text, err := control.Read(t.path, maxAgreement)
	return a, err == nil && json.Unmarshal(text, &a) == nil && a.Vault == t.vault
}

// give keeps that the user agrees.
func (t trust) give(digest string) error {
	if err := os.MkdirAll(filepath.Dir(t.path), 0o700); err != nil {
		return fmt.Errorf("%w: %w", policy.ErrNotKept, err)
	}
	if err := t.place(); err != nil {
		return err
	}
	mark := rand.Text()
	if err := errors.Join(os.MkdirAll(filepath.Dir(t.mark()), 0o700), writePrivate(t.mark(), []byte(mark))); err != nil {
		return fmt.Errorf("%w: %w", policy.ErrNotKept, err)
	}
	text, err := json.Marshal(agreement{Vault: t.vault, Agent: digest, Mark: mark, At: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := writePrivate(t.path, append(text, '\n')); err != nil {
		return fmt.Errorf("%w: %w", policy.ErrNotKept, err)
	}
	return nil
}

// takeBack forgets what the user agreed to, if there is anything.
func (t trust) takeBack() error {
	if err := os.Remove(t.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("take the trust back: %w", err)
	}
	return nil
}

// place refuses a folder for state that lies in a vault, this one or another: a pull
// could bring the file. Where there is no such folder yet there is no file either.
func (t trust) place() error {
	dir, err := filepath.EvalSymlinks(filepath.Dir(t.path))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("%w: %w", policy.ErrNotKept, err)
	}
	if around := vaultAround(dir); around != "" {
		return fmt.Errorf("%w: its place %s is in the vault %s", policy.ErrNotKept, filepath.Dir(t.path), around)
	}
	return nil
}

// vaultAround returns the vault that a folder, links resolved, lies in: what a pull of it
// could bring is no word of this machine's user. Empty: none.
func vaultAround(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, vault.ConfigFile)); !errors.Is(err, fs.ErrNotExist) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
