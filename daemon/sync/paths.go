package sync

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/daemon/sync/git"
)

// attributesFile says to git which files have which merge driver.
const attributesFile = ".gitattributes"

// below returns a repository's path as one of the vault, if it is below its folder.
func (r *round) below(p string) (string, bool) { return strings.CutPrefix(p, r.repo.Prefix) }

// isRecord reports whether a file is written without an operation: what isn't a document,
// and kist's own records.
func (r *round) isRecord(p string) bool {
	l := r.vault.Layout()
	top, _, _ := strings.Cut(p, "/")
	return !strings.HasSuffix(strings.ToLower(p), ".md") || strings.HasPrefix(p, ".") || strings.Contains(p, "/.") ||
		top == l.Operations || top == l.Sessions || r.vault.TypeOf(p) == "conversation"
}

// isOwnLog reports whether a file is one that only this machine writes.
func (r *round) isOwnLog(p string) bool {
	return strings.HasPrefix(p, r.vault.Layout().Operations+"/") && strings.HasSuffix(strings.TrimSuffix(path.Base(p), ".yaml"), "-"+r.vault.Device())
}

// isOwn reports whether a folder is one that kist keeps something in, by its layout, or one of those is in it.
func (r *round) isOwn(dir string) bool {
	l := r.vault.Layout()
	return slices.ContainsFunc([]string{l.Projects, l.Drafts, l.Memories, l.Conversations, l.Sessions, l.Operations}, func(kept string) bool {
		return dir == kept || strings.HasPrefix(kept, dir+"/")
	})
}

// maxFolders is how many folders in each other git takes: later ones refuse more (core.maxTreeDepth), and those before are killed by them.
const maxFolders = 2048

// tooDeep is ErrHeld where something would come that breaks the user's git.
func tooDeep(diff []git.Difference) error {
	for _, d := range diff {
		if strings.Count(d.Path, "/") > maxFolders {
			return fmt.Errorf("%w: %.40s... (it lies in more than %d folders, which breaks git: it has to be taken back there)", ErrHeld, d.Path, maxFolders)
		}
	}
	return nil
}
