package offline

import (
	"cmp"
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/batch"
	"kist/agent/offline/dictate"
	"kist/agent/offline/interpret"
	"kist/agent/offline/lookup"
	"kist/agent/offline/onto"
	"kist/agent/offline/operation"
	"kist/agent/offline/project"
	"kist/agent/offline/record"
	"kist/agent/offline/refer"
	"kist/agent/offline/title"
	"kist/agent/offline/turn"
	"kist/agent/recall"
)

// A talk answers one user message.
type talk struct {
	*turn.Turn
	*project.Navigator
	*lookup.Finder
	*record.Keeper
	*operation.Log
	lesson *intent.Example // what an answer has taught of a message before
}

func newTalk(req model.Request) *talk {
	t := &talk{Turn: turn.New(req)}
	t.Navigator = project.New(t.Turn)
	t.Finder = lookup.New(t.Turn, t.Brief)
	t.Log = operation.New(t.Turn)
	t.Keeper = record.New(t.Turn, record.Neighbours{
		Which: t.Which, Unknown: t.Unknown, Find: t.Find,
		Place: t.place, Rename: t.handle, Fallback: t.fallback,
		Replan: func(said string) { t.plan(t.Read(said)) },
	})
	return t
}

// smalltalk answers greetings, thanks and cries for help.
func (t *talk) smalltalk(i intent.Name) {
	switch i {
	case intent.Thanks:
		t.Say("You're welcome.")
	case intent.Greet:
		if len(t.Paras) > 0 {
			return // it was thanked for already
		}
		if leaves(t.Text) {
			t.Say("See you.")
			return
		}
		if t.Here != nil {
			t.Say("Hello. We're in **%s**.", t.Here.Name)
		} else {
			t.Say("Hello. Tell me what you're working on, or ask for your projects.")
		}
		t.OfferArchiving()
	case intent.Help:
		t.Say("You can talk to me about what you're up to. For example:\n" +
			"- “I'm thinking of starting a coffee shop”: I start a project\n" +
			"- “Add a task to order the cable by Friday”, “the cable is done”, “what is due this week?”\n" +
			"- “Note: the marina opens at eight”, “we decided on teak because it lasts”, “remember that Bo is the electrician”\n" +
			"- “Let's talk about the houseboat”, “back”\n" +
			"- “What did we decide about the wiring?”: I look it up and say where it's written")
		t.Say("Everything I change is logged; “undo” takes it back.")
	}
}

// cannot says plainly what isn't possible, and what is instead.
func (t *talk) cannot(m interpret.Meaning) {
	switch m.About {
	case "write":
		toks := language.SkipOpeners(language.Tokenize(t.Text))
		if language.Begins(toks, "summarise|summarize where|what|everything|it|project", "summarise|summarize this|the|our|my|whole project|state|status|situation|progress") && t.Here != nil {
			t.Brief(*t.Here, true) // where it stands is in the files
			return
		}
		t.Told = true
		why := "none is set up"
		if t.Situation.Beside {
			why = "it doesn't answer now"
		}
		t.Say("Writing texts needs a language model, and %s. What I can do is keep your points: say “note: ...” or “add a task to ...”, and I'll have them ready.", why)
	case "opinion":
		t.Say("I can't judge that: I only keep and find what you tell me.")
	case "part":
		t.Told = true
		t.Say("I can't take lines out of notes, so nothing was changed: edit the note itself. “undo” takes back what I wrote.")
	case "undo":
		t.Undo(m)
	case "restructure":
		t.Say("I'm not sure what to do with which project or task, so nothing was changed. Name it, like “archive the houseboat”.")
	default:
		wished := "..."
		if m.Clause != nil {
			wished = cmp.Or(extract.Wished(m.Clause.Text(m.Clause.All)), wished)
		}
		t.Told = true
		t.Say("I can't do that: I only keep and find what you tell me. Say “%s%s” to have it as a task.", extract.Reminds, wished)
	}
}

// fallback deals with what no recogniser understood: it looks the words up, and
// says honestly when there is nothing.
func (t *talk) fallback() {
	for _, fact := range recall.Extract(t.Text, recall.Options{}) {
		if fact.Confidence >= recall.Sure { // the engine keeps it, and says so
			t.Say("Good to know.")
			return
		}
	}
	if recall.IsSecret(t.Text) && !strings.HasSuffix(strings.TrimSpace(t.Text), "?") && t.statement(&interpret.Clause{Src: t.Text, Toks: language.Tokenize(t.Text)}) {
		t.Say(recall.Refusal)
		return
	}
	c := interpret.Clause{Src: t.Text, Toks: language.Tokenize(t.Text)}
	if title.Logs(language.SkipOpeners(c.Toks)) {
		t.Note(interpret.Meaning{Text: language.Capital(t.Text), Project: refer.Reference{Empty: true}, Clause: &c})
		return
	}
	tells := t.statement(&c) || extract.Righted(t.Text) || len(strings.Fields(t.Text)) == 2 && len(extract.Telling(t.Text)) > 0 // the engine keeps it, and says where
	query := language.Topic(c.Toks)
	if !tells && len(strings.Fields(query)) == 0 {
		t.Nothing("I didn't understand that. %s", turn.Hint)
		return
	}
	a := t.Act(nil)
	a.Then = func() {
		switch {
		case extract.Remarks(t.Text) && language.Has(c.Toks, "<deleteverb>|<renameverb>|<ticking>|first|second|third|last|both|one|ones|other|others|neither|rest|two|three"):
			t.Nothing("I don't see what you mean by that, so nothing was changed.")
			return
		case tells && !extract.Inquires(t.Text), strings.TrimSpace(t.Text) != query && len(strings.Fields(t.Text)) > 3 && len(extract.Telling(t.Text)) > 0:
			t.Heard = true // what becomes of it the engine says
			return
		}
		if language.Begins(language.SkipOpeners(c.Toks), "do not <verb>|be|talk") && language.Has(c.Toks, "me|us|again|please") {
			t.Say("All right.") // how kist is to behave
			return
		}
		t.LookUp(query, "I'm not sure what to do with that, and I found nothing about it in the vault.")
	}
}

// statement: the message tells something, and asks for nothing.
func (t *talk) statement(c *interpret.Clause) bool {
	lets := language.Begins(language.SkipOpeners(c.Toks), "let's|lets *", "let us *")
	return len(strings.Fields(c.Src)) > 2 && (extract.Plain(c.Src) || lets || title.Labelled(c.Toks)) && len(language.ContentWords(c.Toks)) > 0
}

// work plans the message and speaks as far as results allow.
func (t *talk) work() {
	t.understand()
	if len(t.Calls) > 0 {
		return // something must be known before anything is planned
	}
	t.Run()
}

// leaves: somebody says goodbye.
func leaves(text string) bool {
	_, _, ok := language.Find(language.Tokenize(text), "bye|goodbye|cya|ttyl", "good|night night|evening|weekend|day", "see|speak|talk|catch *? you|u|ya|soon|later|tomorrow", "off|time to|for bed", "sleep well|tight")
	return ok
}

// onlyCourtesies answers thanks, a goodbye or a kind word, where that is all there is and nothing
// waits for an answer.
func onlyCourtesies(t *turn.Turn) bool {
	toks := language.Tokenize(t.Text)
	greets := language.Has(toks, "hi|hello|hey|morning") || language.Begins(toks, "good evening|afternoon")
	if t.Situation.Mode != "general" || len(t.Situation.Waiting)+len(t.Situation.Aside) > 0 || t.Situation.Question.Kind != "" || greets || consent.Read(t.Text) != consent.Other || !extract.Courteous(t.Text) {
		return false
	}
	if language.Has(toks, "thank|thanks|thx|thnx|ta|cheers|appreciated|appreciate|danke") {
		t.Say("You're welcome.")
	}
	switch {
	case leaves(t.Text):
		t.Say("See you.")
	case len(t.Paras) == 0:
		t.Say("All right.")
	}
	return true
}

// onlySmallTalk answers thanks, goodbyes and how kist is, if that is asked; what else the message
// says is left.
func onlySmallTalk(t *turn.Turn) bool {
	if onlyCourtesies(t) {
		return true
	}
	rest, ok := extract.SmallTalk(t.Text)
	if !ok || t.Situation.Mode != "general" {
		return false
	}
	t.Say("I'm fine, thank you, and here when you need me.")
	t.Text = rest
	return rest == ""
}

// besideTheVault answers what isn't about anything in the vault.
func besideTheVault(t *turn.Turn) bool { return t.OffRecord() || onlySmallTalk(t) || tellSync(t) }

// understand decides what the message is: a word on what waited, an answer to what was
// asked, part of a guided session, or something new.
func (t *talk) understand() {
	if len(t.Situation.Settled) > 0 { // the engine carried it out, or dropped it
		t.Settled()
		if t.Situation.Mode == "project_update" {
			t.GoOn()
		}
		if t.Text = consent.Rest(t.Text); t.Text == "" {
			return
		}
	}
	if besideTheVault(t.Turn) {
		return
	}
	if n := len(t.Situation.Aside); n > 0 && consent.Doubts(t.Text) {
		t.Say("All right, nothing is done. %s; “what is waiting?” shows it.", language.Capital(turn.Plural(n, "proposal")+" put aside"))
		return
	}
	if meanings, done := t.followUp(); done {
		for _, m := range meanings {
			t.handle(m)
		}
		return
	}
	if m, said, ok := t.Earlier(); ok {
		if !said {
			t.Say("I don't see what to keep. Say it with its words: “note: ...”, “remember that ...”.")
			return
		}
		t.handle(m)
		return
	}
	if inSoManyWords(t) || record.Instead(t.Keeper) {
		return
	}
	if m, ok := t.AlsoMeant(); ok {
		t.ChangeKnown([]interpret.Meaning{m}, func() { t.plan(t.Read(t.Text)) })
		return
	}
	if t.Situation.Mode == "general" && language.IsForeign(t.Text) {
		foreign(t)
		return
	}
	if !t.WhatIfLate() && !t.guided() && !t.Wishes() && !t.proposing() {
		planRead(t)
	}
}

// inSoManyWords does what a message says with the very words for it: of another undertaking, of a note, to
// undo, to list.
func inSoManyWords(t *talk) bool {
	if rest, ok := t.Several(); ok {
		if rest != "" {
			t.plan(t.Read(rest))
		}
		return true
	}
	if m, rest, ok := record.Listed(t.Keeper); ok {
		t.handle(m)
		if rest != "" {
			t.plan(t.Read(rest))
		}
		return true
	}
	if m, rest, ok := t.Opened(); ok {
		t.Create(m)
		t.plan(t.Read(rest))
		return true
	}
	if record.Noted(t.Keeper) || record.Pace(t.Keeper) {
		return true
	}
	if before, ok := record.Dictated(t.Keeper); ok {
		if before != "" {
			t.plan(t.Read(before))
		}
		return true
	}
	if note, sure := dictate.Adopted(t.Text); note != "" && t.Adopt(note, sure) || batch.Every(t.Keeper) || batch.Few(t.Keeper) || onto.Put(t.Turn) {
		return true
	}
	m, ok := t.NamedUndo(t.Text)
	if !ok {
		m, ok = t.NamedList(t.Text)
	}
	if !ok {
		m, ok = t.NamedPlace(t.Text)
	}
	if ok {
		t.handle(m)
	}
	return ok
}

// planRead plans a message. What says of itself that it isn't of the active project goes to none.
func planRead(t *talk) {
	text := lookup.Spelled(t.Text)
	if again, ok := lookup.AskedAgain(t.Turn); ok {
		text = again
	}
	if t.Here != nil && t.Situation.Mode == "general" {
		makes := func(m interpret.Meaning) bool { return m.Intent == intent.CreateProject }
		if rest, ok := recall.Beside(text, t.Here.Name); ok && !slices.ContainsFunc(t.Read(text), makes) {
			text, t.Here, t.Beside = rest, nil, true
		}
	}
	t.plan(t.Read(text))
}
