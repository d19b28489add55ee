package copies

import (
	"fmt"
	"path"
	"strings"

	"kist/vault"
)

// A Choice is how a conflict is resolved.
type Choice string

// The choices.
const (
	Ours   Choice = "ours"   // the document stays as it is, and the copy goes
	Theirs Choice = "theirs" // the document becomes what the copy has where the two contradict each other, and the copy goes
	Both   Choice = "both"   // the copy stays, as a document of its own
	Merged Choice = "merge"  // the document gets what the copy has more, by meaning, and the copy goes
)

// Steps carry out a choice about a document and its copy, which hold ours and theirs; text is what the document becomes by it. It
// returns vault.ErrInvalid for what is no choice.
func (c Copy) Steps(v *vault.Vault, choice Choice, ours, theirs, text []byte) ([]vault.Step, error) {
	step := func(t vault.OpType, at string, change vault.Change) vault.Step {
		return vault.Step{Type: t, Entity: v.EntityOf(at, theirs), Reason: "resolved a conflict: " + string(choice), Changes: []vault.Change{change}}
	}
	gone := step(vault.OpDelete, c.Path, vault.Change{Path: c.Path, Before: theirs})
	switch choice {
	case Ours:
		return []vault.Step{gone}, nil
	case Theirs, Merged:
		if vault.HashOf(ours) == vault.HashOf(text) {
			return []vault.Step{gone}, nil
		}
		return []vault.Step{step(vault.OpUpdate, c.Of, vault.Change{Path: c.Of, Before: ours, After: text}), gone}, nil
	case Both:
		dir, base := path.Split(c.Path)
		ext := path.Ext(base)
		if strings.HasPrefix(ext, Mark) {
			ext = "" // the document's name has none
		}
		name, err := v.FreeName(strings.TrimSuffix(dir, "/"), vault.Slug(strings.TrimSuffix(base, ext)), ext, map[string]bool{})
		if err != nil {
			return nil, err
		}
		return []vault.Step{step(vault.OpMove, c.Path, vault.Change{Path: name, From: c.Path})}, nil
	}
	return nil, fmt.Errorf("%w: the choice %q; it is ours, theirs, both or merge", vault.ErrInvalid, choice)
}
