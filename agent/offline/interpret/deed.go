package interpret

import "kist/agent/intent"

// What was done, said in passing.

// maybeDone is how probable it must be that something was done, to look for a task whose
// words leave no doubt.
const maybeDone = 0.2

// A Deed is what a clause may say was done.
type Deed struct {
	Title string // of a task, as it was said
	P     float64
}

// Deeds are the things that a message may say were done.
func (r *Reader) Deeds(text string) []Deed {
	var out []Deed
	list := r.Clauses(text)
	for i := range list {
		c := &list[i]
		for _, reading := range r.model().Read(r.part(text, list, i)) {
			if reading.Intent != intent.CompleteTask || reading.P < maybeDone || c.Question || c.supposed || r.vetoed(c, intent.CompleteTask) != allowed {
				continue
			}
			for _, title := range r.Filled(c, intent.CompleteTask, reading.P).Titles {
				out = append(out, Deed{title, reading.P})
			}
		}
	}
	return out
}
