// Package manner reads tables of the ways in which things are said: a line "kind value:
// pattern; pattern" each, with patterns of package language. A line "list:" holds words
// that say nothing by themselves.
package manner

import (
	"slices"
	"strings"

	"kist/agent/language"
)

// A Manner is how one thing is said.
type Manner struct {
	Kind, Value string
	Patterns    []string
}

// A Table is the manners of one data file.
type Table struct {
	Manners []Manner
	List    map[string]bool // words that say nothing by themselves
}

// Read parses a table of manners.
func Read(text string) Table {
	table := Table{List: map[string]bool{}}
	for head, rest := range language.Lists(text) {
		if head == "list" {
			for _, w := range strings.Fields(rest) {
				table.List[w] = true
			}
			continue
		}
		kind, value, _ := strings.Cut(head, " ")
		table.Manners = append(table.Manners, Manner{kind, value, strings.Split(rest, ";")})
	}
	return table
}

// Longest is the manner that takes most tokens at the start of toks.
func (f Table) Longest(toks []language.Token) (m Manner, n int) {
	for _, candidate := range f.Manners {
		if candidate.Kind == "verb" || candidate.Kind == "level" && !f.Near(toks, "prio") {
			continue
		}
		if k, ok := language.MatchAny(toks, candidate.Patterns...); ok && k > n {
			m, n = candidate, k
		}
	}
	return m, n
}

// Near reports whether one of the first words of toks is said in that manner.
func (f Table) Near(toks []language.Token, kind string) bool {
	for i := range toks[:min(len(toks), 6)] {
		if f.Is(toks[i:], kind) > 0 {
			return true
		}
	}
	return false
}

// Is reports how many tokens at the start are said in that manner.
func (f Table) Is(toks []language.Token, kind string) int {
	for _, m := range f.Manners {
		if m.Kind != kind {
			continue
		}
		if n, ok := language.MatchAny(toks, m.Patterns...); ok {
			return n
		}
	}
	return 0
}

// In reports whether something is said in that manner anywhere in toks.
func (f Table) In(toks []language.Token, kind, value string) bool {
	for _, m := range f.Manners {
		if m.Kind == kind && m.Value == value {
			if _, _, ok := language.Find(toks, m.Patterns...); ok {
				return true
			}
		}
	}
	return false
}

// Said is what the table has for one value of a kind.
func (f Table) Said(kind, value string) string {
	for _, m := range f.Manners {
		if m.Kind == kind && m.Value == value {
			return strings.Join(m.Patterns, "")
		}
	}
	return ""
}

// Under reports whether a heading is one under which such questions are answered.
func (f Table) Under(heading, kind string) bool {
	heads := strings.ReplaceAll(f.Said("heads", kind), " ", "|")
	return heads != "" && language.Has(language.Tokenize(heading), heads)
}

// Wholly: a question of some kind says nothing else.
func (f Table) Wholly(query string) bool {
	return !slices.ContainsFunc(strings.Fields(query), func(w string) bool { return !f.List[w] })
}
