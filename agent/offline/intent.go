package offline

import (
	"slices"
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
	list := clauses(text)
	list = list[:min(len(list), maxClauses)]
	for i := range list {
		m := r.understand(&list[i])
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
	best := r.bid(c)
	if best.intent == switchTo && !best.project.exact && namesFile(c) {
		best = meaning{intent: none, clause: c} // "see projects/shed/project.md": where something stands
	}
	if len(c.toks) <= maxCommand && (best.intent == none || best.intent == completeTask || c.negated && in("not", c.toks[0].norm) && best.intent == switchTo) {
		if m := r.afterComma(c); m.intent != none && m.score >= best.score-0.1 {
			return m
		}
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
	ask(r.smallTalk, r.asksHelp, r.listing, r.asksStatus, r.backing, r.switching, r.creating, r.venturing,
		r.completing, r.updating, r.shifting, r.tasking, r.noting, r.deciding, r.remembering, r.preferring, r.beyond, r.asking)
	if len(c.toks) <= maxCommand {
		ask(r.refusing, r.borrowing, r.managing, r.undoing, r.droppingTask, r.forgetting, r.relocating, r.guiding, r.measuring, r.drafting, r.pending, r.wondering, r.retitling)
	}
	return best
}

// afterComma reads on behind a comma or an "and" where the whole clause made no
// sense: "enough about plants, back to the wedding", "not the boat, the shop".
func (r *reader) afterComma(c *clause) meaning {
	for i, t := range c.toks {
		if i > 14 || !t.quoted && class("<hearsay>", t.norm) {
			break
		}
		if t.quoted || i == 0 || i+1 >= len(c.toks) || !in(",|-|:|so|and|but|then", t.norm) {
			continue
		}
		rest, ok := newClause(c.src, c.toks[i+1:], false)
		if !ok || rest.question || rest.negated {
			continue
		}
		m := r.bid(&rest)
		if !directive(m.intent) || m.score < 0.75 {
			continue
		}
		if m.intent == switchTo && !m.project.exact && !r.explicit(&rest) || t.norm != "," && m.intent != switchTo {
			continue
		}
		if meantBefore(m) {
			if told := r.told(c, c.toks[:i]); len(told) == 1 {
				m.project = reference{found: told}
			}
		}
		m.clause = c
		return m
	}
	return r.beforeComma(c)
}

// beforeComma: "sailing trip now, the rest can wait".
func (r *reader) beforeComma(c *clause) meaning {
	for i, t := range c.toks {
		if t.norm != "," && t.norm != "-" || t.quoted || i < 2 || i > 10 {
			continue
		}
		head, ok := newClause(c.src, c.toks[:i], false)
		if !ok || c.question || head.question || in("about|as|regarding|concerning|re|on", c.toks[0].norm) || head.negated || has(head.toks, "<hearsay>") {
			break
		}
		if m := r.bid(&head); m.score >= 0.75 && (m.intent == switchTo && (m.project.exact || has(head.toks, "now|please|next|first|back|to")) || m.intent == goBack && i > 2) {
			m.clause = c
			return m
		}
		break
	}
	return meaning{intent: none, clause: c}
}

// directive: what can only be meant for kist, wherever in a sentence it stands.
func directive(i intent) bool {
	switch i {
	case switchTo, goBack, renameProject, mergeProjects, archiveProject, deleteProject, deleteTask, undoLast, forgetMemory, moveMemory, startMode, abandonDraft:
		return true
	}
	return false
}

// explicit: a verb or a direction leads to the project, not its name alone.
func (r *reader) explicit(c *clause) bool {
	_, ok := matchAny(c.body, "back|over|on|forward to", "<attend>", "<goverb>|<returnverb>|<resumeverb>|<talkverb>|<workverb> me|us? over|on|back|ahead? to|about|on|with|onto|into?", "now|next")
	return ok
}

// refusing: "no switching to the boat now", "stop talking about the shop".
func (r *reader) refusing(c *clause) meaning {
	if n, ok := matchAny(c.toks, "no more? talk|talking|switching|jumping|moving|discussion|discussing|discussions|going of|about|to|on|over?", "stop|quit|avoid talking|discussing|going|switching|jumping|working|bringing back? on|about|to|up?", "i|we am|are not in the mood for", "i|we would rather not <attend>", "anything but"); ok && n < len(c.toks) {
		if ref := refer(c, c.toks[n:], r.sit.Projects); len(ref.found) > 0 {
			return meaning{intent: decline, score: 0.8, project: ref}
		}
		if head, ok := headOf(c.toks[n:]); ok {
			if ref := refer(c, head, r.sit.Projects); len(ref.found) > 0 {
				return meaning{intent: decline, score: 0.8, project: ref}
			}
		}
	}
	return meaning{}
}

// imperativeNot: "don't switch", not "I don't switch".
func imperativeNot(toks []token) bool {
	_, ok := matchAny(toks, "please? do not", "please? never", "let us not", "no need to", "i do not want you to", "you should not", "better not", "i|we do not want|need|like to")
	return ok
}

// negatable: a "don't" before these takes them back. Decisions and memories
// hold their negations within.
func negatable(i intent) bool {
	switch i {
	case none, forgetMemory, abandonDraft, addDecision, remember, addNote, consent, greet, thanks, completeTask:
		return false
	}
	return true
}

// plain reports whether the clause speaks to kist: an imperative or a frame that
// makes it one.
func (c *clause) plain() bool {
	return c.frame == bare || c.frame == request || c.frame == suggestion || c.frame == wish || c.frame == permission
}

func (r *reader) smallTalk(c *clause) meaning {
	words := 0
	for _, t := range c.all {
		if t.word {
			words++
		}
	}
	whole := c.all
	for len(whole) > 0 && (!whole[0].word || len(whole) > 1 && in("great|ok|okay|perfect|cool|good", whole[0].norm) && !whole[1].word) {
		whole = whole[1:]
	}
	if len(whole) == 0 || words > 6 {
		return meaning{}
	}
	if n, ok := matchAny(whole, "thanks|thank|bye|cheers"); ok && n < len(whole) && !whole[n].word {
		whole = slices.DeleteFunc(slices.Clone(whole), func(t token) bool { return !t.word }) // "thanks, bye"
	}
	if n, ok := matchAny(whole, "thank|thanks *? *? *? *?", "many|much|ok|okay|great|perfect|cool|good thanks|thank *? *? *?", "well done", "cheers|ta|brilliant|lovely|awesome|excellent", "much appreciated", "nice|great|good work|job|one", "that is great|perfect|all|good|helpful|it", "well done"); ok && n == len(whole) {
		return meaning{intent: thanks, score: 0.9}
	}
	if n, ok := matchAny(whole, "good morning|afternoon|evening|night|day *?", "how are you *? *?", "how is it going", "how do you do", "nice to meet you", "morning|evening|bye|goodbye|howdy|greetings *?", "hi|hello|hey|hiya there|kist|everyone?",
		"see you *?", "what is up", "good to see you *?", "there"); ok && n == len(whole) {
		return meaning{intent: greet, score: 0.9}
	}
	return meaning{}
}

func (r *reader) asksHelp(c *clause) meaning {
	if n, ok := matchAny(c.toks, "help", "help me", "i need help", "help me? please", "can you help me?"); ok && n >= len(trimMarks(c.toks)) {
		return meaning{intent: help, score: 0.9}
	}
	if _, ok := matchAny(c.toks, "what can|could you do|help", "what can i say|ask|do|type", "what are you able|capable", "how does this|it|kist work", "how do|can i use|work with", "who|what are you", "what is kist", "what do you do",
		"how do|can|would i add|create|make|switch|complete|undo|delete|rename|start|list|change|remove|see|write <det>? *? <projectword>|<taskword>|<noteword>", "how do|can i add|create|make|switch|complete|undo|delete|rename <det>? *? project|projects|task|tasks|note|notes|memory",
		"what commands can|do|are"); ok {
		return meaning{intent: help, score: 0.85}
	}
	return meaning{}
}

// beyond recognises what kist can't do here, so that it can say so.
func (r *reader) beyond(c *clause) meaning {
	if !(c.frame == bare || c.frame == request || c.frame == permission || c.frame == wish || c.frame == suggestion) || c.question {
		return meaning{}
	}
	body := c.body
	if n, ok := matchAny(body, "delete|remove|archive|rename|merge|erase|trash|destroy"); ok {
		if has(body[n:], "project|projects|task|tasks|note|notes|memory|memories|file|folder|draft|it|that|them|everything") || len(mentioned(body, r.sit.Projects)) > 0 {
			return meaning{intent: unsupported, score: 0.8, about: "restructure"}
		}
	}
	if n, ok := match(body, "<draftverb>"); ok && !c.question {
		rest := body[n:]
		if _, down := match(rest, "down"); down {
			return meaning{}
		}
		if i, e, ok := find(rest[:min(len(rest), 6)], "<texttype>"); ok && i <= 4 && e > i {
			return meaning{intent: unsupported, score: 0.85, about: "write"}
		}
		if _, ok := match(body, "summarise|summarize|translate|proofread|rephrase|paraphrase|brainstorm|rewrite"); ok {
			if len(mentioned(rest, r.sit.Projects)) == 0 || !in("summarise|summarize", body[0].norm) {
				return meaning{intent: unsupported, score: 0.7, about: "write"}
			}
		}
	}
	if c.frame != bare && c.frame != request {
		return meaning{}
	}
	if n, ok := matchAny(body, "send|email|mail|text|phone|ring|browse|google|download|play|invite|tweet", "search|look the web|internet|online", "look it|that up online", "book|order|buy|reserve"); ok && (c.frame == request || in("browse|google|play|tweet", body[0].norm) || has(body, "email|mail|web|internet|online|music")) && len(body) > n {
		return meaning{intent: unsupported, score: 0.75, about: "deed"}
	}
	if n, ok := matchAny(body, "<deedverb>|<draftverb>|do|fix|clean|cook|pick|fetch|drive"); ok && len(body) > n+2 && len(body) < 14 {
		if end := trimPhraseEnd(body); len(end) > 2 && end[len(end)-1].norm == "me" && end[len(end)-2].norm == "for" {
			return meaning{intent: unsupported, score: 0.75, about: "deed"}
		}
	}
	if _, ok := matchAny(body, "tell me a joke|story", "sing", "set a? timer|alarm", "send *? *? *? message|email|text|letter|invoice"); ok {
		return meaning{intent: unsupported, score: 0.75, about: "deed"}
	}
	return meaning{}
}
