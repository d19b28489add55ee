package apart

import (
	"slices"

	"kist/agent/language"
)

const (
	longestHeading = 20 // words ahead of the list
	mostSeveral    = 6
)

// Several are the undertakings that a message counts up: `two projects: "Wedding" and "Greyhound"`, "three
// things on my plate. 1 is the move, 2 is my driving test, 3 is the shop". rest is what stands behind them. What is
// only called things must be said to occupy somebody: "two things: milk and eggs" are none.
func Several(toks []language.Token) (things [][]language.Token, rest []language.Token, ok bool) {
	count, from := counted(toks)
	if from == 0 {
		return nil, nil, false
	}
	start := listed(toks, from)
	if start == 0 {
		return nil, nil, false
	}
	end := start
	for end < len(toks) && !ends(toks, end) {
		end++
	}
	for _, item := range items(toks[start:end]) {
		if item = language.TrimMarks(item); !isThing(item) {
			return nil, nil, false
		}
		things = append(things, language.Inner(item))
	}
	if len(things) < 2 || len(things) > mostSeveral || count > 0 && len(things) != count {
		return nil, nil, false
	}
	return things, toks[min(len(toks), end+1):], true
}

// counted finds how many there are, 0 if that isn't said, and where the words for them end; 0: nowhere.
func counted(toks []language.Token) (count, end int) {
	for i := range toks[:min(len(toks), longestHeading)] {
		n, kind := 0, i > 1 && words().Is(toks[i-1:], "kind") > 0
		if kind {
			n = language.Count(toks[i-2].Norm)
		} else if i > 0 {
			n = language.Count(toks[i-1].Norm)
		}
		if l := words().Is(toks[i:], "projects"); l > 0 {
			if s := listed(toks, i+l); language.Has(toks[i+l:max(s, i+l)], "<aux>|is|are|was|were") {
				return 0, 0 // "two projects are late, the boat and the shed"
			}
			return n, i + l
		}
		if l := words().Is(toks[i:], "matters"); l > 0 && n > 1 && (kind || occupies(toks, i+l)) {
			return n, i + l
		}
	}
	return 0, 0
}

// occupies: around the words for some things it is said that somebody has them to do with.
func occupies(toks []language.Token, end int) bool {
	for i := range toks[:min(len(toks), end+longestHeading)] {
		if i > end && toks[i].Norm == "." {
			return false
		}
		if words().Is(toks[i:], "plate") > 0 {
			return true
		}
	}
	return false
}

// listed is where the list begins: behind the first mark, or with what is quoted; 0: nowhere.
func listed(toks []language.Token, from int) int {
	for i := from; i < min(len(toks), from+longestHeading); i++ {
		switch {
		case toks[i].Quoted:
			return i
		case language.In(":|.|,|-|–|—", toks[i].Norm):
			return i + 1
		}
	}
	return 0
}

// ends: the list ends with a sentence. A number's dot ends none.
func ends(toks []language.Token, i int) bool {
	return i > 0 && language.In(".|!|?|;", toks[i].Norm) && !toks[i].Quoted && !language.IsDigits(toks[i-1].Norm)
}

// items are the parts of a list: as they are counted, as they are quoted, or between its commas.
func items(toks []language.Token) (out [][]language.Token) {
	if slices.ContainsFunc(toks, func(t language.Token) bool { return t.Quoted }) {
		return split(toks, func(i int) int {
			if toks[i].Quoted && toks[i].Word {
				return 0
			}
			return 1
		})
	}
	if list := split(toks, func(i int) int { return words().Is(toks[i:], "item") }); len(list) > 1 {
		return list
	}
	return split(toks, func(i int) int {
		if language.In(",|and|n|&|plus|und|:|-|–|—", toks[i].Norm) {
			return 1
		}
		return 0
	})
}

// split parts tokens where some of them, as many as at says, only part.
func split(toks []language.Token, at func(i int) int) (out [][]language.Token) {
	from := 0
	add := func(to int) {
		if part := toks[from:to]; language.HasWord(part) {
			out = append(out, part)
		}
	}
	for i := 0; i < len(toks); {
		n := at(i)
		if n == 0 {
			i++
			continue
		}
		add(i)
		i += n
		from = i
	}
	add(len(toks))
	return out
}

// isThing: words can be the name of an undertaking, and aren't a sentence or an order.
func isThing(toks []language.Token) bool {
	n := 0
	for _, t := range toks {
		if t.Word {
			n++
		}
	}
	switch {
	case n == 0, n > longestThing, len(language.ContentWords(toks)) == 0:
		return false
	case slices.ContainsFunc(toks, func(t language.Token) bool { return t.Quoted }):
		return true
	}
	return !language.Has(toks, "<aux>|<taskword>|<noteword>|i|we|he|she|they|it") && !language.Begins(toks, "<verb>")
}
