package index

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// setAside renames an index that can't be used to <dir>.bad-<n>, with n growing,
// and removes older ones: one is enough to look into.
func setAside(dir string) (string, error) {
	old, err := filepath.Glob(globEscape(dir) + ".bad-*")
	if err != nil {
		return "", err
	}
	n := 0
	for _, o := range old {
		i, _ := strconv.Atoi(o[strings.LastIndexByte(o, '-')+1:])
		n = max(n, i)
	}
	aside := dir + ".bad-" + strconv.Itoa(n+1)
	if err := os.Rename(dir, aside); err != nil {
		return "", err
	}
	for _, o := range old {
		os.RemoveAll(o)
	}
	return aside, nil
}

func globEscape(name string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(name)
}

// removeStores removes the stores that a crash during a rebuild left, all but
// the one to keep, and temporary manifests.
func removeStores(dir, keep string) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	leftover := func(name string) bool {
		return strings.HasPrefix(name, storePrefix) && name != storePrefix+keep ||
			strings.HasPrefix(name, vectorsPrefix) && name != vectorsPrefix+keep ||
			strings.HasPrefix(name, servedPrefix) && name != servedPrefix+keep || strings.HasPrefix(name, manifestFile+".tmp-")
	}
	for _, e := range slices.DeleteFunc(names, func(e os.DirEntry) bool { return !leftover(e.Name()) }) {
		os.RemoveAll(filepath.Join(dir, e.Name()))
	}
}
