package tool

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// near returns at most n of names that come close to what was asked for: those
// that share its words or differ by few letters, the closest first.
func near(asked string, names []string, n int) []string {
	type candidate struct {
		name string
		cost float64
	}
	asked = strings.ToLower(clip(asked, 200))
	var found []candidate
	for _, name := range names {
		if cost := distance(asked, strings.ToLower(clip(name, 200))); cost <= 0.4 {
			found = append(found, candidate{name, cost})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	var out []string
	for _, c := range found[:min(n, len(found))] {
		out = append(out, c.name)
	}
	return out
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

func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return "did you mean " + strings.Join(quoted, " or ") + "?"
}

func quote(s string) string { return strconv.Quote(s) }

// clip shortens s to at most n runes.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
