package record

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// OwnWords is a decision as the user put it. What stands behind "to" and "that" is
// the decision itself; where it hangs on the verb or a preposition ("decided on the
// harbour", "went with teak"), these belong to it; "decided" alone doesn't.
func OwnWords(m interpret.Meaning) string {
	text := strings.TrimSuffix(m.Text, "…")
	if m.Clause == nil || text == "" {
		return m.Text
	}
	toks := m.Clause.All
	low := strings.ToLower(text)
	at := slices.IndexFunc(toks, func(t language.Token) bool {
		return t.Start < len(m.Clause.Src) && strings.HasPrefix(strings.ToLower(m.Clause.Src[t.Start:]), low)
	})
	first := at
	for first > 0 && toks[first-1].Word && language.In("on|upon|for|with|against|between", toks[first-1].Norm) {
		first--
	}
	if first == at && first > 0 && language.In("decided|agreed|resolved|concluded", toks[first-1].Norm) && !language.In("to|not|against|on|upon|for|with|between|in", toks[at].Norm) {
		return m.Text
	}
	if first > 0 && (language.Class("<decideverb>", toks[first-1].Norm) || language.In("settle|agree|decide|pick|choose|opt|go|stick|be|went|going|sticking|take|resolve|made", toks[first-1].Norm)) && !toks[first-1].Quoted {
		first--
	}
	if first < 0 || first == at {
		return m.Text
	}
	src, begin := m.Clause.Src, toks[at].Start
	_, size := utf8.DecodeRuneInString(m.Text)
	_, own := utf8.DecodeRuneInString(src[begin:]) // m.text begins with a capital
	return language.Capital(language.Limit(src[toks[first].Start:begin+own]+m.Text[size:], 900))
}

// changed is the whole sentence of a decision that goes on with what took its place: "we said Bo
// gets the piano, but Elke's son needs it, so he'll have it". Its first half alone would say
// the contrary. Empty: it doesn't go on so.
func changed(c *interpret.Clause) string {
	if c == nil || len(c.All) == 0 {
		return ""
	}
	from, end := c.All[0].Start, c.All[len(c.All)-1].End
	toks := language.Tokenize(c.Src[end:])
	if rest := language.TrimMarks(toks); len(toks) < 2 || !language.In(",|-", toks[0].Norm) && !toks[0].Word || !language.Begins(rest, "but|though|aber|doch") {
		return ""
	}
	whole := c.Src[from:]
	if first := passage.Sentences(whole); len(first) > 0 {
		whole = first[0]
	}
	return language.Capital(strings.TrimSpace(whole))
}

// movesToo tells which dates a decision moves.
func (t *Keeper) movesToo(text string) []interpret.Meaning {
	var out []interpret.Meaning
	for _, c := range t.Clauses(text) {
		i := slices.IndexFunc(c.Toks, func(tok language.Token) bool { return language.Fits(tok, "<later>|<sooner>|<shifted>") })
		if i < 0 || i > 1 || c.Negated {
			continue
		}
		if m := t.Filled(&c, intent.UpdateTask, 1); m.Intent == intent.UpdateTask && (m.Change.Due != "" || m.Moved.Set()) && len(m.Titles) > 0 {
			m.Title = m.Titles[0]
			out = append(out, m)
		}
	}
	return out
}

// Decision records what was decided, in a project.
func (t *Keeper) Decision(m interpret.Meaning) {
	if whole := changed(m.Clause); whole != "" {
		m.Text = whole
	} else {
		m.Text = OwnWords(m)
	}
	if toks := language.Tokenize(m.Text); language.Begins(toks, "it? was? we|i? <decideverb> to *") && !language.Has(toks[:1], `"`) {
		_, n, _ := language.Find(toks, "to")
		m.Text = language.Capital(m.Text[toks[n].Start:]) // what was decided is the decision
	}
	a := t.Act(nil)
	args, name, ok := t.placing(m, a)
	if !ok {
		return
	}
	if name == "" && !t.IsNew {
		t.Heard = true // the engine keeps it, outside of any project
		return
	}
	for _, mm := range t.movesToo(m.Text) {
		mm.Project = m.Project
		defer t.reschedule(mm, nil)
	}
	args["text"] = m.Text
	args["reason"] = fmt.Sprintf("record the decision “%s”, as you told me", language.Limit(language.OneLine(m.Text), 120))
	w := a.Want("add_decision", args)
	a.Then = func() {
		quoted := "“" + strings.TrimRight(m.Text, ".") + "”"
		switch {
		case t.Failed(w):
		case w.Result.Status == "proposed":
			t.Proposed("Ready to record as a decision in "+turn.Bold(name, "the new project")+":", []string{quoted}, args)
		default:
			t.Say("Recorded as a decision in %s: %s", turn.Bold(name, "the new project"), quoted)
		}
	}
}

// Remember remembers a fact, about the user or about the active project.
func (t *Keeper) Remember(m interpret.Meaning) {
	a := t.Act(nil)
	args := map[string]any{"content": language.Limit(m.Text, 1000), "reason": fmt.Sprintf("remember “%s”, as you told me", language.Limit(language.OneLine(m.Text), 120))}
	name := ""
	slug, other := t.Elsewhere(m.Clause)
	switch {
	case m.Scope == "user" || slug == turn.NoProject || t.Here == nil && !other && !t.IsNew:
		args["scope"] = "user"
	case other:
		args["scope"], args["project"], name = "project", slug, nameOf(t, slug)
	default:
		args["scope"] = "project"
		if t.Here != nil {
			name = t.Here.Name
		}
	}
	w := a.Want("remember", args)
	a.Then = func() {
		switch {
		case t.Failed(w):
		case w.Result.Status == "proposed":
			t.Proposed("Ready to remember:", []string{"“" + language.Limit(m.Text, 200) + "”"}, args)
		case name != "":
			t.Say("I'll remember that about **%s**.", name)
		default:
			t.Say("I'll remember that.")
		}
	}
}

// ListMemories lists what is remembered.
func (t *Keeper) ListMemories() {
	a := t.Act(nil)
	user := a.Want("list_memories", map[string]any{})
	var project *turn.Want
	if t.Here != nil {
		project = a.Want("list_memories", map[string]any{"project": t.Here.Slug})
	}
	a.Then = func() {
		if t.Failed(user) {
			return
		}
		found := t.speakMemories("What I remember:", slices.DeleteFunc(turn.Objects(user.Result.Result, "memories"), func(m map[string]any) bool {
			return t.Here != nil && turn.Str(m, "project") == t.Here.Slug // told below
		}))
		if project != nil && project.Result.OK {
			found = t.speakMemories("About **"+t.Here.Name+"**:", turn.Objects(project.Result.Result, "memories")) || found
		}
		if !found {
			t.Say("I don't remember anything yet. Tell me things like “remember that ...”.")
		}
	}
}

// receipt says where a memory comes from.
func receipt(m map[string]any) string {
	from := "in " + turn.Str(m, "path")
	if day := turn.Str(m, "created"); day != "" && day != "0001-01-01" {
		if strings.HasPrefix(turn.Str(m, "source"), "turn ") {
			from = "you said so on " + day + "; " + from
		} else if s := turn.Str(m, "source"); s != "" {
			from = "from " + s + ", " + day + "; " + from
		}
	}
	return from
}

func (t *Keeper) speakMemories(head string, memories []map[string]any) bool {
	var lines []string
	for _, m := range memories {
		lines = append(lines, language.OneLine(turn.Str(m, "content"))+" ("+receipt(m)+")")
	}
	if len(lines) == 0 {
		return false
	}
	t.Say("%s\n- %s", head, strings.Join(lines[:min(len(lines), turn.MaxSpoken)], "\n- "))
	return true
}
