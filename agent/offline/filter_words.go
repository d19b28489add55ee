package offline

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
)

// filter/en.txt holds the words of questions for a list of tasks.
//
//go:embed filter/en.txt
var filterText string

// A manner is how one thing is said.
type manner struct {
	kind, value string
	patterns    []string
}

type filterTable struct {
	manners []manner
	list    map[string]bool // words that narrow nothing
}

// filterWords parses filter/en.txt once; it is a constant in all but form.
var filterWords = sync.OnceValue(func() filterTable { return readManners(filterText) })

// readManners parses a table of manners.
func readManners(text string) filterTable {
	table := filterTable{list: map[string]bool{}}
	for line := range strings.SplitSeq(text, "\n") {
		head, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if head == "list" {
			for _, w := range strings.Fields(rest) {
				table.list[w] = true
			}
			continue
		}
		kind, value, _ := strings.Cut(head, " ")
		table.manners = append(table.manners, manner{kind, value, strings.Split(strings.TrimSpace(rest), ";")})
	}
	return table
}

// longest is the manner that takes most tokens at the start of toks.
func (f filterTable) longest(toks []language.Token) (m manner, n int) {
	for _, candidate := range f.manners {
		if candidate.kind == "verb" || candidate.kind == "level" && !f.near(toks, "prio") {
			continue
		}
		if k, ok := language.MatchAny(toks, candidate.patterns...); ok && k > n {
			m, n = candidate, k
		}
	}
	return m, n
}

// near reports whether one of the first words of toks is said in that manner.
func (f filterTable) near(toks []language.Token, kind string) bool {
	for i := range toks[:min(len(toks), 6)] {
		if f.is(toks[i:], kind) > 0 {
			return true
		}
	}
	return false
}

// is reports how many tokens at the start are said in that manner.
func (f filterTable) is(toks []language.Token, kind string) int {
	for _, m := range f.manners {
		if m.kind != kind {
			continue
		}
		if n, ok := language.MatchAny(toks, m.patterns...); ok {
			return n
		}
	}
	return 0
}
