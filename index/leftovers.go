package index

import (
	"kist/index/manifest"
	"kist/index/store"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// removeStores removes the stores that a crash during a rebuild left, all but
// the one to keep, and temporary manifests.
func removeStores(dir, keep string) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	leftover := func(name string) bool {
		return strings.HasPrefix(name, store.Prefix) && name != store.Prefix+keep ||
			strings.HasPrefix(name, vectorsPrefix) && name != vectorsPrefix+keep ||
			strings.HasPrefix(name, servedPrefix) && name != servedPrefix+keep || strings.HasPrefix(name, manifest.File+".tmp-")
	}
	for _, e := range slices.DeleteFunc(names, func(e os.DirEntry) bool { return !leftover(e.Name()) }) {
		os.RemoveAll(filepath.Join(dir, e.Name()))
	}
}
