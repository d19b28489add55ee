package offline

import "strings"

// match reports how many tokens of toks a pattern takes from the start. Its
// elements are separated by blanks:
//
//	word     that word
//	<class>  a word of that class, see lexicon.go
//	a|b      one of these words or classes
//	*        any word
//	x?       x or nothing, the longer reading first
//	IAM      i am, or we are
//
// Adverbs that change nothing ("really", "just") are passed over, and quoted
// words match only *.
func match(toks []token, pattern string) (int, bool) {
	if strings.Contains(pattern, "IAM") {
		return matchAny(toks, strings.ReplaceAll(pattern, "IAM", "i am"), strings.ReplaceAll(pattern, "IAM", "we are"))
	}
	return matchFrom(toks, 0, strings.Fields(pattern))
}

func matchFrom(toks []token, at int, elems []string) (int, bool) {
	if len(elems) == 0 {
		return at, true
	}
	elem, optional := strings.CutSuffix(elems[0], "?")
	skipped := at
	for {
		if skipped < len(toks) && fits(toks[skipped], elem) {
			if n, ok := matchFrom(toks, skipped+1, elems[1:]); ok {
				return n, true
			}
		}
		// Nobody says more than three in a row, and long runs would cost.
		if skipped >= len(toks) || skipped-at >= 3 || !isFiller(toks[skipped]) {
			break
		}
		skipped++
	}
	if optional {
		return matchFrom(toks, at, elems[1:])
	}
	return 0, false
}

func fits(t token, elem string) bool {
	if elem == "*" {
		return t.word
	}
	if t.quoted {
		return false
	}
	for alt := range strings.SplitSeq(elem, "|") {
		if alt == t.norm || len(alt) > 2 && alt[0] == '<' && class(alt, t.norm) {
			return true
		}
	}
	return false
}

func isFiller(t token) bool { return !t.quoted && class("<filler>", t.norm) }

// matchAny returns the longest match of several patterns.
func matchAny(toks []token, patterns ...string) (int, bool) {
	best, found := 0, false
	for _, p := range patterns {
		if n, ok := match(toks, p); ok && (!found || n > best) {
			best, found = n, true
		}
	}
	return best, found
}

// find looks for a pattern anywhere and returns where it starts and ends.
func find(toks []token, patterns ...string) (start, end int, ok bool) {
	for i, t := range toks {
		if isFiller(t) {
			continue
		}
		if n, ok := matchAny(toks[i:], patterns...); ok && n > 0 {
			return i, i + n, true
		}
	}
	return 0, 0, false
}

// has reports whether a word of the list or class stands anywhere unquoted.
func has(toks []token, elem string) bool {
	for _, t := range toks {
		if fits(t, elem) {
			return true
		}
	}
	return false
}
