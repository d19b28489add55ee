/*
Package driven keeps in mind which conflict copies git's merge driver (kist merge) has put beside documents. git takes back what it did
itself when the user aborts a merge, a rebase or the like, and knows nothing of the copies: they stay, and sync sends none of them.
*/
package driven

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"kist/daemon/sync/git"
)

// file is in the git directory of a work tree.
const file = "kist-beside"

// A beside is a copy. It counts while the file has that text.
type beside struct {
	Path    string `json:"path"` // below the top of the work tree
	Sum     string `json:"sha256"`
	Head    string `json:"head"` // commit that HEAD was at
	Aborted bool   `json:"aborted,omitempty"`
}

// Note notes a copy that the driver has made in a work tree, of which top is the folder. Where no git
// tells where HEAD is nothing is noted.
func Note(top, path string, text []byte) error {
	dir := git.Dir(top)
	if dir == "" {
		return nil
	}
	_, _, mark := git.Moves(dir, git.Mark{})
	f := strings.Fields(mark.Last)
	if len(f) < 2 {
		return nil
	}
	line, err := json.Marshal(beside{Path: path, Sum: sum(text), Head: f[1]})
	if err != nil {
		return err
	}
	at := filepath.Join(dir, file)
	old, _ := os.ReadFile(at)
	return os.WriteFile(at, append(old, append(line, '\n')...), 0o600)
}

// Aborted returns the copies of merges that were aborted, by path. It is called while the user is in the middle of none: went says whether the
// history that is checked out goes on from a commit, as it does after a merge that was finished.
func Aborted(dir, top string, went func(commit string) bool) map[string]bool {
	at := filepath.Join(dir, file)
	text, err := os.ReadFile(at)
	if err != nil {
		return nil
	}
	all := map[string]bool{}
	var left []byte
	for line := range bytes.Lines(text) {
		var b beside
		if json.Unmarshal(line, &b) != nil || !b.Aborted && went(b.Head) {
			continue
		}
		now, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(b.Path)))
		if err != nil || sum(now) != b.Sum {
			continue
		}
		b.Aborted, all[b.Path] = true, true
		if line, err := json.Marshal(b); err == nil {
			left = append(append(left, line...), '\n')
		}
	}
	switch {
	case len(left) == 0:
		_ = os.Remove(at)
	case !bytes.Equal(left, text):
		_ = os.WriteFile(at, left, 0o600)
	}
	return all
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}
