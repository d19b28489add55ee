package intent

import (
	"strings"

	"kist/agent/language"
)

// Marks that stand in a text for the names of projects.
const (
	activeName = "<active>"
	otherName  = "<other>"
	eitherName = "<either>"
)

// mention is how the names of projects hit one token.
type mention struct{ active, other bool }

// mentions finds the tokens that are words of projects' names, with slips of the
// fingers and left out beginnings or ends, and counts the other projects that are hit.
func mentions(in Input, tokens []string) (hits []mention, others int) {
	hits = make([]mention, len(tokens))
	s := newSpots(tokens)
	for _, name := range in.Projects {
		active, hit := name == in.Project, false
		rest := strings.ToLower(name)
		for rest != "" {
			var word string
			word, rest = cutWord(rest)
			for _, i := range s.of(stem(word)) {
				hit = true
				hits[i].active = hits[i].active || active
				hits[i].other = hits[i].other || !active
			}
		}
		if hit && !active {
			others++
		}
	}
	return hits, others
}

// spots finds the tokens that a word of a name may stand in without comparing it with
// all of them: a slip leaves the first or the last letter as it is.
type spots struct {
	stems  []string
	byEdge [256][]int // tokens by their first and by their last letter
	found  []int
}

func newSpots(tokens []string) *spots {
	s := &spots{stems: make([]string, len(tokens))}
	for i, t := range tokens {
		if !nameable(t) {
			continue
		}
		w := stem(t)
		s.stems[i] = w
		first, last := w[0], w[len(w)-1]
		s.byEdge[first] = append(s.byEdge[first], i)
		if last != first {
			s.byEdge[last] = append(s.byEdge[last], i)
		}
	}
	return s
}

func (s *spots) of(word string) []int {
	s.found = s.found[:0]
	if len(word) < 2 {
		return nil
	}
	first, last := word[0], word[len(word)-1]
	for _, i := range s.byEdge[first] {
		if resembles(s.stems[i], word) {
			s.found = append(s.found, i)
		}
	}
	if last != first {
		for _, i := range s.byEdge[last] {
			if w := s.stems[i]; w[0] != first && resembles(w, word) {
				s.found = append(s.found, i)
			}
		}
	}
	if len(s.found) > 0 && !nameable(word) {
		return nil
	}
	return s.found
}

// cutWord takes the first word off a name.
func cutWord(name string) (word, rest string) {
	for i := range len(name) {
		switch name[i] {
		case ' ', '-', '_', '/', ',', '.', ':', '(', ')':
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// nameable words are long enough and no mere joints of a name.
func nameable(w string) bool { return len(w) > 1 && !class("joint", w) }

// resembles reports whether somebody who wrote got may have meant the word of a name.
func resembles(got, word string) bool {
	switch {
	case got == word:
		return true
	case len(word) >= 6 && len(got) >= 5 && language.OneApart(got, word):
		return true
	}
	return len(got) >= 4 && len(word) > len(got)+2 && (strings.HasPrefix(word, got) || strings.HasSuffix(word, got))
}

// stem takes off what shows whose or how many.
func stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	if len(w) > 4 {
		w = strings.TrimSuffix(w, "s")
	}
	return w
}
