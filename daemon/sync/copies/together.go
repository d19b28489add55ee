package copies

import (
	"strings"

	"kist/vault"
	"kist/vault/merge/semantic"
)

// Together is what a document and its conflict copy are together, which were made from base, by a choice that is merge or theirs. Nil: nobody
// knows from what, and all that one of them has and the other doesn't stays; with theirs it is the copy alone. The document has all of
// a copy that sync made, but for where the two contradict each other, and with theirs these places alone become the copy's.
func Together(c Copy, choice Choice, base, ours, theirs []byte) ([]byte, error) {
	o := semantic.Options{Path: c.Of}
	switch {
	case choice == Theirs && (base == nil || c.From != Kist):
		return theirs, nil
	case choice == Theirs:
		return semantic.Merge(base, theirs, ours, o).Text, nil
	}
	r := semantic.Pool(ours, theirs, o)
	if base != nil && c.From != Kist {
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
