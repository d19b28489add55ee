package rank

import (
	"fmt"
	"kist/index/page"
	"kist/index/store"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/vellum/levenshtein"
	"golang.org/x/text/unicode/norm"
)

// Respell returns the terms at one edit from an unknown word with the same first letter, the
// most frequent first. The word is tried as written and as a term, since a misspelt ending can
// be taken for a suffix and be cut off. Of a word of fewer letters than least only what it is with another accent
// ("cafe" and "café") will do: its other neighbours are other things, as are those of names and
// numbers, so ones with digits are left alone.
func Respell(r *store.Snapshot, word string, terms []string, least int) ([]string, error) {
	length := utf8.RuneCountInString(word)
	if length < MinAccented || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return nil, nil
	}
	n, err := newNeighbours(word, terms[:min(maxSpellings-1, len(terms))], least)
	if err != nil {
		return nil, err
	}
	near := map[string]uint64{}
	for f := range page.NumFields {
		if err := r.Accepted(f, n, func(term string) { near[term] = 0 }); err != nil {
			return nil, err
		}
	}
	if length < least {
		bare := unaccented(word)
		maps.DeleteFunc(near, func(t string, _ uint64) bool { return unaccented(t) != bare })
	}
	// Terms of deleted entries are listed too.
	for t := range near {
		n, err := r.Frequency(t)
		if err != nil {
			return nil, err
		}
		if near[t] = n; n == 0 {
			delete(near, t)
		}
	}
	return store.MostFrequent(near, maxRespellings), nil
}

const (
	// MinAccented is the length in runes of the shortest word whose accents are questioned.
	MinAccented = 3
	// maxRespellings is how many terms a word may be taken for.
	maxRespellings = 8
)

// unaccented returns a word without the marks on its letters.
func unaccented(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}

// maxSpellings is how many spellings of a word have neighbours: the word, and as the
// commonest languages have it.
const maxSpellings = 4

// neighbours is an automaton that accepts what begins with a letter and is at one
// edit at most from one of some spellings. bleve's own has one spelling and looks
// beyond the letter, so that a dictionary had to be walked once for each spelling,
// most of it in vain.
type neighbours struct {
	first     string
	spellings []*levenshtein.DFA
	states    []neighbour
	ids       map[neighbour]int // in states
}

// A neighbour is a state: how much there was of the first letter, and the state of
// each spelling's automaton.
type neighbour struct {
	first int
	in    [maxSpellings]int
}

func newNeighbours(word string, terms []string, least int) (*neighbours, error) {
	builder, err := levenshtein.NewLevenshteinAutomatonBuilder(1, true)
	if err != nil {
		return nil, fmt.Errorf("spelling: %w", err)
	}
	_, size := utf8.DecodeRuneInString(word)
	n := &neighbours{first: word[:size], ids: map[neighbour]int{}}
	var start neighbour
	for i, spelling := range append([]string{word}, terms...) {
		if i > 0 && (utf8.RuneCountInString(spelling) < least || spelling == word) {
			continue
		}
		a, err := builder.BuildDfa(spelling, 1)
		if err != nil {
			return nil, fmt.Errorf("spelling of %q: %w", spelling, err)
		}
		start.in[len(n.spellings)] = a.Start()
		n.spellings = append(n.spellings, a)
	}
	n.id(neighbour{}) // 0 is the state of no return, as it is theirs
	n.id(start)
	return n, nil
}

func (n *neighbours) id(s neighbour) int {
	id, ok := n.ids[s]
	if !ok {
		id = len(n.states)
		n.ids[s] = id
		n.states = append(n.states, s)
	}
	return id
}

// Start implements an automaton of bleve's, as the other methods do.
func (n *neighbours) Start() int { return 1 }

// CanMatch is false when all spellings are out.
func (n *neighbours) CanMatch(state int) bool { return state != 0 }

// WillAlwaysMatch is false: what goes on for long enough is no neighbour.
func (n *neighbours) WillAlwaysMatch(int) bool { return false }

// IsMatch is true at the end of a neighbour.
func (n *neighbours) IsMatch(state int) bool {
	for i, a := range n.spellings {
		if a.IsMatch(n.states[state].in[i]) {
			return true
		}
	}
	return false
}

// Accept takes a byte.
func (n *neighbours) Accept(state int, b byte) int {
	s := n.states[state]
	if s.first < len(n.first) {
		if n.first[s.first] != b {
			return 0
		}
		s.first++
	}
	alive := false
	for i, a := range n.spellings {
		if s.in[i] != 0 {
			s.in[i] = a.Accept(s.in[i], b)
			alive = alive || s.in[i] != 0
		}
	}
	if !alive {
		return 0
	}
	return n.id(s)
}
