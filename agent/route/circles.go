package route

import "bytes"

// Of an answer that goes round, so many bytes are let through.
const (
	roundProbe = 60   // bytes that have to have come before
	roundLeast = 1200 // bytes that went round, at least
	roundTimes = 5    // and how often
	roundEvery = 256  // bytes between two looks
	roundKept  = 8 << 10
)

// circles notices a model that says the same again and again, as small ones do until their
// window is full. Lists that are alike but for their items are none.
type circles struct {
	tail  []byte // of the text, without the numbers that lines begin with
	fresh int    // bytes since the last look
	begun bool   // the line has more than its number
}

// add takes a piece of text and reports whether it goes in circles.
func (c *circles) add(piece string) bool {
	for i := range len(piece) {
		b := piece[i]
		if !c.begun && (b >= '0' && b <= '9' || b == '.' || b == ')' || b == ' ') {
			continue
		}
		c.begun = b != '\n'
		c.tail = append(c.tail, b)
		c.fresh++
	}
	if c.fresh < roundEvery {
		return false
	}
	c.fresh = 0
	c.tail = c.tail[max(0, len(c.tail)-roundKept):]
	return goesRound(c.tail)
}

// goesRound: a text ends in the same part, of whatever length, over and over. The part may
// hold its own end several times.
func goesRound(text []byte) bool {
	n := len(text)
	if n < roundLeast {
		return false
	}
	before := n - roundProbe
	for range roundProbe {
		before = bytes.LastIndex(text[:before+roundProbe-1], text[n-roundProbe:])
		if before < 0 {
			return false
		}
		part := n - roundProbe - before
		span := max(roundLeast, roundTimes*part)
		if span+part > n {
			return false
		}
		if bytes.Equal(text[n-span:], text[n-span-part:n-part]) {
			return true
		}
	}
	return false
}
