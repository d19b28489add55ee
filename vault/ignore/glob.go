package ignore

import "strings"

// A glob is a pattern of git's in steps.
type glob []step

type step struct {
	kind  kind
	char  byte   // of a literal
	class *class // of in
}

type kind uint8

const (
	literal kind = iota
	in           // a byte of the class
	one          // a byte other than a slash
	star         // bytes other than a slash, or none
	deep         // bytes, or none
	deepDir      // nothing, or bytes of which the last is a slash
)

// maxSteps bounds the memory of a match; no name is longer on common systems.
const maxSteps = 255

// compile returns the steps of a pattern; ok is false for one that can't match.
func compile(p string) (g glob, ok bool) {
	for i := 0; i < len(p); {
		var s step
		switch p[i] {
		case '\\':
			if i+1 == len(p) {
				return nil, false
			}
			s.char = p[i+1]
			i += 2
		case '?':
			s.kind = one
			i++
		case '[':
			s.kind = in
			if s.class, i, ok = parseClass(p, i+1); !ok {
				return nil, false
			}
		case '*':
			s.kind, i = parseStar(p, i)
		default:
			s.char = p[i]
			i++
		}
		g = append(g, s)
	}
	return g, len(g) <= maxSteps
}

// parseStar reads the stars at i and returns where they end. Two or more stand
// for folders only where they fill the place between two slashes.
func parseStar(p string, i int) (kind, int) {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	switch rest := p[end:]; {
	case end == i+1 || (i > 0 && p[i-1] != '/'):
		return star, end
	case strings.HasPrefix(rest, "/"):
		return deepDir, end + 1
	case rest == "" || strings.HasPrefix(rest, `\/`):
		return deep, end
	}
	return star, end
}

// match reports whether the whole of text fits. It follows all readings of the
// pattern at once, so that its time is at most the product of the two lengths.
func (g glob) match(text string) bool {
	// Most patterns are a star and an end like .log, which decides at once.
	for len(g) > 0 && g[len(g)-1].kind < star {
		if text == "" || !g[len(g)-1].fits(text[len(text)-1]) {
			return false
		}
		g, text = g[:len(g)-1], text[:len(text)-1]
	}
	switch {
	case len(g) == 0:
		return text == ""
	case len(g) == 1 && g[0].kind == star:
		return !strings.Contains(text, "/")
	}
	var a, b states
	now, next := &a, &b
	now.enter(g, 0)
	for i := 0; i < len(text) && now.n > 0; i++ {
		next.clear()
		for _, at := range now.list[:now.n] {
			g.take(int(at), text[i], next)
		}
		now, next = next, now
	}
	return now.has[len(g)]
}

// take adds to next where a reading that came to a step stands after a byte.
func (g glob) take(at int, c byte, next *states) {
	if at == len(g) {
		return
	}
	switch s := &g[at]; s.kind {
	default:
		if s.fits(c) {
			next.enter(g, at+1)
		}
	case star:
		if c != '/' {
			next.enter(g, at)
		}
	case deep:
		next.enter(g, at)
	case deepDir:
		next.add(at)
		if c == '/' {
			next.enter(g, at+1)
		}
	}
}

// fits reports whether a step that stands for one byte stands for c.
func (s *step) fits(c byte) bool {
	switch s.kind {
	case literal:
		return c == s.char
	case in:
		return c != '/' && s.class.has(c)
	}
	return c != '/'
}

// states are the steps that the readings of a pattern have come to.
type states struct {
	n    int
	list [maxSteps + 1]uint8
	has  [maxSteps + 1]bool
}

func (s *states) clear() {
	for _, at := range s.list[:s.n] {
		s.has[at] = false
	}
	s.n = 0
}

func (s *states) add(at int) {
	if !s.has[at] {
		s.has[at] = true
		s.list[s.n] = uint8(at)
		s.n++
	}
}

// enter adds a step, and those after it if it can stand for nothing.
func (s *states) enter(g glob, at int) {
	for s.add(at); at < len(g) && g[at].kind >= star; {
		at++
		s.add(at)
	}
}
