package refer

import (
	"math"
	"slices"
	"strings"

	"kist/agent/language"
	"kist/agent/model"
)

// People seldom call a project by its name: "dad's move" is what they told of when the project
// House began. Which one is meant is weighed by what each says of itself.

const (
	mostly = 0.6 // of the weight of what was said has to be a project's
	nearly = 0.8 // of the best one's share: that one may be meant as well
)

// About are the projects that words speak of which name none: those whose name, aliases and
// description have most of the words, of which one counts the more, the fewer projects have it.
func About(toks []language.Token, projects []model.Project) []model.Project {
	words := tellingWords(trimPhrase(toks))
	if len(words) == 0 {
		return nil
	}
	has, share, total := make([][]bool, len(projects)), make([]float64, len(projects)), 0.0
	for i, p := range projects {
		has[i] = hasWords(p, words)
	}
	for k := range words {
		n := 0.0
		for i := range projects {
			if has[i][k] {
				n++
			}
		}
		weight := math.Log1p(float64(len(projects)) / max(n, 1))
		total += weight
		for i := range projects {
			if has[i][k] {
				share[i] += weight
			}
		}
	}
	best := slices.Max(append(share, 0))
	if best < mostly*total {
		return nil
	}
	var found []model.Project
	for i, p := range projects {
		if share[i] >= nearly*best {
			found = append(found, p)
		}
	}
	return found
}

// tellingWords are the stems of the words of a phrase that can tell a project from others.
func tellingWords(toks []language.Token) []string {
	var out []string
	for _, t := range toks {
		w := strings.TrimSuffix(t.Norm, "'s")
		if t.Word && w != "" && !language.Light(w) && !language.Class("<generic>", w) && !language.Class("<projectword>", w) && !slices.Contains(out, language.Stem(w)) {
			out = append(out, language.Stem(w))
		}
	}
	return out
}

// hasWords tells which words a project says of itself.
func hasWords(p model.Project, words []string) []bool {
	own, has := selfOf(p), make([]bool, len(words))
	for k, w := range words {
		has[k] = own[w]
	}
	return has
}

// selfOf are the stems of what a project says of itself, read once. It isn't written to.
func selfOf(p model.Project) map[string]bool {
	text := strings.Join(append([]string{p.Name, p.Description}, p.Aliases...), "\n")
	return selves.of(text, func() map[string]bool {
		own := map[string]bool{}
		for _, t := range language.Tokenize(text) {
			if t.Word {
				own[language.Stem(t.Norm)], own[language.Base(t.Norm)] = true, true
			}
		}
		return own
	})
}

// described: two words that this project says of itself and the active one doesn't.
func (s Scope) described(words []string, p model.Project) bool {
	own, here, n := selfOf(p), map[string]bool(nil), 0
	if s.Active != nil {
		here = selfOf(*s.Active)
	}
	for _, w := range words {
		if own[w] && !here[w] {
			n++
		}
	}
	return n >= 2
}
