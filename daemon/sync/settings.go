package sync

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kist/daemon/sync/moved"
	"kist/vault"
	"kist/vault/control"
)

// settings are what this machine keeps of one vault's sync, in a file that no vault can
// bring along.
type settings struct {
	Vault  string   `json:"vault"` // absolute path
	URL    string   `json:"url"`
	Branch string   `json:"branch"` // of the remote
	Local  string   `json:"local"`  // here
	Remote string   `json:"remote"` // its name in the user's repository
	Paused bool     `json:"paused"`
	Own    []string `json:"own"` // devices whose changes are the user's own
	// LeaveOut are the patterns of files that aren't committed, since the vault's settings asked for
	// that at some time: a change of those that came from elsewhere must not make anything public.
	LeaveOut []string  `json:"leave_out,omitempty"`
	Synced   time.Time `json:"synced"` // when a round last ended well
	Commit   string    `json:"commit"` // that it ended at
	// Absent are files of the last commit that are not on this disk on purpose.
	Absent []string `json:"absent,omitempty"`
	Unsent []Unsent `json:"large,omitempty"`
}

// maxSettings is far more than they take, in bytes.
const maxSettings = 1 << 20

// files are where one vault's sync keeps its things on this machine.
type files struct {
	dir   string // the folder, in no vault
	vault string
}

func (f files) settings() string { return filepath.Join(f.dir, moved.File) }
func (f files) journal() string  { return filepath.Join(f.dir, "journal.json") }
func (f files) store() string    { return filepath.Join(f.dir, "git") }

// load returns the settings, or ErrNotSetUp.
func (f files) load() (settings, error) {
	var s settings
	if err := f.place(); err != nil {
		return s, err
	}
	text, err := control.Read(f.settings(), maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return s, ErrNotSetUp
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, fmt.Errorf("%w: read %s: %w", ErrKeptApart, f.settings(), err)
	}
	if s.Vault != f.vault || s.URL == "" {
		return s, ErrNotSetUp
	}
	return s, nil
}

// make makes the folder, where it may be.
func (f files) make() error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("%w: %w", ErrKeptApart, err)
	}
	return f.place()
}

// save keeps the settings.
func (f files) save(s settings) error {
	if err := f.make(); err != nil {
		return err
	}
	s.Vault = f.vault
	return keep(f.settings(), s)
}

// place refuses a folder that lies in a vault: what a pull could bring is no word of this
// machine's user.
func (f files) place() error {
	dir, err := filepath.EvalSymlinks(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrKeptApart, err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, vault.ConfigFile)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %s is in the vault %s", ErrKeptApart, f.dir, dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// keep replaces a file by one that holds a value, durably, for its owner alone.
func keep(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".sync-*.tmp")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrKeptApart, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(append(text, '\n'))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrKeptApart, err)
	}
	return nil
}

// A journal is a merge that is made, and whose files are being put in place: From is the
// commit that the files were at, To the one that they are on their way to.
type journal struct {
	Local  string `json:"local"`
	From   string `json:"from"`
	To     string `json:"to"`
	There  string `json:"there"`  // what of it came from the remote
	Import bool   `json:"import"` // the vault's first sync: its files are taken as they are

	Beside map[string]string `json:"beside,omitempty"` // copies that are in no commit: ids of texts, by path in the vault
}

func (f files) readJournal() (*journal, error) {
	text, err := os.ReadFile(f.journal())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var j journal
	if err == nil {
		err = json.Unmarshal(text, &j)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKeptApart, err)
	}
	return &j, nil
}

func (f files) dropJournal() error {
	if err := os.Remove(f.journal()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
