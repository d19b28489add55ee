package offline

import "kist/agent/intent"

// What was done, said in passing.

// maybeDone is how probable it must be that something was done, to look for a task whose
// words leave no doubt.
const maybeDone = 0.2

// A deed is what a clause may say was done.
type deed struct {
	title string // of a task, as it was said
	p     float64
}

// deeds are the things that a message may say were done.
func (r *reader) deeds(text string) []deed {
	var out []deed
	list := r.clauses(text)
	for i := range list {
		c := &list[i]
		for _, reading := range r.model().Read(r.part(text, list, i)) {
			if reading.Intent != intent.CompleteTask || reading.P < maybeDone || c.question || c.supposed || r.vetoed(c, intent.CompleteTask) != allowed {
				continue
			}
			for _, title := range r.filled(c, intent.CompleteTask, reading.P).titles {
				out = append(out, deed{title, reading.P})
			}
		}
	}
	return out
}
