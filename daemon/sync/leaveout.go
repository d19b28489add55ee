package sync

import (
	"io/fs"
	"strings"

	"kist/vault/ignore"
)

// rules are those of a .gitignore with these lines.
func rules(lines ...string) *ignore.Rules {
	all := []byte(strings.Join(lines, "\n"))
	return ignore.New(func(name string) ([]byte, error) {
		if name != ".gitignore" {
			return nil, fs.ErrNotExist
		}
		return all, nil
	})
}

// leaving matches what patterns leave out, and no litter.
func leaving(patterns []string) *ignore.Rules {
	return rules(append([]string{"!*"}, patterns...)...)
}
