/*
Package moved has the settings of sync go along with a vault whose folder was moved or renamed: they lie in no vault, below a name made of
the folder's path.
*/
package moved

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"kist/daemon/sync/git"
	"kist/vault"
	"kist/vault/control"
)

// File is the name of the settings in the folder that one vault's sync has on this machine.
const File = "settings.json"

// maxSettings is far more than they take, in bytes.
const maxSettings = 1 << 20

// Follow looks for settings where a vault has none in dir: those beside it of a vault that isn't where it was, and whose last commit
// the repository of this folder has. They become this vault's. It returns where the vault was; empty: there are none such.
func Follow(ctx context.Context, folder, dir string) (from string, err error) {
	if _, err := os.Lstat(filepath.Join(dir, File)); !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	all, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", File))
	for _, name := range all {
		var was struct{ Vault, Commit string }
		var whole map[string]json.RawMessage
		text, bad := control.Read(name, maxSettings)
		if bad != nil || json.Unmarshal(text, &was) != nil || json.Unmarshal(text, &whole) != nil || was.Commit == "" {
			continue
		}
		if _, bad := os.Lstat(filepath.Join(was.Vault, vault.ConfigFile)); !errors.Is(bad, fs.ErrNotExist) || !has(ctx, folder, was.Commit) {
			continue
		}
		whole["vault"], _ = json.Marshal(folder)
		if text, err = json.MarshalIndent(whole, "", "  "); err != nil {
			return "", err
		}
		tmp := filepath.Join(dir, File+".tmp")
		if err = errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(tmp, text, 0o600)); err == nil {
			err = os.Rename(tmp, filepath.Join(dir, File))
		}
		if err != nil {
			return "", err
		}
		return was.Vault, os.Remove(name)
	}
	return "", err
}

// has reports whether the repository that a folder is in has a commit.
func has(ctx context.Context, folder, commit string) bool {
	repo, err := git.Open(ctx, folder)
	return err == nil && git.HasCommit(ctx, repo, commit)
}
