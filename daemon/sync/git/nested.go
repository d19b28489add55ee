package git

import (
	"os"
	"path"
	"path/filepath"
)

// Nested reports whether a file, by its path below top, is one of a bare repository that lies there: git itself leaves out only those with a work tree.
func Nested(top, p string) bool {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		n := 0
		for _, name := range []string{"HEAD", "objects", "refs"} {
			if fi, err := os.Lstat(filepath.Join(top, filepath.FromSlash(dir), name)); err == nil && fi.IsDir() == (name != "HEAD") {
				n++
			}
		}
		if n == 3 {
			return true
		}
	}
	return false
}
