package interpret

import (
	"slices"

	"kist/agent/consent"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/apart"
	"kist/agent/offline/decided"
	"kist/agent/offline/naming"
	"kist/agent/offline/refer"
	"kist/agent/passage"
)

// A Reader understands messages in a situation. What is wanted with each clause a
// trained model tells; the rest is done by rules: where a clause begins and ends, what
// can't be meant whatever the model says (veto.go), and the arguments (fill.go).
type Reader struct {
	sit     model.Situation
	Trained Trained     // nil: the one that is built in
	after   intent.Name // what the clause before means
}

// NewReader returns a reader of messages in a situation.
func NewReader(sit model.Situation, by Trained) Reader { return Reader{sit: sit, Trained: by} }

// model is the trained model.
func (r *Reader) model() Trained {
	if r.Trained != nil {
		return r.Trained
	}
	own, err := BuiltIn()
	if err != nil {
		return unread{} // nothing is understood, and everything is kept
	}
	return own
}

// Readings are the intents that the trained model sees in a text, the likeliest first.
func (r *Reader) Readings(text string) []intent.Reading { return r.model().Read(r.Input(text)) }

// Input is what the trained model is told.
func (r *Reader) Input(text string) intent.Input {
	in := intent.Input{Text: text, Waiting: len(r.sit.Aside) > 0, Asked: r.sit.Question.Kind != "", Guided: r.sit.Mode != "" && r.sit.Mode != "general"}
	if r.sit.Project != nil {
		in.Project = r.sit.Project.Name
	}
	for _, p := range r.sit.Projects {
		in.Projects = append(in.Projects, p.Name)
	}
	return in
}

// Read returns what each clause of a message means. Clauses that mean nothing to us
// stay in, as none.
func (r *Reader) Read(text string) []Meaning {
	if c := consent.Read(text); c != consent.Other {
		return []Meaning{{Intent: intent.Consent, Score: 1, Clause: &Clause{Src: text}}}
	}
	r, toks := r.prepared(text)
	list := r.clausesOf(text, toks)
	list = list[:min(len(list), maxClauses)]
	var out []Meaning
	for i := range list {
		in := r
		if i > 0 {
			in = r.behind(&list[i-1], out[i-1])
		}
		m := in.understand(&list[i], in.part(text, list, i))
		out, m = reasoned(dated(out, m))
		if i > 0 && meantBefore(m) {
			if told := r.told(&list[i-1]); len(told) == 1 {
				m.Project = refer.Reference{Found: told}
			}
		}
		if i > 0 {
			if also, ok := out[i-1].OfAnother(&list[i]); ok {
				m = also
			}
			if last := out[i-1]; m.Points && OfTasks(m.Intent) && OfTasks(last.Intent) && len(last.Titles) == 1 {
				m.Titles, m.Points = last.Titles, false // “Fish” is no task, throw that one away
			}
		}
		out = append(append(out, m), in.behindName(m)...)
	}
	return r.lastGoal(oneApart(out))
}

// prepared returns the words of a message with projects' names marked, and a reader
// that looks at the projects they may name.
func (r *Reader) prepared(text string) (*Reader, []language.Token) {
	toks := language.Tokenize(text)
	near := *r
	near.sit.Projects = r.Scope().Near(toks)
	near.Scope().MarkNames(toks)
	return &near, toks
}

// Scope is what words can refer to: the projects there are.
func (r *Reader) Scope() refer.Scope {
	return refer.Scope{Projects: r.sit.Projects, Active: r.sit.Project}
}

// archived is what words can refer to among the archived projects.
func (r *Reader) archived() refer.Scope { return refer.Scope{Projects: r.sit.Archived} }

// lastGoal keeps the last of several places to go to, and drops the active project
// where another one is named: "enough of the boat. Let's do the shop".
func (r *Reader) lastGoal(list []Meaning) []Meaning {
	last := -1
	for i, m := range list {
		if i > 0 && m.Intent == intent.Switch && list[i-1].Intent == intent.Switch && language.Begins(m.Clause.All, "and|or <det>") && len(m.Project.Found) == 1 && len(list[i-1].Project.Found) == 1 {
			list[i].two, list[i].Project.Found = true, slices.Concat(list[i-1].Project.Found, m.Project.Found) // "the boat and the shop"
		}
		if m.Intent == intent.Switch && !(r.sit.Project != nil && len(m.Project.Found) == 1 && m.Project.Found[0].Slug == r.sit.Project.Slug) {
			last = i
		}
	}
	if last < 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(m Meaning) bool {
		return m.Intent == intent.Switch && m.Score != list[last].Score
	})
}

// part is what the trained model is told of a clause: the whole message where it has but
// one.
func (r *Reader) part(text string, list []Clause, i int) intent.Input {
	in := r.Input(text)
	if len(list) == 1 || len(list[i].All) == 0 {
		return in
	}
	return in.Of(list[i].All)
}

// told returns the projects that a clause is about.
func (r *Reader) told(c *Clause) []model.Project {
	if found := refer.Mentioned(c.Toks, r.sit.Projects); len(found) > 0 {
		return found
	}
	return r.Scope().Subject(c.Src, c.Toks, false).Found
}

// behind is the reader for what follows a clause: where no project is active, "it" is the
// one that the clause told of.
func (r *Reader) behind(c *Clause, means Meaning) *Reader {
	next := *r
	next.after = means.Intent
	if told := r.told(c); r.sit.Project == nil && len(told) == 1 {
		next.sit.Project = &told[0]
	}
	return &next
}

// meantBefore: "it" stands for the project of the clause before: "the shop is
// closed, archive it".
func meantBefore(m Meaning) bool {
	switch m.Intent {
	case intent.RenameProject, intent.ArchiveProject, intent.DeleteProject, intent.MergeProjects, StartMode, intent.Completeness:
		return m.Project.Empty && !m.Project.Named && language.Has(m.Clause.Toks, "it|that|them|there") && len(m.Project.Found) == 0
	case intent.Switch:
		return len(m.Project.Found) == 0
	}
	return false
}

// A scale weighs what a clause may mean.
type scale struct {
	best   Meaning
	most   float64
	ruled  float64   // what is left to the others when a reading is ruled out
	idle   float64   // how probable it is that nothing is meant
	nearly []Meaning // probable, and not enough
	known  []Meaning // what may be said of tasks and memories, if these are there
	lacks  bool      // something is surely asked for, of which the arguments are missing
}

// understand reads one clause: the most probable reading that isn't vetoed and whose
// arguments are there.
func (r *Reader) understand(c *Clause, in intent.Input) Meaning {
	s := scale{best: Meaning{Intent: intent.None, Clause: c}, ruled: 1}
	if slices.ContainsFunc(c.Toks, func(t language.Token) bool { return len(t.Norm) > longestWord }) {
		return s.best // what no word is was pasted
	}
	if m, ok := r.plain(c); ok {
		return m
	}
	readings := ticked(c.Body, c.All, r.model().Read(in))
	for _, reading := range readings {
		if reading.P < lookedAt {
			break
		}
		if reading.Intent == intent.None {
			s.idle = reading.P
			continue
		}
		if m, ok := r.possible(c, reading, readings); ok {
			m.Told = Probable(readings, intent.None) + Probable(readings, intent.News)
			s.add(m, reading)
		} else {
			s.ruled -= reading.P // it goes to the others
			s.lacks = s.lacks || reading.P >= surely && takesAway(reading.Intent) && m.Clause != nil
		}
	}
	best := s.best
	best.Known, best.Lacks = s.known, s.lacks
	best = putDown(r, c, best)
	if best.Intent == intent.None {
		best = r.keeping(c, best, readings)
	}
	if best.Intent == intent.None && best.About == "" && len(s.nearly) > 0 && s.nearly[0].Score > s.idle {
		best.Or = s.nearly // it probably asks for something, and not surely for what
	}
	best = headed(r, c, r.asked(c, best))
	if best.Intent == intent.None && !best.idle {
		best = r.datesMoved(c, best, Probable(readings, intent.News)+Probable(readings, intent.UpdateTask))
	}
	if m, ok := r.apart(c, best); ok {
		return m
	}
	best = gone(c, best)
	if m, ok := belongsAway(r, c, best, Probable(readings, intent.MoveMemory)+Probable(readings, intent.UpdateTask)); ok {
		best.Known = append([]Meaning{m}, best.Known...)
	}
	return best
}

// nothingOpen: kist has neither asked nor proposed anything.
func (r *Reader) nothingOpen() bool {
	return len(r.sit.Aside)+len(r.sit.Waiting) == 0 && r.sit.Question.Kind == ""
}

// asked is what to look up, where nothing else is meant: to look it up does no harm.
func (r *Reader) asked(c *Clause, best Meaning) Meaning {
	idle := best.Intent == intent.None
	_, sum := passage.ReadSum(c.All)
	if idle && c.Question && (sum && !language.Has(c.All, "<taskword>") || language.Begins(c.Toks, "<wh>|wer|was|wo|wann|wie|warum|welche|welcher|wem|wen")) {
		return orElse(r.Filled(c, intent.Ask, Likely), best)
	}
	return best
}

// plain is what a clause means whose words leave no doubt.
func (r *Reader) plain(c *Clause) (Meaning, bool) {
	if m, ok := takenBackInWords(c, r.Scope(), r.archived()); ok {
		return m, true
	}
	if m, ok := r.righted(c); ok {
		return m, true
	}
	if to, ok := r.Scope().BackTo(c.Src, c.All); ok && !c.Question {
		return Meaning{Intent: intent.Switch, Score: 1, Clause: c, Project: to}, true
	}
	if m, ok := onList(r, c); ok {
		return m, true
	}
	if of, ok := apart.Place(c.All); ok && r.sit.Project == nil && !c.Question && c.Stands() {
		return Meaning{Intent: intent.CreateProject, Score: 1, Clause: c, Name: naming.Short(c.Src, of), Sure: true, Project: refer.Reference{Empty: true}}, true
	}
	return ordered(r, c)
}

// orElse is a meaning, or another one where it is none.
func orElse(m, otherwise Meaning) Meaning {
	if m.Intent == intent.None {
		return otherwise
	}
	return m
}

// possible is a reading with its arguments; false: it is vetoed, or lacks them.
func (r *Reader) possible(c *Clause, reading intent.Reading, among []intent.Reading) (Meaning, bool) {
	name := reading.Intent
	if name == intent.Decline && r.nothingOpen() && Probable(among, intent.ForgetMemory) >= evident {
		return Meaning{}, false // there is nothing to decline: "I'd rather you didn't keep that"
	}
	kind := name
	if modeOf(name) != "" {
		kind = StartMode
	}
	switch r.vetoed(c, kind) {
	case declined:
		name = intent.Decline
	case never:
		return Meaning{}, false
	}
	m := r.Filled(c, name, reading.P)
	if m.Intent == intent.DeleteTask && (m.Points || reading.P < Likely) && !language.Has(c.All, "<removing>") {
		return Meaning{}, false // no word asks for it
	}
	return m, m.Intent != intent.None || m.About != ""
}

// add weighs one more meaning.
func (s *scale) add(m Meaning, reading intent.Reading) {
	m.Score = reading.P
	least := needed(reading.Intent)
	if m.Intent == intent.AddTask && language.Begins(m.Clause.Body, "<verb>") && len(m.Clause.Body) > 2 {
		least = Choice + (least-Choice)/2 // "call the bank": it has the form as well
	}
	if m.Intent == intent.ReopenProject && reading.P >= named {
		m.Score = max(m.Score, Likely) // an archived project is named
	}
	left := max(s.ruled, 0.5)
	if acts(m.Intent) && !language.Begins(m.Clause.Body, "<verb>|<renameverb>|<ordering>|<commandverb>|<deleteverb>|<ticking>") {
		left = max(s.ruled, 0.8) // that something else is ruled out makes nobody's order of it
	}
	if m.Score >= least*left && m.Score > s.most {
		s.best, s.most = m, m.Score
	} else if m.Score >= Choice && m.Intent != intent.None && len(s.nearly) < 2 {
		s.nearly = append(s.nearly, m)
	}
	entitled := m.Change.Title == "" || language.Has(m.Clause.All, "<renameverb>|title|called|named|call|name|read|say|instead|not|no|to")
	if m.Score >= evident && (OfTasks(m.Intent) && len(m.Titles) > 0 && entitled || m.Intent == intent.ForgetMemory) {
		s.known = append(s.known, m)
	}
}

// keeping: where it is clear that something is to be kept, how is the lesser question.
func (r *Reader) keeping(c *Clause, otherwise Meaning, readings []intent.Reading) Meaning {
	if decided.Settles(c.All) && !c.Question {
		return orElse(r.Filled(c, intent.AddDecision, Likely), otherwise)
	}
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
	if m := r.Filled(c, top.Intent, sum); m.Intent != intent.None {
		return m
	}
	return otherwise
}
