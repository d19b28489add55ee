// Package emptied takes away folders that nothing is left in.
package emptied

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Folders takes away the folders below dir that files were taken from, and those above them, as long as nothing is in them. Those that are
// kept, dir itself and links stay. settled waits until what the vault keeps of files that were just deleted is gone.
func Folders(dir string, taken []string, kept func(p string) bool, settled func()) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	folders := map[string]bool{}
	for _, p := range taken {
		for at := path.Dir(p); at != "." && !kept(at) && !folders[at]; at = path.Dir(at) {
			folders[at] = true
		}
	}
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(folders))) { // what is in a folder comes before it
		fi, err := root.Lstat(filepath.FromSlash(at))
		if err != nil || !fi.IsDir() {
			continue
		}
		left, err := fs.ReadDir(root.FS(), at)
		if err != nil || slices.ContainsFunc(left, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".kist-") }) {
			continue
		}
		if len(left) > 0 {
			settled()
		}
		_ = root.Remove(filepath.FromSlash(at)) // something came meanwhile, and it stays
	}
	return nil
}
