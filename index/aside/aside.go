// Package aside keeps the last index that could not be used, to be looked into.
package aside

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Put renames an index that can't be used to <dir>.bad-<n>, with n growing,
// and removes older ones: one is enough to look into.
func Put(dir string) (string, error) {
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
