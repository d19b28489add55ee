package machine

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// FolderFault says why a vault's folder can't be read, and what to do; empty: it can.
func FolderFault(dir string) (fault, hint string) {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		return err.Error(), "make the folder readable"
	}
	if err != nil {
		return err.Error(), "kist init DIR makes a vault; --vault DIR names another"
	}
	defer d.Close()
	if _, err := d.Readdirnames(1); err != nil {
		return err.Error(), "make the folder readable"
	}
	return "", ""
}

// FoldersUsed says which of kist's own folders, by what kist.yaml calls them, have another name.
func FoldersUsed(folders map[string]string) string {
	var used []string
	for _, key := range slices.Sorted(maps.Keys(folders)) {
		if dir := folders[key]; dir != key {
			used = append(used, dir+"/ for "+key)
		}
	}
	return strings.Join(used, ", ")
}

// ConfigFault says what is wrong with the file of a vault's settings; empty: nothing.
func ConfigFault(dir, name string) (fault, hint string) {
	info, err := os.Stat(filepath.Join(dir, name))
	switch {
	case err != nil:
		return err.Error(), "kist init writes one"
	case !info.Mode().IsRegular():
		return "it is not a regular file", "put a file in its place"
	}
	return "", ""
}
