package sync

import (
	"path"
	"strings"
)

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
