package offline

import (
	"slices"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/away"
	"kist/agent/offline/interpret"
	"kist/agent/offline/project"
	"kist/agent/offline/record"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// oneProject leaves of several undertakings that a message tells of the first, unless
// another one is asked for in so many words: the others are mostly part of it.
func oneProject(meanings []interpret.Meaning) []interpret.Meaning {
	made := false
	return slices.DeleteFunc(slices.Clone(meanings), func(m interpret.Meaning) bool {
		if m.Intent != intent.CreateProject || m.Clause == nil {
			return false
		}
		again := made && !language.Has(m.Clause.All, "<projectword>")
		made = true
		return again
	})
}

// apartFirst: what a message tells belongs to the project of its own that it is to become.
func (t *talk) apartFirst(meanings []interpret.Meaning) []interpret.Meaning {
	i := slices.IndexFunc(meanings, func(m interpret.Meaning) bool { return m.Apart })
	if i < 0 {
		return meanings
	}
	m := meanings[i]
	named := t.WithWords(m, map[string]string{})
	m.Name, m.Sure = named.Name, named.Sure
	if !m.Points {
		return slices.Concat(meanings[:i], []interpret.Meaning{m}, meanings[i+1:])
	}
	return append([]interpret.Meaning{m}, toBeDone(slices.Concat(meanings[:i], meanings[i+1:]))...)
}

// longestHead is within how many words a message says what it is about: "cottage news: ...".
const longestHead = 6

// toldElsewhere: all of a message is headed with the name of another project. The engine
// offers it for that one's inbox, and nobody need go there.
func (t *talk) toldElsewhere(meanings []interpret.Meaning) bool {
	if len(meanings) == 0 || slices.ContainsFunc(meanings, func(m interpret.Meaning) bool { return m.Intent != intent.None }) {
		return false
	}
	toks := language.Tokenize(t.Text)
	end := slices.IndexFunc(toks[:min(len(toks), longestHead)], func(tok language.Token) bool { return tok.Norm == ":" && !tok.Quoted })
	if end < 0 {
		return false
	}
	of := refer.Mentioned(toks[:end], t.Situation.Projects)
	t.Heard = len(of) == 1 && (t.Here == nil || of[0].Slug != t.Here.Slug)
	return t.Heard
}

// inquires: a clause wants to know something, or isn't about any matter.
func inquires(m interpret.Meaning) bool {
	tells := []intent.Name{intent.None, intent.Remember, intent.UpdateTask, intent.AddTask, intent.AddNote, intent.AddDecision, intent.CompleteTask}
	return !slices.Contains(tells, m.Intent) || m.Clause != nil && m.Clause.Question
}

// notYet takes what may be a project one day, and wasn't asked for, for what it tells: where several
// things were told of it, it is asked about.
func (t *talk) notYet(meanings []interpret.Meaning) []interpret.Meaning {
	meanings = slices.Clone(meanings)
	for i, m := range meanings {
		if t.Here == nil && project.Unasked(m) && !m.Sure && !m.Apart {
			meanings[i] = m.Nothing()
		}
	}
	return meanings
}

// toldOf takes what asks for what was told of something for a question, rather than for the memories:
// "what have I told you about the caravan?"
func toldOf(t *talk, meanings []interpret.Meaning) []interpret.Meaning {
	meanings = slices.Clone(meanings)
	for i, m := range meanings {
		told := m.Intent == intent.ListMemories && language.Has(m.Clause.All, "told|tell|said|gesagt|erzählt")
		if told && language.Has(m.Clause.All, "about|of|regarding|über|von") {
			meanings[i] = t.Filled(m.Clause, intent.Ask, m.Score)
		}
	}
	return meanings
}

// undeclined: where nothing waits, a "no" among other things is to nothing.
func undeclined(meanings []interpret.Meaning) []interpret.Meaning {
	meanings = slices.Clone(meanings)
	for i, m := range meanings {
		if m.Intent == intent.Decline && !m.Clause.Negated && len(m.Known) == 0 && (len(meanings) > 1 || len(language.ContentWords(m.Clause.All)) > 5) {
			meanings[i] = m.Nothing()
		}
	}
	return meanings
}

// movedInstead is without an order to take back what another clause says to belong elsewhere,
// where it is to be put: "no, that's the barn, undo and put it there".
func movedInstead(meanings []interpret.Meaning) []interpret.Meaning {
	if !slices.ContainsFunc(meanings, func(m interpret.Meaning) bool {
		return len(m.Known) > 0 && m.Known[0].Intent == interpret.MoveTask && m.Known[0].Points
	}) {
		return meanings
	}
	return slices.DeleteFunc(slices.Clone(meanings), func(m interpret.Meaning) bool {
		return m.Intent == intent.Undo && len(m.Known) == 0 && away.Orders(m.Clause.All)
	})
}

// unreasoned is without what only says why something is to be taken back: "undo that, I do
// need the roof".
func unreasoned(meanings []interpret.Meaning) []interpret.Meaning {
	if len(meanings) < 2 || meanings[0].Intent != intent.Undo && meanings[0].Intent != intent.Redo {
		return meanings
	}
	return slices.DeleteFunc(slices.Clone(meanings), func(m interpret.Meaning) bool {
		return m.Clause != nil && language.Begins(language.SkipOpeners(m.Clause.All), "i|we|it|that|this|the|because")
	})
}

// corrects: behind an order to take something back stands how it is instead, in figures: "scrub that,
// he only gave me 30".
func corrects(meanings []interpret.Meaning) bool {
	undo := slices.IndexFunc(meanings, func(m interpret.Meaning) bool { return m.Intent == intent.Undo && len(m.Undo) == 0 })
	return undo >= 0 && slices.ContainsFunc(meanings[undo:], func(m interpret.Meaning) bool {
		return m.Clause != nil && language.Has(m.Clause.All, "<subject>") && slices.ContainsFunc(m.Clause.All, func(t language.Token) bool { return language.Digital(t.Norm) })
	})
}

// plan turns what was understood into acts. Clauses that mean nothing to us are
// passed over where another one does.
func (t *talk) plan(meanings []interpret.Meaning) {
	if len(t.Situation.Aside) == 0 && t.Situation.Question.Kind == "" {
		meanings = undeclined(meanings)
	}
	meanings, over := firstQuestions(t.asked(record.OffPointed(t.Keeper, record.Asks(meanings))))
	if over > 0 {
		defer t.Act(func() {
			t.Say("I looked up the first %d questions. Send the other %d again, in a message of their own.", maxQuestions, over)
		})
	}
	if slices.ContainsFunc(meanings, func(m interpret.Meaning) bool { return m.Intent == intent.Undo }) { // which takes it back
		meanings = slices.DeleteFunc(slices.Clone(meanings), func(m interpret.Meaning) bool { return m.Intent == intent.ForgetMemory })
	}
	t.Heard = t.Heard || corrects(meanings)
	meanings = t.notYet(toldOf(t, t.apartFirst(oneProject(unreasoned(movedInstead(meanings))))))
	if t.unsureGo(meanings) || !t.mayBegin(meanings) {
		return
	}
	if rest, ok := record.Finish(t.Keeper, meanings); ok && (len(rest) > 0 || len(meanings) == 0) {
		doEach(t, rest)
	}
}

// maxQuestions is how many questions of a message are looked up: each is a search.
const maxQuestions = 16

// firstQuestions leaves so many of them, and counts the others.
func firstQuestions(meanings []interpret.Meaning) (rest []interpret.Meaning, over int) {
	asked := 0
	rest = slices.DeleteFunc(slices.Clone(meanings), func(m interpret.Meaning) bool {
		if m.Intent == intent.Ask {
			asked++
		}
		return m.Intent == intent.Ask && asked > maxQuestions
	})
	return rest, len(meanings) - len(rest)
}

// doEach does what is left of a message that nobody is asked about first.
func doEach(t *talk, meanings []interpret.Meaning) {
	defer func() {
		if !slices.ContainsFunc(meanings, inquires) {
			t.Act(t.OfferToBegin)
		}
	}()
	useful := slices.ContainsFunc(meanings, func(m interpret.Meaning) bool { return m.Intent != intent.None })
	chatty := slices.ContainsFunc(meanings, func(m interpret.Meaning) bool { return interpret.Substantial(m.Intent) })
	var over []*interpret.Clause
	for _, m := range meanings {
		if moved, ok := t.MovedAway(&m); ok {
			t.ChangeKnown([]interpret.Meaning{moved}, func() { t.MoveTold(moved, func() { t.plan([]interpret.Meaning{m}) }) })
			continue
		}
		switch p, ok := m.Project.One(); {
		case m.Intent == intent.None && useful, chatty && !interpret.Substantial(m.Intent):
			if !t.beside(m) {
				over = append(over, m.Clause)
			}
		case ok && m.Intent == intent.None && m.About == "elsewhere":
			t.Say("That sounds like **%s**.", p.Name)
			t.Ask(turn.AskSwitch, map[string]string{"name": p.Name, "slug": p.Slug})
			return
		case m.Intent == intent.None:
			alone := len(meanings) == 1
			record.Dates(t.Keeper, m, func(m interpret.Meaning) {
				t.ChangeKnown(m.Known, func() {
					if !alone || extract.Plain(t.Text) || !t.offerReadings(m) {
						t.fallback()
					}
				})
			})
			return
		default:
			t.handle(m)
			alsoGone(t, m)
		}
	}
	if len(meanings) == 0 {
		t.Say("I didn't catch any words in that.")
	}
	t.Act(func() { t.regret(over) })
}

// alsoGone proposes to delete the task that a decision does away with: "we're not doing the raffle".
func alsoGone(t *talk, m interpret.Meaning) {
	for _, known := range m.Known {
		if m.Intent == intent.AddDecision && known.Intent == intent.DeleteTask {
			t.ChangeKnown([]interpret.Meaning{known}, func() {})
		}
	}
}

// regret names the clauses that ask for something of which nothing was done. What only
// tells something is kept, or named as not kept; what a new project was told of with is its
// text.
func (t *talk) regret(over []*interpret.Clause) {
	for _, c := range over {
		text := language.OneLine(c.Text(c.All))
		if t.IsNew && !extract.Orders(text) || refer.OnlyWhere(text, t.Situation.Projects) {
			continue
		}
		if !t.Told && !extract.Remarks(text) && !extract.Resets(text) && !c.Question && (len(extract.Told(text, false)) == 0 || extract.Orders(text)) {
			t.Say(extract.Regret+"“%s”.", language.Limit(text, 200))
		}
	}
}

// beside does what can be done of a clause that nothing is clear of, where the others are
// done. false: it asked for something, and is to be named.
func (t *talk) beside(m interpret.Meaning) bool {
	switch {
	case len(m.Known) > 0 && m.Known[0].Score >= interpret.Choice:
		t.ChangeKnown(m.Known[:1], func() {})
	default:
		return !m.Lacks && (len(m.Or) == 0 || isHere(t.Here, m.Or[0]))
	}
	return true
}

// isHere: it would go where we are.
func isHere(here *model.Project, m interpret.Meaning) bool {
	p, ok := m.Project.One()
	return m.Intent == intent.Switch && ok && here != nil && p.Slug == here.Slug
}

// unsureGo: what waits was probably agreed to, and not clearly enough to be done.
func (t *talk) unsureGo(meanings []interpret.Meaning) bool {
	agrees := func(m interpret.Meaning) bool {
		return m.About == string(intent.Consent) && m.Score >= interpret.Likely
	}
	other := func(m interpret.Meaning) bool { return m.Intent != intent.None }
	switch toks := language.Tokenize(t.Text); {
	case len(t.Situation.Aside) > 0 && language.Begins(toks, "go|yes|ja"):
		t.Say("That said more than yes, so what I proposed isn't done: %s. Say just “go” for it.", t.Situation.Aside[0])
	case len(t.Situation.Waiting) > 0 && goesBefore(toks) && slices.ContainsFunc(meanings, other):
		t.NothingToDo()
	}
	if slices.ContainsFunc(meanings, other) || !slices.ContainsFunc(meanings, agrees) {
		return false
	}
	if len(t.Situation.Waiting) == 0 {
		if orders := language.Has(language.Tokenize(t.Text), "go"); orders {
			t.NothingToDo()
			return true
		}
		return false
	}
	t.Say("If that was a go, it said more than I can be sure of, so nothing was done. Say just “go”.")
	t.ListWaiting()
	return true
}

// goesBefore: a go stands before something else: "go, and ...".
func goesBefore(toks []language.Token) bool {
	return len(toks) > 1 && language.Begins(toks, "go") && (!toks[1].Word || toks[1].Norm == "and")
}

// mayBegin: no project is begun with this message that has to be asked about, or how is
// to be looked up. What else the message says is seen to with the answer.
func (t *talk) mayBegin(meanings []interpret.Meaning) bool {
	if t.toldElsewhere(meanings) {
		return false
	}
	if slices.ContainsFunc(meanings, project.Unasked) {
		if _, known := t.LikesFlat(); !known {
			return false
		}
	}
	i := slices.IndexFunc(meanings, func(m interpret.Meaning) bool {
		return m.Intent == intent.CreateProject && !m.Sure && (m.Name != "" || m.Apart)
	})
	if i >= 0 {
		t.handle(meanings[i])
	}
	return i < 0
}

func (t *talk) handle(m interpret.Meaning) {
	if asksOf[m.Intent] && m.Clause != nil && !t.Lost && (t.Everyone(m) || t.Amounts(m, func() { t.Answer(m, nil) })) {
		return
	}
	if do, ok := t.handlers()[m.Intent]; ok && !t.Lost {
		do(m)
	}
}

// asksOf are the intents of which a question for sums may be taken.
var asksOf = map[intent.Name]bool{intent.Ask: true, intent.ListTasks: true, intent.Status: true, intent.Completeness: true, intent.OpenQuestions: true, intent.None: true}

// handlers is who sees to a meaning, by its intent.
func (t *talk) handlers() map[intent.Name]func(interpret.Meaning) {
	alone := func(do func()) func(interpret.Meaning) { return func(interpret.Meaning) { do() } }
	small := func(m interpret.Meaning) { t.smalltalk(m.Intent) }
	restructure := func(m interpret.Meaning) {
		t.ChangeKnown(t.TaskRenamed(m), func() { t.Restructure(m) })
	}
	return map[intent.Name]func(interpret.Meaning){
		intent.None:    alone(t.fallback),
		intent.Greet:   small,
		intent.Thanks:  small,
		intent.Help:    small,
		intent.Consent: t.Consented,
		intent.Decline: t.declined,

		intent.CreateProject:  t.Create,
		intent.Switch:         t.Switch,
		intent.Back:           t.Back,
		intent.ReopenProject:  t.Reopen,
		intent.RenameProject:  restructure,
		intent.MergeProjects:  restructure,
		intent.ArchiveProject: restructure,
		intent.DeleteProject:  restructure,
		interpret.StartMode:   t.begin,
		intent.AbandonDraft:   func(m interpret.Meaning) { t.drafting().GiveUp(m) },

		intent.AddTask:      t.Obligation,
		intent.CompleteTask: t.EndTask,
		intent.DeleteTask:   t.EndTask,
		interpret.SplitTask: t.EndTask,
		interpret.ListNotes: t.ListNotes,
		intent.UpdateTask:   func(m interpret.Meaning) { t.Update(t.Pointed(m)) },
		intent.AddNote:      t.Note,
		intent.AddDecision:  t.Decision,
		intent.Remember:     t.Remember,
		intent.ForgetMemory: t.ChangeMemory,
		intent.MoveMemory:   t.ChangeMemory,
		intent.Undo:         t.Undo,

		intent.ListProjects: alone(t.ListProjects),
		intent.ListTasks:    func(m interpret.Meaning) { listed(t, m) },
		intent.ListMemories: alone(t.ListMemories),
		intent.ListDrafts:   alone(t.drafts),
		intent.ListPending:  alone(t.ListWaiting),
		intent.ListChanges:  alone(t.ListChanges),
		intent.Status:       t.Status,
		intent.Ask: func(m interpret.Meaning) {
			switch {
			case dates(t, m):
			case owes(m):
				open := interpret.ClauseOf("what is open")
				open.All = open.Toks
				t.ListTasks(interpret.Meaning{Intent: intent.ListTasks, Clause: open, Project: m.Project, About: "everywhere"}, false)
			default:
				t.Answer(m, nil)
			}
		},
		intent.OpenQuestions: t.openQuestions,
		intent.WhichProject:  t.whichProject,
		intent.Completeness:  t.complete,
		intent.Unsupported:   t.cannot,
	}
}
