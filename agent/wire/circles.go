package wire

// When an answer goes round. What is repeated is seen by stretches of so many bytes.
const (
	stretch   = 24
	roundSeen = 3    // times a stretch was there before: then it is no news
	roundOld  = 2400 // how much may come without any news; a letter counts as much as four other bytes
	letter    = 4
	// roundKept bounds the stretches that are remembered: of a longer text the beginning is forgotten.
	roundKept = 32 << 10
)

// circles notices a model that only says again what it said, as small ones do until their
// window is full, word for word or in ever new orders. Lists that are alike but for their
// items are none, since each item is news.
type circles struct {
	last  [stretch]byte
	seen  map[[stretch]byte]uint8
	old   int  // of what came since the last news
	begun bool // the line has more than its number
}

// add takes a piece of text and reports whether it goes in circles, and how many bytes it took
// to see that. Numbers that lines begin with are no news.
func (c *circles) add(piece string) (taken int, round bool) {
	for i := range len(piece) {
		b := piece[i]
		if !c.begun && (b >= '0' && b <= '9' || b == '.' || b == ')' || b == ' ') {
			continue
		}
		c.begun = b != '\n'
		if c.take(b); c.old >= roundOld {
			return i + 1, true
		}
	}
	return len(piece), false
}

func (c *circles) take(b byte) {
	copy(c.last[:], c.last[1:])
	c.last[stretch-1] = b
	if times := c.seen[c.last]; times < roundSeen {
		if c.seen == nil || len(c.seen) >= roundKept {
			c.seen = map[[stretch]byte]uint8{}
		}
		c.seen[c.last], c.old = times+1, 0
		return
	}
	if b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80 {
		c.old += letter
	} else {
		c.old++
	}
}
