// Package suggest finds, of names that there are, the ones that a name may mean that isn't there.
package suggest

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Near returns at most n of names that come close to what was asked for: those
// that share its words or differ by few letters, the closest first.
func Near(asked string, names []string, n int) []string {
	type candidate struct {
		name string
		cost float64
	}
	asked = strings.ToLower(first(asked, 200))
	var found []candidate
	for _, name := range names {
		if cost := distance(asked, strings.ToLower(first(name, 200))); cost <= 0.4 {
			found = append(found, candidate{name, cost})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].cost < found[j].cost })
	var out []string
	for _, c := range found[:min(n, len(found))] {
		out = append(out, c.name)
	}
	return out
}

// verbs are what other programs call what the tools here do.
func verbs() map[string][]string {
	return map[string][]string{
		"create": {"add", "new", "make", "insert"}, "delete": {"remove", "drop"}, "update": {"edit", "change", "set", "modify"},
		"complete": {"finish", "close", "done"}, "search": {"find", "query"}, "show": {"get", "view", "open"}, "remember": {"memorize", "store", "save"},
	}
}

// Tools returns up to two names of tools that may be meant: the one of the same words, as
// create_task is for add_task, else those that are written alike, else those that have most
// words in common with what was asked for, the last one above all.
func Tools(asked string, names []string) []string {
	words := func(name string) []string {
		parts := strings.FieldsFunc(strings.ToLower(first(name, 60)), func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == ' ' })
		for i, part := range parts {
			parts[i] = strings.TrimSuffix(part, "s")
			for ours, others := range verbs() {
				if slices.Contains(others, part) {
					parts[i] = ours
				}
			}
		}
		return parts
	}
	meant, best, most := words(asked), []string(nil), 0
	for _, name := range names {
		if slices.Equal(words(name), meant) {
			return []string{name}
		}
	}
	if out := Near(asked, names, 2); len(out) > 0 {
		return out
	}
	for _, name := range names {
		score := 0
		for i, part := range words(name) {
			if at := slices.Index(meant, part); at >= 0 {
				if score += 2; i > 0 && at == len(meant)-1 {
					score++
				}
			}
		}
		if score > most {
			best, most = nil, score
		}
		if score == most && score > 0 {
			best = append(best, name)
		}
	}
	slices.SortStableFunc(best, func(a, b string) int { return cmp.Compare(distance(asked, a), distance(asked, b)) })
	return best[:min(2, len(best))]
}

// distance is the share of letters that differ, less where one text holds the
// other whole.
func distance(a, b string) float64 {
	longest := max(len([]rune(a)), len([]rune(b)))
	if a == "" || longest == 0 {
		return 1
	}
	d := float64(levenshtein.ComputeDistance(a, b)) / float64(longest)
	if len(a) >= 4 && strings.Contains(b, a) || len(b) >= 4 && strings.Contains(a, b) {
		return min(d, 0.3)
	}
	return d
}

// Question asks for names, none for none.
func Question(names []string) string {
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return "did you mean " + strings.Join(quoted, " or ") + "?"
}

// first cuts a text to so many characters.
func first(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
