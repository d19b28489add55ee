package copies

import (
	"strings"

	"kist/vault"
	"kist/vault/merge/semantic"
)

// Together is what a document and its conflict copy are together, which were made from base. Nil: nobody knows from what, and all that
// one of them has and the other doesn't stays.
func Together(c Copy, base, ours, theirs []byte) ([]byte, error) {
	o := semantic.Options{Path: c.Of}
	r := semantic.Pool(ours, theirs, o)
	if base != nil {
		r = semantic.Merge(base, ours, theirs, o)
	}
	if r.Clean() {
		return r.Text, nil
	}
	var where []string
	for _, f := range r.Conflicts {
		where = append(where, f.Where)
	}
	return nil, &vault.ConflictError{Path: c.Of, Reason: "the copy contradicts it in " + vault.OneLine(strings.Join(where, ", ")), Now: ours, Wanted: theirs}
}
