package ignore

import "strings"

// A class is a set of bytes.
type class [256 / 64]uint64

func (c *class) has(b byte) bool { return c[b/64]&(1<<(b%64)) != 0 }
func (c *class) add(b byte)      { c[b/64] |= 1 << (b % 64) }

// parseClass reads what follows a "[" up to its "]" and returns where that ends.
func parseClass(p string, i int) (c *class, end int, ok bool) {
	c = &class{}
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	prev := byte(0) // what a range can begin with; 0: nothing
	for first := true; ; first = false {
		if i >= len(p) {
			return nil, 0, false
		}
		ch := p[i]
		switch {
		case ch == ']' && !first:
			if negated {
				for w := range c {
					c[w] = ^c[w]
				}
			}
			return c, i + 1, true
		case ch == '-' && prev != 0 && i+1 < len(p) && p[i+1] != ']':
			if i++; p[i] == '\\' {
				i++
			}
			if i >= len(p) {
				return nil, 0, false
			}
			for b := int(prev); b <= int(p[i]); b++ {
				c.add(byte(b))
			}
			prev = 0
		case strings.HasPrefix(p[i:], "[:"):
			name, _, closed := strings.Cut(p[i+2:], "]")
			if !closed {
				return nil, 0, false
			}
			name, isName := strings.CutSuffix(name, ":")
			if !isName { // not the name of a class: a plain bracket
				c.add('[')
				prev = '['
				break
			}
			if !c.addNamed(name) {
				return nil, 0, false
			}
			i += len("[:") + len(name) + len(":")
			prev = 0
		default:
			if ch == '\\' {
				if i++; i >= len(p) {
					return nil, 0, false
				}
			}
			c.add(p[i])
			prev = p[i]
		}
		i++
	}
}

// addNamed adds the class of POSIX with that name, in ASCII.
func (c *class) addNamed(name string) bool {
	var within func(b byte) bool
	between := func(b, low, high byte) bool { return low <= b && b <= high }
	letter := func(b byte) bool { return between(b|0x20, 'a', 'z') }
	digit := func(b byte) bool { return between(b, '0', '9') }
	switch name {
	case "alnum":
		within = func(b byte) bool { return letter(b) || digit(b) }
	case "alpha":
		within = letter
	case "blank":
		within = func(b byte) bool { return b == ' ' || b == '\t' }
	case "cntrl":
		within = func(b byte) bool { return b < ' ' || b == 0x7f }
	case "digit":
		within = digit
	case "graph":
		within = func(b byte) bool { return between(b, '!', '~') }
	case "lower":
		within = func(b byte) bool { return between(b, 'a', 'z') }
	case "print":
		within = func(b byte) bool { return between(b, ' ', '~') }
	case "punct":
		within = func(b byte) bool { return between(b, '!', '~') && !letter(b) && !digit(b) }
	case "space":
		within = func(b byte) bool { return b == ' ' || between(b, '\t', '\r') }
	case "upper":
		within = func(b byte) bool { return between(b, 'A', 'Z') }
	case "xdigit":
		within = func(b byte) bool { return digit(b) || between(b|0x20, 'a', 'f') }
	default:
		return false
	}
	for b := range 256 {
		if within(byte(b)) {
			c.add(byte(b))
		}
	}
	return true
}
