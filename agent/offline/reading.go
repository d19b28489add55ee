package offline

import (
	"slices"
	"sync"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/refer"
)

// A reader understands messages in a situation. What is wanted with each clause a
// trained model tells; the rest is done by rules: where a clause begins and ends, what
// can't be meant whatever the model says (veto.go), and the arguments (fill.go).
type reader struct {
	sit     model.Situation
	trained trained // nil: the one that is built in
}

// newReader returns a reader of messages in a situation.
func newReader(sit model.Situation, by trained) reader { return reader{sit, by} }

// trained is a model that reads intents: the one that is built in, or that with the user's
// own examples.
type trained interface {
	Read(intent.Input) []intent.Reading
	Slots(intent.Input, intent.Name, []language.Token) []intent.Slot
	Parts(in intent.Input, toks []language.Token, sentences []int) []int
}

// builtIn is the trained model. It never changes, and is loaded with the first message.
var builtIn = sync.OnceValues(intent.Load)

// model is the trained model.
func (r *reader) model() trained {
	if r.trained != nil {
		return r.trained
	}
	own, err := builtIn()
	if err != nil {
		return unread{} // nothing is understood, and everything is kept
	}
	return own
}

// unread stands for a model that can't be loaded.
type unread struct{}

func (unread) Read(intent.Input) []intent.Reading                              { return nil }
func (unread) Slots(intent.Input, intent.Name, []language.Token) []intent.Slot { return nil }
func (unread) Parts(_ intent.Input, _ []language.Token, sentences []int) []int { return sentences }

func (r *reader) readings(text string) []intent.Reading { return r.model().Read(r.input(text)) }

// input is what the trained model is told.
func (r *reader) input(text string) intent.Input {
	in := intent.Input{Text: text, Waiting: len(r.sit.Waiting) > 0, Asked: r.sit.Question.Kind != "", Guided: r.sit.Mode != "" && r.sit.Mode != "general"}
	if r.sit.Project != nil {
		in.Project = r.sit.Project.Name
	}
	for _, p := range r.sit.Projects {
		in.Projects = append(in.Projects, p.Name)
	}
	return in
}

// read returns what each clause of a message means. Clauses that mean nothing to us
// stay in, as none.
func (r *reader) read(text string) []meaning {
	if c := consent.Read(text); c != consent.Other {
		return []meaning{{intent: intent.Consent, score: 1, clause: &clause{src: text}}}
	}
	r, toks := r.prepared(text)
	list := r.clausesOf(text, toks)
	list = list[:min(len(list), maxClauses)]
	var out []meaning
	for i := range list {
		in := r
		if i > 0 {
			in = r.withTold(&list[i-1])
		}
		m := in.understand(&list[i], in.part(text, list, i))
		if i > 0 && meantBefore(m) {
			if told := r.told(&list[i-1]); len(told) == 1 {
				m.project = refer.Reference{Found: told}
			}
		}
		out = append(out, m)
	}
	return r.lastGoal(out)
}

// prepared returns the words of a message with projects' names marked, and a reader
// that looks at the projects they may name.
func (r *reader) prepared(text string) (*reader, []language.Token) {
	toks := language.Tokenize(text)
	near := *r
	near.sit.Projects = r.scope().Near(toks)
	near.scope().MarkNames(toks)
	return &near, toks
}

// scope is what words can refer to: the projects there are.
func (r *reader) scope() refer.Scope {
	return refer.Scope{Projects: r.sit.Projects, Active: r.sit.Project}
}

// archived is what words can refer to among the archived projects.
func (r *reader) archived() refer.Scope { return refer.Scope{Projects: r.sit.Archived} }

// lastGoal keeps the last of several places to go to, and drops the active project
// where another one is named: "enough of the boat. Let's do the shop".
func (r *reader) lastGoal(list []meaning) []meaning {
	last := -1
	for i, m := range list {
		if i > 0 && m.intent == intent.Switch && list[i-1].intent == intent.Switch && language.Begins(m.clause.all, "and|or <det>") && len(m.project.Found) == 1 && len(list[i-1].project.Found) == 1 {
			list[i].two, list[i].project.Found = true, slices.Concat(list[i-1].project.Found, m.project.Found) // "the boat and the shop"
		}
		if m.intent == intent.Switch && !(r.sit.Project != nil && len(m.project.Found) == 1 && m.project.Found[0].Slug == r.sit.Project.Slug) {
			last = i
		}
	}
	if last < 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(m meaning) bool {
		return m.intent == intent.Switch && m.score != list[last].score
	})
}

// part is what the trained model is told of a clause: the whole message where it has but
// one.
func (r *reader) part(text string, list []clause, i int) intent.Input {
	in := r.input(text)
	if len(list) == 1 || len(list[i].all) == 0 {
		return in
	}
	return in.Of(list[i].all)
}

// told returns the projects that a clause is about.
func (r *reader) told(c *clause) []model.Project {
	if found := refer.Mentioned(c.toks, r.sit.Projects); len(found) > 0 {
		return found
	}
	return r.scope().Subject(c.src, c.toks, false).Found
}

// withTold is the reader for what follows a clause: where no project is active, "it" is
// the one that the clause told of.
func (r *reader) withTold(c *clause) *reader {
	told := r.told(c)
	if r.sit.Project != nil || len(told) != 1 {
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
	case intent.RenameProject, intent.ArchiveProject, intent.DeleteProject, intent.MergeProjects, startMode, intent.Completeness:
		return m.project.Empty && !m.project.Named && language.Has(m.clause.toks, "it|that|them|there") && len(m.project.Found) == 0
	case intent.Switch:
		return len(m.project.Found) == 0
	}
	return false
}

// How probable a reading must be to be acted on. The model is calibrated: of readings at
// .5, half are right. What takes something away must be surer, and may cost a question
// where it is not; an answer does no harm.
const (
	likely   = 0.5
	certain  = 0.5
	harmless = 0.3
	choice   = 0.25 // enough to be one of two that are offered
	evident  = 0.15 // enough where a task is there that it is about
	surely   = 0.8
	named    = 0.1  // enough for an archived project that is named
	lookedAt = 0.04 // less isn't
)

// longestWord is longer than any that is part of a command.
const longestWord = 100

// A scale weighs what a clause may mean.
type scale struct {
	best   meaning
	most   float64
	ruled  float64   // what is left to the others when a reading is ruled out
	idle   float64   // how probable it is that nothing is meant
	nearly []meaning // probable, and not enough
	known  []meaning // what may be said of tasks and memories, if these are there
	lacks  bool      // something is surely asked for, of which the arguments are missing
}

// understand reads one clause: the most probable reading that isn't vetoed and whose
// arguments are there.
func (r *reader) understand(c *clause, in intent.Input) meaning {
	s := scale{best: meaning{intent: intent.None, clause: c}, ruled: 1}
	if slices.ContainsFunc(c.toks, func(t language.Token) bool { return len(t.Norm) > longestWord }) {
		return s.best // what no word is was pasted
	}
	readings := r.model().Read(in)
	for _, reading := range readings {
		if reading.P < lookedAt {
			break
		}
		if reading.Intent == intent.None {
			s.idle = reading.P
			continue
		}
		if m, ok := r.possible(c, reading); ok {
			m.told = probable(readings, intent.None) + probable(readings, intent.News)
			s.add(m, reading)
		} else {
			s.ruled -= reading.P // it goes to the others
			s.lacks = s.lacks || reading.P >= surely && takesAway(reading.Intent) && m.clause != nil
		}
	}
	best := s.best
	best.known, best.lacks = s.known, s.lacks
	if best.intent == intent.None {
		best = r.keeping(c, best, readings)
	}
	if best.intent == intent.None && best.about == "" && len(s.nearly) > 0 && s.nearly[0].score > s.idle {
		best.or = s.nearly // it probably asks for something, and not surely for what
	}
	if best.intent == intent.None && c.question && language.Begins(c.toks, "<wh>|wer|was|wo|wann|wie|warum|welche|welcher|wem|wen") {
		best = orElse(r.filled(c, intent.Ask, likely), best) // to look it up does no harm
	}
	if best.intent == intent.None {
		best = r.datesMoved(c, best, probable(readings, intent.News)+probable(readings, intent.UpdateTask))
	}
	if m, ok := belongsAway(r, c, best, probable(readings, intent.MoveMemory)+probable(readings, intent.UpdateTask)); ok {
		best.known = append([]meaning{m}, best.known...)
	}
	return best
}

// orElse is a meaning, or another one where it is none.
func orElse(m, otherwise meaning) meaning {
	if m.intent == intent.None {
		return otherwise
	}
	return m
}

// possible is a reading with its arguments; false: it is vetoed, or lacks them.
func (r *reader) possible(c *clause, reading intent.Reading) (meaning, bool) {
	name := reading.Intent
	kind := name
	if modeOf(name) != "" {
		kind = startMode
	}
	switch r.vetoed(c, kind) {
	case declined:
		name = intent.Decline
	case never:
		return meaning{}, false
	}
	m := r.filled(c, name, reading.P)
	return m, m.intent != intent.None || m.about != ""
}

// add weighs one more meaning.
func (s *scale) add(m meaning, reading intent.Reading) {
	m.score = reading.P
	least := needed(reading.Intent)
	if m.intent == intent.AddTask && language.Begins(m.clause.body, "<verb>") && len(m.clause.body) > 2 {
		least = choice + (least-choice)/2 // "call the bank": it has the form as well
	}
	if m.intent == intent.ReopenProject && reading.P >= named {
		m.score = max(m.score, likely) // an archived project is named
	}
	if m.score >= least*max(s.ruled, 0.5) && m.score > s.most {
		s.best, s.most = m, m.score
	} else if m.score >= choice && m.intent != intent.None && len(s.nearly) < 2 {
		s.nearly = append(s.nearly, m)
	}
	if m.score >= evident && (ofTasks(m.intent) && len(m.titles) > 0 || m.intent == intent.ForgetMemory) {
		s.known = append(s.known, m)
	}
}

// needed is how probable a reading must be to be acted on.
func needed(i intent.Name) float64 {
	switch {
	case takesAway(i) && i != intent.CompleteTask:
		return certain
	case substantial(i) && !onlyTells(i), i == intent.Greet, i == intent.Thanks:
		return likely
	}
	return harmless
}

// onlyTells: what is answered from the files, or from what kist did.
func onlyTells(i intent.Name) bool {
	return i == intent.Ask || i == intent.ListPending || i == intent.ListChanges || i == intent.OpenQuestions || i == intent.WhichProject
}

// modeOf is the guided session that an intent of the model's begins.
func modeOf(n intent.Name) string {
	switch n {
	case intent.ProjectCreate, intent.ProjectUpdate, intent.ProjectAudit, intent.ProjectForecast, intent.TaskUpdate:
		return string(n)
	}
	return ""
}

// takesAway: what changes or removes something that is there.
func takesAway(i intent.Name) bool {
	switch i {
	case intent.RenameProject, intent.MergeProjects, intent.ArchiveProject, intent.DeleteProject, intent.DeleteTask, intent.Undo, intent.ForgetMemory, intent.MoveMemory, intent.AbandonDraft, intent.CompleteTask:
		return true
	}
	return false
}

// restructures: what changes whole projects. It is never read from what may not
// come to pass.
func restructures(i intent.Name) bool {
	return i == intent.RenameProject || i == intent.MergeProjects || i == intent.ArchiveProject || i == intent.DeleteProject
}

// ofTasks: it changes tasks that are there.
func ofTasks(i intent.Name) bool {
	return i == intent.CompleteTask || i == intent.UpdateTask || i == intent.DeleteTask
}

// probable is how probable an intent is.
func probable(readings []intent.Reading, name intent.Name) float64 {
	for _, each := range readings {
		if each.Intent == name {
			return each.P
		}
	}
	return 0
}

// keeping: where it is clear that something is to be kept, how is the lesser question.
func (r *reader) keeping(c *clause, otherwise meaning, readings []intent.Reading) meaning {
	sum, top := 0.0, intent.Reading{}
	for _, each := range readings {
		if each.Intent == intent.Remember || each.Intent == intent.AddNote || each.Intent == intent.AddDecision {
			sum += each.P
			if each.P > top.P {
				top = each
			}
		}
	}
	if sum < 0.4 || r.vetoed(c, top.Intent) != allowed {
		return otherwise
	}
	if m := r.filled(c, top.Intent, sum); m.intent != intent.None {
		return m
	}
	return otherwise
}

// substantial: a greeting before a command needs no answer of its own, nor does
// "not the boat" before "the shop".
func substantial(i intent.Name) bool {
	return i != intent.None && i != intent.Greet && i != intent.Thanks && i != intent.Decline
}
