package record

import (
	"slices"
	"strings"
	"time"

	"kist/agent/language"
	"kist/agent/offline/dictate"
	"kist/agent/offline/interpret"
	"kist/agent/offline/lookup"
	"kist/agent/offline/queries"
	"kist/agent/offline/refer"
	"kist/agent/offline/todo"
	"kist/agent/offline/turn"
	"kist/agent/passage"
)

// Notes that are spoken of as notes: one is written under its title, added to, or read out.

// A notebook is a keeper with the notes that there are where we are.
type notebook struct {
	*Keeper
	notes []map[string]any
}

// Dictated does what a message says of a note, and returns what else it says ahead of that;
// false: it says nothing of one.
func Dictated(t *Keeper) (before string, ok bool) {
	d := dictate.Read(t.Text)
	switch d.Kind {
	case dictate.None:
		return "", false
	case dictate.Today, dictate.Chore:
		noteDay(t, d)
	case dictate.Begin:
		beginDay(t, d.Note)
	case dictate.OfDay:
		return d.Before, readDay(t, d.Note)
	case dictate.Write:
		t.Note(interpret.Meaning{Name: language.Capital(d.Note), Text: d.Text, Project: refer.Reference{Empty: true}})
	default:
		t.Act(func() { (&notebook{Keeper: t}).ofNote(d) })
	}
	return d.Before, true
}

// noteDay adds a point, or a task, to the note of a day.
func noteDay(t *Keeper, d dictate.Dictation) {
	day, of := t.Situation.Now, "today's note"
	if at := noteDays(d.Note, day, false); len(at) > 0 {
		day, of = at[0], "the note of "+language.FullDay(language.ISODay(at[0]))
	}
	text := turn.OrWord(d.Text, t.Before)
	if text == "" {
		t.Say("I don't see what to add. Say it with its words: “add to today's note: ...”.")
		return
	}
	point, said := text, "“"+language.Limit(language.OneLine(text), 200)+"”"
	if d.Kind == dictate.Chore {
		task := todo.Read(text, language.Tokenize(text), t.Situation.Now)
		text = turn.OrWord(task.Title, text)
		point, said = "[ ] "+text, t.TaskLine(turn.TodoLine(task))
		for _, f := range [][2]string{{"priority", task.Priority}, {"due", task.Due}} {
			if f[1] != "" {
				point += " [" + f[0] + ":: " + f[1] + "]"
			}
		}
	}
	a := t.Act(nil)
	w := a.Want("create_note", map[string]any{"day": language.ISODay(day), "title": "Daily note", "text": asPoint(point), "reason": turn.AsAsked(t.Offering, "add to "+of, language.Limit(language.OneLine(text), 100))})
	a.Then = func() {
		t.SpeakChange(w, "Added to "+of, "Ready to add to "+of+":", said+" ("+turn.Str(w.Result.Result, "path")+")")
	}
}

// beginDay makes the note of a day, unless it is there.
func beginDay(t *Keeper, said string) {
	day := t.Situation.Now
	if at := noteDays(said, day, false); len(at) > 0 {
		day = at[0]
	}
	iso := language.ISODay(day)
	there, ok := t.More("read_document", map[string]any{"path": iso, "from": 1, "lines": 1})
	if !ok {
		return
	}
	if there.OK {
		t.Say("It is there already: %s.", turn.Str(there.Result, "path"))
		return
	}
	a := t.Act(nil)
	w := a.Want("create_note", map[string]any{"day": iso, "title": "Daily note", "text": "", "reason": "make the note of " + language.FullDay(iso) + ", as you asked"})
	a.Then = func() { t.SpeakChange(w, "Made:", "Ready to make:", turn.Str(w.Result.Result, "path")) }
}

// asPoint is a text as one more item of a list, the marks of which it may have already.
func asPoint(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "- "), "* ")
	return "- " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}

// noteDays are the days of whose notes some words can mean one, the likeliest first. Without a
// year a day is the nearest; a weekday is the coming one and, asked back for, rather today or
// the last one, as what "Monday's note" says was written then.
func noteDays(words string, now time.Time, back bool) []time.Time {
	p, _, ok := language.ReadPeriod(language.Tokenize(words), now)
	switch last, _, weekday := language.ReadPeriod(language.Tokenize("last "+words), now); {
	case !ok:
		return nil
	case back && weekday && p.From.After(now) && p.From.Weekday() == now.Weekday():
		return []time.Time{now, last.From, p.From}
	case back && weekday && p.From.After(now):
		return []time.Time{last.From, p.From}
	case p.From.After(now.AddDate(0, 6, 0)) && !strings.Contains(words, p.From.Format("2006")):
		return []time.Time{p.From.AddDate(-1, 0, 0)}
	}
	return []time.Time{p.From}
}

// readDay reads out the note of the day that the message names, today's if it names none;
// false: there is none, and what was noted may be asked for as well. asked are the words for
// the day, where a note is asked for as such.
func readDay(t *Keeper, asked string) bool {
	days := noteDays(asked, t.Situation.Now, true)
	if len(days) == 0 {
		days = []time.Time{t.Situation.Now}
		if day, _, _ := queries.When(t.Text, t.Situation.Now); !day.IsZero() {
			days[0] = day
		}
	}
	for _, day := range days {
		res, ok := t.More("read_document", map[string]any{"path": language.ISODay(day), "from": 1, "lines": 60})
		if !ok {
			return true
		}
		if res.OK {
			(&notebook{Keeper: t}).readOut(map[string]any{"path": turn.Str(res.Result, "path"), "title": t.day(language.ISODay(day))})
			return true
		}
	}
	if asked != "" {
		t.Say("There is no note of %s yet.", t.day(language.ISODay(days[0])))
	}
	return asked != ""
}

// Note writes down what was said, under its title where it has one.
func (t *Keeper) Note(m interpret.Meaning) {
	slug, other := t.Elsewhere(m.Clause)
	if t.Beside || slug == turn.NoProject {
		t.Heard = true // the engine keeps it, outside of any project
		return
	}
	a := t.Act(nil)
	args := map[string]any{}
	name := ""
	if len(m.Project.Found) > 0 || m.Project.Named || other {
		place, in, ok := t.placing(m, a)
		if !ok {
			return
		}
		args, name = place, in
	} else if t.Here != nil {
		name = t.Here.Name
	}
	title := turn.OrWord(m.Name, turn.NoteTitle(m.Text))
	args["title"] = language.Limit(title, 100)
	args["text"] = m.Text + "\n"
	args["reason"] = turn.AsAsked(t.Offering, "write the note", title)
	w := a.Want("create_note", args)
	a.Then = func() {
		switch {
		case t.Failed(w):
		case w.Result.Status == "proposed":
			t.Proposed("Ready to write down in "+turn.Bold(name, "your vault")+":", []string{"“" + language.Limit(language.OneLine(turn.OrWord(m.Text, title)), 200) + "”"}, args)
		default:
			t.Say("Written down in %s (%s).", turn.Bold(name, "your vault"), turn.Str(w.Result.Result, "path"))
		}
	}
}

// ofNote adds to the note that is meant, or tells what it says.
func (t *notebook) ofNote(d dictate.Dictation) {
	if d.Kind == dictate.Join && d.Text == "" {
		if d.Text = t.Before; d.Text == "" {
			t.Say("I don't see what to add. Say it with its words: “add to the note: ...”.")
			return
		}
	}
	found, ok := t.notesCalled(d.Note)
	switch {
	case !ok:
	case d.Kind == dictate.Show && len(found) == 0 && d.Note != "":
		c := interpret.ClauseOf(d.Note)
		m := interpret.Meaning{Clause: c, Text: language.Topic(c.Toks), Name: d.Note}
		t.Late(func() { t.find(m, func() { t.noNoteOf(d.Note) }) })
	case d.Kind == dictate.Show && len(found) == 0:
		t.Say("There is no note here yet.")
	case d.Kind == dictate.Show:
		for _, note := range found[:min(len(found), 3)] {
			t.readOut(note)
		}
	case len(found) == 0:
		title := turn.OrWord(language.Capital(d.Note), turn.NoteTitle(d.Text))
		t.Say("There was no such note, so this begins one.")
		t.Late(func() { t.Note(interpret.Meaning{Name: title, Text: d.Text, Project: refer.Reference{Empty: true}}) })
	case len(found) > 1:
		var titles []string
		for _, note := range found {
			titles = append(titles, "“"+turn.Str(note, "title")+"”")
		}
		t.Say("Several notes could be meant, so nothing was added: %s.", strings.Join(titles, ", "))
	default:
		t.addTo(found[0], d.Text)
	}
}

// notesCalled finds the notes that words mean, those by their titles first, of the project at
// hand; no words mean the one that was written or changed last. ok is false while a call is
// still to be answered.
func (t *notebook) notesCalled(said string) (found []map[string]any, ok bool) {
	args := map[string]any{"told": true}
	if t.Here != nil {
		args["project"] = t.Here.Slug
	}
	res, ok := t.More("list_memories", args)
	if !ok {
		return nil, false
	}
	notes := slices.DeleteFunc(turn.Objects(res.Result, "told"), func(o map[string]any) bool { return turn.Str(o, "kind") != "note" })
	for _, note := range notes {
		title, _, _ := strings.Cut(turn.Str(note, "content"), ": ")
		note["title"] = title
	}
	t.notes = notes
	if strings.TrimSpace(said) == "" {
		return t.lastNote(notes), true
	}
	words := language.ContentWords(language.Tokenize(said))
	if t.Here != nil {
		words = strings.Fields(turn.OrWord(lookup.WithoutName(strings.Join(words, " "), refer.NameWords(*t.Here)), strings.Join(words, " ")))
	}
	for _, key := range []string{"title", "content"} {
		for _, note := range notes {
			has := language.ContentWords(language.Tokenize(turn.Str(note, key)))
			if language.Covers(has, words) {
				found = append(found, note)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	return found, true
}

// noNoteOf says that no note is about something, and which there are.
func (t *notebook) noNoteOf(what string) {
	var titles []string
	for _, note := range t.notes {
		titles = append(titles, "“"+turn.Str(note, "title")+"”")
	}
	if len(titles) == 0 {
		t.Say("I found nothing about “%s” in the vault.", what)
		return
	}
	t.Say("I found no note about “%s”. The notes here: %s.", what, strings.Join(titles[:min(len(titles), turn.MaxSpoken)], ", "))
}

// lastNote is the note that this session changed last, or else the only one.
func (t *notebook) lastNote(notes []map[string]any) []map[string]any {
	for _, ch := range t.Situation.Changes {
		for _, note := range notes {
			if turn.Str(note, "path") == ch.Path && ch.Session == t.Situation.Session {
				return []map[string]any{note}
			}
		}
	}
	if len(notes) == 1 {
		return notes
	}
	return nil
}

// addTo adds a text to a note, as one more point of it.
func (t *notebook) addTo(note map[string]any, text string) {
	title := turn.Str(note, "title")
	res, ok := t.More("append_note", map[string]any{"path": turn.Str(note, "path"), "text": text + "\n", "reason": turn.AsAsked(t.Offering, "add to the note", title)})
	if ok {
		w := &turn.Want{Result: res, Answered: true}
		t.SpeakChange(w, "Added to the note", "Ready to add to the note:", "“"+title+"” ("+turn.Str(note, "path")+")")
	}
}

// readOut tells what a note says.
func (t *notebook) readOut(note map[string]any) {
	path := turn.Str(note, "path")
	res, ok := t.More("read_document", map[string]any{"path": path, "from": 1, "lines": 60})
	w := &turn.Want{Result: res, Answered: true}
	if !ok || t.Failed(w) {
		return
	}
	var said []string
	_, list := passage.Read(turn.Strs(res.Result, "lines"), 1)
	for _, p := range list {
		if p.Text != turn.Str(note, "title") {
			said = append(said, language.Limit(p.Text, 2*passage.Longest))
		}
	}
	if len(said) > turn.MaxSpoken {
		said = append(said[:turn.MaxSpoken:turn.MaxSpoken], "...")
	}
	t.Bullets("“"+turn.Str(note, "title")+"” ("+path+"):", said)
}
