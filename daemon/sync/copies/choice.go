package copies

import (
	"fmt"
	"path"
	"strings"

	"kist/vault"
	"kist/vault/markdown"
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
		stem, ext := c.kept()
		name, err := v.FreeName(strings.TrimPrefix(path.Dir(c.Path), "."), stem, ext, map[string]bool{})
		if err != nil {
			return nil, err
		}
		kept := step(vault.OpMove, c.Path, vault.Change{Path: name, From: c.Path})
		if own := itsOwn(v, ours, theirs); own != nil {
			kept.Changes = append(kept.Changes, vault.Change{Path: name, Before: theirs, After: own})
		}
		return []vault.Step{kept}, nil
	}
	return nil, fmt.Errorf("%w: the choice %q; it is ours, theirs, both or merge", vault.ErrInvalid, choice)
}

// itsOwn is a copy with another id, where it has that of its document, which other documents and what was said mean by it; nil: it hasn't.
func itsOwn(v *vault.Vault, ours, theirs []byte) []byte {
	id := func(text []byte) string {
		fm, err := markdown.Parse(text).FrontMatter()
		if err != nil || fm == nil {
			return ""
		}
		return fm.String("id")
	}
	if was := id(theirs); was == "" || was != id(ours) {
		return nil
	}
	edit, err := markdown.Parse(theirs).SetProperties([]markdown.Setting{{Key: "id", Value: v.NewID()}, {Key: "former_ids", Unset: true}})
	if err != nil {
		return nil
	}
	return edit.Apply(theirs)
}

// kept is the name, without and with its ending, under which a copy is a document of its own: the document's, as it is written, and whose version it is.
func (c Copy) kept() (stem, ext string) {
	was, _ := Of(c.Path, func(string) bool { return true })
	ext = path.Ext(was.Of)
	stem = strings.TrimSuffix(path.Base(was.Of), ext)
	between := " - "
	if vault.Slug(stem) == stem {
		between = "-"
	}
	whose := was.Note
	if was.From == ICloud { // a figure alone, by which it knows its own
		whose = ICloud + " " + whose
	}
	return stem + between + vault.Slug(whose), ext
}
