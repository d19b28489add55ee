package offline

import (
	"strings"

	"kist/agent/model"
)

// An intent is what a clause asks for.
type intent string

const (
	none          intent = "none"
	consent       intent = "consent"
	decline       intent = "decline" // "don't ..." said of something we would do
	greet         intent = "greet"
	thanks        intent = "thanks"
	help          intent = "help"
	createProject intent = "create_project"
	switchTo      intent = "switch"
	goBack        intent = "back"
	addTask       intent = "add_task"
	completeTask  intent = "complete_task"
	updateTask    intent = "update_task"
	addNote       intent = "add_note"
	addDecision   intent = "add_decision"
	remember      intent = "remember"
	listProjects  intent = "list_projects"
	listTasks     intent = "list_tasks"
	listMemories  intent = "list_memories"
	status        intent = "status"
	ask           intent = "ask"
	unsupported   intent = "unsupported"

	renameProject  intent = "rename_project"
	mergeProjects  intent = "merge_projects"
	archiveProject intent = "archive_project"
	deleteProject  intent = "delete_project"
	deleteTask     intent = "delete_task"
	undoLast       intent = "undo"
	forgetMemory   intent = "forget_memory"
	moveMemory     intent = "move_memory"
	startMode      intent = "start_mode"
	completeness   intent = "completeness"
	listDrafts     intent = "list_drafts"
	listPending    intent = "list_pending"
	listChanges    intent = "list_changes"
	openQuestions  intent = "open_questions"
	whichProject   intent = "which_project"
	abandonDraft   intent = "abandon_draft"
)

// A meaning is a bid of a recogniser: what a clause may mean and how surely.
type meaning struct {
	intent intent
	score  float64
	clause *clause

	project reference // that the clause names
	name    string    // of a project to create, the new one of a project to rename, of a draft to abandon
	sure    bool      // create it without asking
	todos   []todo    // of add_task
	title   string    // of the task to complete, change or delete
	change  todo      // of update_task: what to set
	moved   moved     // of update_task: by how much its date moves
	text    string    // of a note, decision, memory; of ask: what is asked about
	scope   string    // of remember: user or project; of list_tasks: today, week, overdue
	about   string    // of ask: decision, when, borrow, or nothing; of start_mode: which; of unsupported: what kind; of none: elsewhere
	two     bool      // of switch: more than one project is named
	other   reference // of merge_projects: into which one
}

// enough is the score from which a bid is acted on.
const enough = 0.5

// A reader understands clauses in a situation.
type reader struct {
	sit model.Situation
}

// read returns what each clause of a message means. Clauses that mean nothing
// to us stay in, as none.
func (r *reader) read(text string) []meaning {
	if c := model.ConsentOf(text); c != model.NoConsent {
		return []meaning{{intent: consent, score: 1, clause: &clause{src: text}}}
	}
	var out []meaning
	toks := tokenize(text)
	r = r.narrowed(toks)
	r.markNames(toks)
	list := clausesOf(text, toks)
	list = list[:min(len(list), maxClauses)]
	for i := range list {
		in := r
		if i > 0 {
			in = r.withTold(&list[i-1], list[i-1].toks)
		}
		m := in.understand(&list[i])
		if i > 0 && (m.intent == none && m.about == "" || m.intent == goBack && lastIn(trimPhraseEnd(list[i].body), "there") && !has(list[i].body, "back")) {
			if there := r.goesThere(&list[i], r.told(&list[i-1], list[i-1].toks)); there.score > 0 {
				m = there
			}
		}
		if i > 0 && meantBefore(m) {
			if told := r.told(&list[i-1], list[i-1].toks); len(told) == 1 {
				m.project = reference{found: told}
			}
		}
		if n := len(out); n > 0 && out[n-1].intent == switchTo && len(out[n-1].project.found) == 0 && m.intent == switchTo && len(m.project.found) > 0 {
			out = out[:n-1] // "to the rowing site ... I mean the rowing club"
		}
		out = append(out, m)
	}
	return out
}

// told returns the project that words are about, if it is one.
func (r *reader) told(c *clause, toks []token) []model.Project {
	if found := mentioned(toks, r.sit.Projects); len(found) > 0 {
		return found
	}
	_, _, ref := r.namedIn(c, toks)
	return ref.found
}

// withTold is the reader for what follows some words: where no project is active,
// "it" is the one that they told of.
func (r *reader) withTold(c *clause, toks []token) *reader {
	if r.sit.Project != nil {
		return r
	}
	told := r.told(c, toks)
	if len(told) != 1 {
		return r
	}
	next := *r
	next.sit.Project = &told[0]
	return &next
}

// meantBefore: "it" stands for the project of the clause before: "the shop is
// closed, archive it".
func meantBefore(m meaning) bool {
	switch m.intent {
	case renameProject, archiveProject, deleteProject, mergeProjects, startMode, completeness:
		return m.project.empty && !m.project.named && has(m.clause.toks, "it|that|them") && len(m.project.found) == 0
	}
	return false
}

// understand picks the best bid for one clause.
func (r *reader) understand(c *clause) meaning {
	if c.leads {
		return meaning{intent: none, clause: c}
	}
	best := r.bid(c)
	if best.intent == switchTo && !best.project.exact && namesFile(c) {
		best = meaning{intent: none, clause: c} // "see projects/shed/project.md": where something stands
	}
	if m, ok := r.mended(c); ok {
		best = m
	} else if m := r.contrasting(c); m.score > best.score || m.score > 0 && c.negated {
		m.clause = c
		return m
	}
	if c.hangs(best.intent) {
		best = meaning{intent: none, clause: c}
	}
	if len(c.toks) <= maxCommand && (best.intent == none || best.intent == completeTask || best.intent == forgetMemory || c.negated && in("not", c.toks[0].norm) && best.intent == switchTo) {
		if m := r.afterComma(c); m.intent != none && !c.hangs(m.intent) && m.score >= best.score-0.1 {
			return m
		}
	}
	if best.intent == none && len(c.toks) <= maxCommand && r.staysBehind(c) {
		return meaning{intent: decline, score: 0.7, clause: c}
	}
	if c.negated && best.intent == none && len(c.body) > 0 && !c.body[0].quoted && class("<commandverb>", c.body[0].norm) && imperativeNot(c.toks) {
		return meaning{intent: decline, score: 0.6, clause: c}
	}
	if c.negated && negatable(best.intent) {
		return meaning{intent: decline, score: best.score, clause: c, project: best.project}
	}
	if best.intent == none && len(c.toks) <= maxCommand {
		if ref, ok := r.elsewhere(c); ok {
			best.project, best.about = ref, "elsewhere"
		}
	}
	return best
}

// namesFile: the words of a path are no project's name.
func namesFile(c *clause) bool { return strings.Contains(c.text(c.toks), ".md") }

// maxCommand is how many words a command holds at most. What is longer tells
// something, and only what takes a text can be meant.
const maxCommand = 48

// bid asks all recognisers.
func (r *reader) bid(c *clause) meaning {
	best := meaning{intent: none, clause: c}
	ask := func(recognisers ...func(*clause) meaning) {
		for _, recognise := range recognisers {
			if m := recognise(c); m.score >= enough && m.score > best.score {
				m.clause = c
				best = m
			}
		}
	}
	ask(r.smallTalk, r.asksHelp, r.listing, r.asksStatus, r.backing, r.switching, r.granting, r.unopened, r.creating, r.venturing,
		r.completing, r.updating, r.shifting, r.tasking, r.noting, r.deciding, r.remembering, r.preferring, r.beyond, r.asking)
	if len(c.toks) <= maxCommand {
		ask(r.refusing, r.staying, r.puttingOff, r.borrowing, r.managing, r.undoing, r.droppingTask, r.forgetting, r.relocating, r.guiding, r.measuring, r.drafting, r.pending, r.wondering, r.retitling)
	}
	return best
}

// directive: what can only be meant for kist, wherever in a sentence it stands.
func directive(i intent) bool {
	switch i {
	case switchTo, goBack, renameProject, mergeProjects, archiveProject, deleteProject, deleteTask, undoLast, forgetMemory, moveMemory, startMode, abandonDraft:
		return true
	}
	return false
}

// takesAway: what changes or removes something that is there.
func takesAway(i intent) bool {
	return directive(i) && i != switchTo && i != goBack && i != startMode || i == completeTask
}

// restructures: what changes whole projects. It is never read from what may not
// come to pass.
func restructures(i intent) bool {
	return i == renameProject || i == mergeProjects || i == archiveProject || i == deleteProject
}

// explicit: a verb or a direction leads to the project, not its name alone.
func (r *reader) explicit(c *clause) bool {
	_, ok := matchAny(c.body, "back|over|on|forward to", "<attend>", "<goverb>|<returnverb>|<resumeverb>|<talkverb>|<workverb> me|us? over|on|back|ahead? to|about|on|with|onto|into?", "now|next", "<det> * one")
	return ok
}

// plain reports whether the clause speaks to kist: an imperative or a frame that
// makes it one.
func (c *clause) plain() bool {
	return c.frame == bare || c.frame == request || c.frame == suggestion || c.frame == wish || c.frame == permission
}
