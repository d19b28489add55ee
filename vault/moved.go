package vault

import (
	"kist/vault/markdown"
)

// moves pairs documents that are gone with new ones that have the same text, or
// else the same id in their front matter. What was edited as well is found when
// the new path is looked at next. The lock is held.
func (v *Vault) moves(gone, here []string, batch string) ([]*planned, error) {
	if len(gone) == 0 || len(here) == 0 {
		return nil, nil
	}
	byHash, byID := map[Hash]string{}, map[string]string{}
	for _, p := range gone {
		doc, _, err := v.state.Document(p)
		if err != nil {
			return nil, err
		}
		if v.goneInLog(p, Hash(doc.Hash)) {
			continue
		}
		byHash[Hash(doc.Hash)] = p
		if text, kept := v.knownText(p); kept {
			byID[idOf(text)] = p
		}
	}
	var out []*planned
	taken := map[string]bool{"": true}
	for _, p := range here {
		if _, known, err := v.state.Document(p); err != nil {
			return nil, err
		} else if known || v.inLog(p) {
			continue
		}
		text, err := v.Read(p)
		if err != nil || len(text) == 0 {
			continue
		}
		from := byHash[HashOf(text)]
		if id := idOf(text); taken[from] && id != "" {
			from = byID[id]
		}
		if taken[from] {
			continue
		}
		taken[from] = true
		out = append(out, v.movedOp(from, p, batch))
	}
	return out, nil
}

// goneInLog reports whether the log knows already that a file is gone, which what is
// known of it may not say yet.
func (v *Vault) goneInLog(p string, known Hash) bool {
	if v.compared.Load() {
		return false
	}
	last, _, _, logged := v.catchUp(p, known, nil, false)
	return logged && last == ""
}

// inLog reports whether the log says more of a file than what is known.
func (v *Vault) inLog(p string) bool {
	if v.compared.Load() {
		return false
	}
	last, _, _, logged := v.catchUp(p, "", nil, false)
	return logged && last != ""
}

// movedOp is the operation of another program that moved a document.
func (v *Vault) movedOp(from, to, batch string) *planned {
	doc, _, err := v.state.Document(from)
	v.stateTrouble(err)
	text, _ := v.knownText(from)
	h := Hash(doc.Hash)
	return v.editorOp(FileChange{Path: to, From: from, Before: h, After: h}, nil, text, batch)
}

// idOf returns the id in a document's front matter, if any.
func idOf(text []byte) string {
	fm, err := markdown.Parse(text).FrontMatter()
	if err != nil || fm == nil {
		return ""
	}
	return fm.String("id")
}
