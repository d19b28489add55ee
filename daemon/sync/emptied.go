package sync

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// emptied takes away the folders below dir that files were taken from, and those above them, as long as nothing is in them. Those that are
// kept, dir itself and links stay. settled waits until what the vault keeps of files that were just deleted is gone.
func emptied(dir string, taken []string, kept func(p string) bool, settled func()) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, p := range taken {
		for at := path.Dir(p); at != "." && !kept(at); at = path.Dir(at) {
			fi, err := root.Lstat(filepath.FromSlash(at))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			left, bad := fs.ReadDir(root.FS(), at)
			if err != nil || bad != nil || !fi.IsDir() || slices.ContainsFunc(left, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".kist-") }) {
				break
			}
			if len(left) > 0 {
				settled()
			}
			if root.Remove(filepath.FromSlash(at)) != nil {
				break
			}
		}
	}
	return nil
}
