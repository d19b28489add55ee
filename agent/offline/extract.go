package offline

import (
	"embed"
	"strings"
	"sync"

	"kist/agent/intent"
	"kist/agent/language"
)

// slots/*.txt say where the arguments of an intent stand.
//
//go:embed slots
var slotFiles embed.FS

// A lead is a line of the slot files.
type lead struct {
	language.Template
	means string // what its words mean beside their places
}

// leads are the lines of each intent. A constant in all but form.
var leads = sync.OnceValue(func() map[intent.Name][]lead {
	out := map[intent.Name][]lead{}
	text, _ := slotFiles.ReadFile("slots/en.txt") // a test reads it
	var current intent.Name
	for line := range strings.SplitSeq(string(text), "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			current = intent.Name(strings.Trim(line, "[]"))
		default:
			pattern, means, _ := strings.Cut(line, "=>")
			out[current] = append(out[current], lead{language.NewTemplate(pattern), strings.TrimSpace(means)})
		}
	}
	return out
})

// slots are the places of the line that fits a clause best.
type slots struct {
	places map[string][]language.Token
	means  string
	words  int
}

// slotsOf holds the lines of an intent against a clause, with and without what leads to
// its verb. Where no line fits, places is nil.
func (r *reader) slotsOf(c *clause, i intent.Name) slots {
	var best slots
	for _, loose := range []bool{false, true} {
		fits := func(place string, toks []language.Token) bool { return r.fits(c, place, toks, loose) }
		for _, toks := range [][]language.Token{curtailed(c.body, i), curtailed(skipOpeners(c.all), i)} {
			for _, l := range leads()[i] {
				if f, ok := l.Fill(toks, fits); ok && (best.places == nil || f.Words > best.words) {
					best = slots{f.Places, l.means, f.Words}
				}
			}
		}
		if best.places != nil {
			return best
		}
	}
	return best
}

// curtailed cuts what people say behind a command. Of a text or a name every word counts.
func curtailed(toks []language.Token, i intent.Name) []language.Token {
	if !takesText(i) && i != renameProject && i != createProject {
		return trimPhraseEnd(toks)
	}
	toks = language.TrimMarks(toks)
	for len(toks) > 1 && !toks[len(toks)-1].Quoted && language.In("please|thanks|,", toks[len(toks)-1].Norm) {
		toks = toks[:len(toks)-1]
	}
	return toks
}

// fits reports whether tokens can stand in a place. loose: a project may be meant by a
// part of its name.
func (r *reader) fits(c *clause, place string, toks []language.Token, loose bool) bool {
	switch place {
	case "source", "both", "project", "other", "place":
		return r.fitsProject(c, place, toks, loose)
	case "date", "when":
		d, ok := language.FindDate(toks, r.sit.Now)
		return ok && d.Start <= 1 && d.End == len(toks)
	case "sometime":
		return language.Has(toks, "<timeword>|<season>")
	case "level":
		return levelOf(toks) != ""
	case "proper":
		return language.In(`"|'`, toks[0].Norm) || isCapital(c.src, toks[0])
	case "name":
		return language.HasWord(toks) && !language.Class("<projectword>", toks[0].Norm)
	case "draft":
		return len(toks) <= 6 && topic(toks) != ""
	case "task", "memory":
		return len(contentWords(toks)) > 0
	case "todo", "text", "named", "about":
		return language.HasWord(toks)
	}
	return true
}

// fitsProject is fits for places that hold projects.
func (r *reader) fitsProject(c *clause, place string, toks []language.Token, loose bool) bool {
	ref := refer(c, toks, r.sit.Projects)
	switch place {
	case "source":
		_, one := ref.one()
		return one
	case "both":
		return len(r.both(c, toks)) == 2 || len(ref.found) == 2
	case "place":
		return len(contentWords(toks)) > 0 && (len(ref.found) > 0 && !ref.partial || ref.named)
	}
	aimed, a := r.aim(c, toks)
	return clearly(aimed, a) || loose && a != aimless
}

// levelOf is the priority that words name, and nothing else.
func levelOf(toks []language.Token) string {
	if level, s, e, ok := language.FindPriority(toks); ok && e == len(toks) && all(toks[:s], "a|an|as|to|with|of|the|very|more") {
		return level
	}
	if last := toks[len(toks)-1]; !last.Quoted && all(toks[:len(toks)-1], "a|an|as|to|with|of|the|very|more|priority") {
		switch last.Norm {
		case "important":
			return "high"
		case "high", "urgent", "low", "medium":
			return last.Norm
		}
	}
	return ""
}
