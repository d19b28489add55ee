package sync

import (
	"io/fs"
	"os"

	"kist/vault"
)

// unresolved reports whether git's conflict markers stand in a file: two versions, which aren't sent as if they were one text.
func unresolved(file string, fi fs.FileInfo) bool {
	if fi.Size() > vault.MaxDocument {
		return false
	}
	text, err := os.ReadFile(file)
	return err == nil && vault.Unresolved(text) > 0
}
