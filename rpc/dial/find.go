package dial

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Find returns the absolute path of the vault that a command means: flag (the
// value of --vault), else $KIST_VAULT, else the nearest folder from the current
// one upwards that holds a kist.yaml, else the default vault, kist/vault in the
// user's data folder. A kist.yaml that can't be used, be it a pipe, is found as well: what
// is wrong with it is for [Connect] to say. Links are resolved as far as the path exists; nothing says
// that it does.
func Find(flag string) (string, error) { return FindFrom(flag, "") }

// FindFrom is [Find] for who is in another folder than the current one; empty: in that.
func FindFrom(flag, from string) (string, error) {
	if flag != "" {
		return resolve(flag)
	}
	if env := os.Getenv("KIST_VAULT"); env != "" {
		return resolve(env)
	}
	cwd, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	for dir := cwd; ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(dir, ConfigFile))
		if err == nil && !info.IsDir() || dir == cwd && errors.Is(err, fs.ErrPermission) {
			return resolve(dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return DefaultVault()
}

// DefaultVault returns the path of the vault that is meant where nothing names one.
func DefaultVault() (string, error) {
	data, err := xdg("XDG_DATA_HOME", ".local", "share")
	if err != nil {
		return "", err
	}
	return resolve(filepath.Join(data, "kist", "vault"))
}

// resolve makes a path absolute and resolves the links of the part that exists,
// so that one vault has one name before and after it is created.
func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs, nil
	}
	if parent, err = resolve(parent); err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(abs)), nil
}
