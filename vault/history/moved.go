package history

import (
	"kist/vault/disk"
	"kist/vault/markdown"
	"kist/vault/oplog"
)

// moves pairs documents that are gone with new ones that have the same text, or
// else the same id in their front matter. What was edited as well is found when
// the new path is looked at next. The lock is held.
func (h *History) moves(gone, here []string) ([]*Edit, error) {
	if len(gone) == 0 || len(here) == 0 {
		return nil, nil
	}
	byHash, byID := map[disk.Hash]string{}, map[string]string{}
	for _, p := range gone {
		doc, _, err := h.opts.State.Document(p)
		if err != nil {
			return nil, err
		}
		if h.goneInLog(p, disk.Hash(doc.Hash)) {
			continue
		}
		byHash[disk.Hash(doc.Hash)] = p
		if text, kept := h.opts.Log.Baseline(p); kept {
			byID[idOf(text)] = p
		}
	}
	var out []*Edit
	taken := map[string]bool{"": true}
	for _, p := range here {
		if _, known, err := h.opts.State.Document(p); err != nil {
			return nil, err
		} else if known || h.inLog(p) {
			continue
		}
		text, err := h.opts.Tree.Read(p)
		if err != nil || len(text) == 0 {
			continue
		}
		from := byHash[disk.HashOf(text)]
		if id := idOf(text); taken[from] && id != "" {
			from = byID[id]
		}
		if taken[from] {
			continue
		}
		taken[from] = true
		out = append(out, h.movedOp(from, p))
	}
	return out, nil
}

// goneInLog reports whether the log knows already that a file is gone, which what is
// known of it may not say yet.
func (h *History) goneInLog(p string, known disk.Hash) bool {
	if h.compared.Load() {
		return false
	}
	last, _, _, logged := h.opts.Log.CatchUp(p, known, nil, false)
	return logged && last == ""
}

// inLog reports whether the log says more of a file than what is known.
func (h *History) inLog(p string) bool {
	if h.compared.Load() {
		return false
	}
	last, _, _, logged := h.opts.Log.CatchUp(p, "", nil, false)
	return logged && last != ""
}

// movedOp is the operation of another program that moved a document.
func (h *History) movedOp(from, to string) *Edit {
	doc, _, err := h.opts.State.Document(from)
	h.trouble(err)
	text, _ := h.opts.Log.Baseline(from)
	hash := disk.Hash(doc.Hash)
	how := h.placed(to, text)
	e := h.editorOp(oplog.FileChange{Path: to, From: from, Before: hash, After: hash}, how.Why != "" || h.opts.Log.Pulled(to, "", hash).Named, nil, text)
	e.by(how)
	return e
}

// idOf returns the id in a document's front matter, if any.
func idOf(text []byte) string {
	fm, err := markdown.Parse(text).FrontMatter()
	if err != nil || fm == nil {
		return ""
	}
	return fm.String("id")
}
