package project

import (
	"cmp"
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/apart"
	"kist/agent/offline/interpret"
	"kist/agent/offline/naming"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// A project that is made of what was told in another one takes the words along. What stands
// in the other one by now is offered to be taken out there, or moved.

// remembered is how many messages back it is looked for what told of a project.
const remembered = 4

// WithWords gives a project of its own the name and the words with which it was told of: in a
// message before, and in this one. A question whether to make it keeps them as well.
func (t *Navigator) WithWords(m interpret.Meaning, asked map[string]string) interpret.Meaning {
	var own []string
	for _, s := range extract.Sentences(t.Text) {
		if s.Kind != extract.Courtesy && !t.onlyWishes(s.Text, m.Name) {
			own = append(own, s.Text)
		}
	}
	before := t.toldBefore(m, len(own) == 0)
	asked["own"], asked["before"] = strings.Join(own, " "), before
	m.Text = strings.TrimSpace(before + "\n" + asked["own"])
	if m.Name == "" {
		m.Name = cmp.Or(t.Undertaking(before), t.Undertaking(asked["own"]))
	}
	if m.Name == "" {
		m.Name, m.Sure = thing(m.Text), false
	}
	return m
}

// Opened is the project with which a message leaves the one at hand; false: it does not, or what it
// is about is there already, or can't be told.
func (t *Navigator) Opened() (m interpret.Meaning, rest string, ok bool) {
	o, ok := apart.Opens(language.Tokenize(t.Text))
	if !ok || t.Here == nil || t.Situation.Mode == "project_create" {
		return m, "", false
	}
	rest = strings.TrimSpace(t.Text[o.Rest[0].Start:])
	name := naming.Kept(rest)
	if name == "" && len(o.Thing) > 0 {
		name = language.TitleCase(language.Spell(t.Text, language.Inner(o.Thing)))
	}
	if name = cmp.Or(name, ofFirst(t.Text, o.Rest)); name == "" {
		return m, "", false
	}
	return interpret.Meaning{Intent: intent.CreateProject, Score: 1, Name: name, Given: true, Sure: true, Project: refer.Reference{Empty: true}}, rest, true
}

// ofFirst is the first thing that words of a text are about that is somebody's, or has an article:
// "I learn for the driving licence".
func ofFirst(text string, toks []language.Token) string {
	for i, t := range toks {
		if t.Norm == "." {
			break
		}
		if !language.Class("<det>", t.Norm) && !language.In("my|our|his|her|their", t.Norm) {
			continue
		}
		if phrase := phraseAt(toks[i+1:]); len(phrase) > 0 {
			return language.TitleCase(language.Spell(text, phrase))
		}
	}
	return ""
}

// phraseAt are the words at the start of some that name a thing; none if they don't.
func phraseAt(toks []language.Token) []language.Token {
	end := 0
	for end < min(len(toks), 3) && toks[end].Word && !language.Class("<stop>", toks[end].Norm) && !language.IsFiller(toks[end]) && !strings.HasSuffix(toks[end].Norm, "ed") {
		end++
	}
	if phrase := toks[:end]; len(language.ContentWords(phrase)) > 0 && !language.Has(phrase, "<smallnoun>|<generic>|<undertaking>|<timeword>") {
		return phrase
	}
	return nil
}

// thing is what a text that tells of a project may be about, where nothing says so better: the
// first thing that something is done to.
func thing(text string) string {
	toks := language.Tokenize(text)
	for i, t := range toks {
		if i == 0 || !language.Class("<det>", t.Norm) || !toks[i-1].Word || !language.In("a|an", t.Norm) && (language.Class("<stop>", toks[i-1].Norm) || language.Class("<opener>", toks[i-1].Norm)) {
			continue
		}
		if phrase := phraseAt(toks[i+1:]); len(phrase) > 0 {
			return language.TitleCase(language.Spell(text, phrase))
		}
	}
	return ""
}

// leastTold is how many words a sentence has that tells of a project, beside the name and
// that it is one.
const leastTold = 3

// onlyWishes: a sentence says hardly more than that there is to be a project.
func (t *Navigator) onlyWishes(sentence, name string) bool {
	if !slices.ContainsFunc(t.Read(sentence), func(m interpret.Meaning) bool { return m.Apart }) {
		return false
	}
	known := language.ContentWords(language.Tokenize(name))
	if p := t.Situation.Project; p != nil {
		known = append(known, refer.NameWords(*p)...)
	}
	n := 0
	for _, tok := range language.Tokenize(sentence) {
		if tok.Word && !language.Light(tok.Norm) && !language.Fits(tok, "<undertaking>|<apart>|<keepverb>|call|name|nothing") && !slices.Contains(known, tok.Norm) {
			n++
		}
	}
	return n < leastTold
}

// toldBefore is the message before that told of what is to be a project: the last one that
// has a word of it, or where this one only points to it, the last that told anything.
func (t *Navigator) toldBefore(m interpret.Meaning, alone bool) string {
	words := slices.DeleteFunc(language.ContentWords(language.Tokenize(m.Name)), language.Light)
	var all []string
	for _, said := range t.Said[:min(len(t.Said), remembered)] {
		if consent.Read(said) != consent.Other || len(extract.Statements(said)) == 0 {
			continue
		}
		of := func(tok language.Token) bool {
			return slices.ContainsFunc(words, func(w string) bool { return language.SameWord(w, tok.Norm) })
		}
		if m.Points && alone || slices.ContainsFunc(language.Tokenize(said), of) {
			return said
		}
	}
	return strings.Join(all, "\n")
}

// leftBehind offers to take out of a project, or to move, what was told there of the one that
// was made of it.
func (t *Navigator) leftBehind(from *model.Project, to, text string) {
	along := takenAlong(t.Text)
	if from == nil || !language.HasWord(language.Tokenize(text+along)) {
		return
	}
	told, known := t.More("list_memories", map[string]any{"project": from.Slug, "told": true})
	tasks, listed := t.More("list_tasks", map[string]any{"project": from.Slug})
	if !known || !listed {
		return
	}
	words := language.ContentWords(language.Tokenize(text))
	also, _ := refer.Tasks(along, turn.Objects(tasks.Result, "tasks"))
	t.Offer(func() {
		a := t.Act(nil)
		var wants []*turn.Want
		for _, each := range turn.Objects(told.Result, "told") {
			line := turn.Str(each, "content")
			if _, said, dated := strings.Cut(line, ": "); turn.Str(each, "kind") == "inbox" && dated && strings.Contains(text, said) {
				wants = append(wants, a.Want("forget_memory", map[string]any{"memory": turn.Str(each, "path"), "text": line}))
			}
		}
		for _, task := range turn.Objects(tasks.Result, "tasks") {
			title := language.ContentWords(language.Tokenize(turn.Str(task, "title")))
			if slices.ContainsFunc(also, func(o map[string]any) bool { return turn.Str(o, "task") == turn.Str(task, "task") }) || len(title) > 1 && language.Covers(words, title) {
				wants = append(wants, a.Want("move_task", map[string]any{"task": turn.Str(task, "task"), "project": to, "reason": "move to the new project: " + turn.Str(task, "title")}))
			}
		}
		a.Then = func() {
			for _, w := range wants {
				t.Waits = t.Waits || w.Result.Status == "proposed"
			}
			if t.Waits {
				t.Say("Some of it stands in **%s** as well.", from.Name)
			}
		}
	})
}

// takenAlong is what a message wants to have in the new project: "and put the menu in there".
func takenAlong(text string) string {
	toks := language.Tokenize(text)
	if _, from, ok := language.Find(toks, "put|move|take|shift|transfer|bring"); ok {
		if end, _, ok := language.Find(toks[from:], "in|into|over|to there|here|it", "there|across"); ok {
			return language.Spell(text, toks[from:from+end])
		}
	}
	return ""
}
