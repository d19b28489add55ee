package intent

import (
	"math"
	"slices"
)

// An Example is a message of the user's own with what it turned out to mean: what they
// picked from a choice, or corrected. It is a plain value to be stored; nothing of this
// package writes it anywhere.
type Example struct {
	Text     string   `json:"text"`
	Intent   Name     `json:"intent"`
	Project  string   `json:"project,omitempty"`  // the active one
	Projects []string `json:"projects,omitempty"` // those that the text names
	Waiting  bool     `json:"waiting,omitempty"`
	Asked    bool     `json:"asked,omitempty"`
	Guided   bool     `json:"guided,omitempty"`
}

// NewExample keeps of a message what is needed to recognise another like it: of the
// projects only those that it names.
func NewExample(in Input, name Name) Example {
	e := Example{Text: in.Text, Intent: name, Project: in.Project, Waiting: in.Waiting, Asked: in.Asked, Guided: in.Guided}
	tokens := words(in.Text)
	for _, p := range in.Projects {
		if hits, _ := mentions(Input{Projects: []string{p}}, tokens); slices.Contains(hits, mention{other: true}) {
			e.Projects = append(e.Projects, p)
		}
	}
	return e
}

func (e Example) input() Input {
	return Input{Text: e.Text, Project: e.Project, Projects: e.Projects, Waiting: e.Waiting, Asked: e.Asked, Guided: e.Guided}
}

// Learned is a reader that knows examples of the user's own besides what it was trained
// on. Leaving it out and using the Reader switches that off.
type Learned struct {
	*Reader
	own []neighbour
}

type neighbour struct {
	features []uint32
	intent   Name
}

// MostExamples is how many examples are used, the latest. Each is compared with every
// message.
const MostExamples = 300

// Learn returns a reader that also goes by examples, the latest last. A message like one
// of them is read as it was, the surer the more they are alike; others are read as
// before. Examples of unknown intents are left out.
func (r *Reader) Learn(examples []Example) *Learned {
	l := &Learned{Reader: r}
	for _, e := range examples[max(0, len(examples)-MostExamples):] {
		if slices.Contains(r.models.Intents.Classes, string(e.Intent)) {
			l.own = append(l.own, neighbour{Features(e.input()), e.Intent})
		}
	}
	return l
}

// How alike two messages must be before one bears on the other, and how sure the same
// message makes. Messages that share only a frame ("can we ... please") stay below.
const (
	alike     = 0.62
	surest    = 0.97
	wholeOnly = 0.9 // alike enough that the latest example counts, not the nearest
)

// Read says what a message may mean, as Reader.Read does.
func (l *Learned) Read(in Input) []Reading {
	readings := l.Reader.Read(in)
	near, similar := l.nearest(Features(in))
	if similar <= alike {
		return readings
	}
	share := surest * min(1, (similar-alike)/(wholeOnly-alike))
	for i := range readings {
		readings[i].P *= 1 - share
		if readings[i].Intent == near {
			readings[i].P += share
		}
	}
	sortReadings(readings)
	return readings
}

// nearest finds the example that is most like a message; of several that are nearly the
// same as it, the latest.
func (l *Learned) nearest(features []uint32) (Name, float64) {
	var near Name
	best := 0.0
	for _, n := range l.own {
		if s := similarity(features, n.features); min(s, wholeOnly) >= min(best, wholeOnly) {
			near, best = n.intent, s
		}
	}
	return near, best
}

// similarity is the cosine of two sorted sets: 1 for the same.
func similarity(a, b []uint32) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			both++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(both) / math.Sqrt(float64(len(a))*float64(len(b)))
}
