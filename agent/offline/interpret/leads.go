package interpret

import (
	"embed"
	"strings"
	"sync"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/refer"
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

// questionOf holds the lines about questions against a clause, with and without what
// leads to its verb. Where no line fits, places is nil.
func (r *Reader) questionOf(c *Clause) slots {
	var best slots
	fits := func(place string, toks []language.Token) bool {
		_, one := refer.To(c.Src, toks, r.sit.Projects).One()
		return place != "source" || one
	}
	for _, toks := range [][]language.Token{trimPhraseEnd(c.Body), trimPhraseEnd(language.SkipOpeners(c.All))} {
		for _, l := range leads()[intent.Ask] {
			if f, ok := l.Fill(toks, fits); ok && (best.places == nil || f.Words > best.words) {
				best = slots{f.Places, l.means, f.Words}
			}
		}
	}
	return best
}
