package lookup

import (
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// borrow looks up in another project what is to be used here: a whole section, if one
// has that heading, else the lines that have the words.
func (t *Finder) borrow(m interpret.Meaning, query string) {
	p, _ := m.Project.One()
	a := t.Act(nil)
	r := a.Want("read_document", projectDocument(p))
	w := a.Want("search", map[string]any{"query": query, "limit": 8, "project": p.Slug})
	a.Then = func() {
		lines := sectionLike(turn.Strs(r.Result.Result, "lines"), language.ContentWords(language.Tokenize(query)))
		before := len(t.Paras)
		if len(lines) > 0 {
			t.Say("From **%s** (%s):\n- %s", p.Name, turn.Str(r.Result.Result, "path"), strings.Join(lines, "\n- "))
		} else if t.Failed(w) || !t.Cite(query, w, "From **"+p.Name+"**:") {
			if len(t.Calls) == 0 {
				t.Say("I found nothing about “%s” in **%s**.", m.Name, p.Name)
			}
			return
		}
		switch {
		case len(t.Calls) > 0 || t.Here == nil || t.Here.Slug == p.Slug:
		default:
			t.Offer(func() { t.keepBorrowed(p.Name, m.Name, strings.Join(t.Paras[before:], "\n")) })
		}
	}
}

func (t *Finder) keepBorrowed(from, what, text string) {
	title := turn.NoteTitle(language.Capital(strings.Trim(what, " .")) + " from " + from)
	res, ok := t.More("create_note", map[string]any{"title": title, "text": text + "\n", "reason": turn.AsAsked(t.Offering, "keep the note", title)})
	if !ok {
		return
	}
	switch w := (&turn.Want{Result: res, Answered: true}); {
	case t.Failed(w):
	case res.Status == "proposed":
		t.Proposed("Ready to write down in "+turn.Bold(turn.NameOf(t.Here), "")+":", []string{"“" + title + "”"}, nil)
	default:
		t.Say("Written down in %s (%s).", turn.Bold(turn.NameOf(t.Here), "your vault"), turn.Str(res.Result, "path"))
	}
}

// sectionLike returns the lines of the first section whose heading has one of the
// words.
func sectionLike(lines []string, words []string) []string {
	var out []string
	in := false
	for i, line := range lines {
		if strings.HasPrefix(line, "## ") {
			if in {
				break
			}
			in = slices.ContainsFunc(language.ContentWords(language.Tokenize(line)), func(h string) bool { return passage.Like(words, h) })
			continue
		}
		if text := PlainLine(line); in && text != "" && i > 0 && len(out) < 10 {
			out = append(out, language.Limit(text, 240))
		}
	}
	return out
}
