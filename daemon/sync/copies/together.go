package copies

import (
	"strings"

	"kist/vault"
	"kist/vault/merge/semantic"
)

// Together is what a document and its conflict copy are together. Nobody knows from what both were made: all that
// one of them has and the other doesn't stays.
func Together(c Copy, ours, theirs []byte) ([]byte, error) {
	r := semantic.Pool(ours, theirs, semantic.Options{Path: c.Of})
	if r.Clean() {
		return r.Text, nil
	}
	var where []string
	for _, f := range r.Conflicts {
		where = append(where, f.Where)
	}
	return nil, &vault.ConflictError{Path: c.Of, Reason: "the copy contradicts it in " + vault.OneLine(strings.Join(where, ", ")), Now: ours, Wanted: theirs}
}
