package window

// A profile says what a window of some size is used for. How long an answer may be is what
// a turn lasts at worst: a small model on a slow machine says ten tokens a second, and one
// that rambles doesn't end by itself.
type profile struct {
	upTo   int // tokens of the window; 0: any
	tools  int // at most, the most needed first; 0: all
	brief  int // tokens of instructions and of what holds now
	result int // tokens of one tool's result
	answer int // tokens that are kept free for the answer
	most   int // tokens of an answer, where there is room for more
}

// profiles, the smallest first.
func profiles() []profile {
	return []profile{
		{upTo: 6 << 10, tools: 8, brief: 900, result: 340, answer: 700, most: 1000},
		{upTo: 20 << 10, tools: 24, brief: 1800, result: 1100, answer: 1200, most: 2500},
		{upTo: 0, brief: 3500, result: 4500, answer: 4000, most: 8192},
	}
}

func profileOf(size int) profile {
	all := profiles()
	for _, p := range all {
		if size <= p.upTo {
			return p
		}
	}
	return all[len(all)-1]
}

// Tools is how many tools there is room for in a window of so many tokens; 0: all.
func Tools(size int) int { return profileOf(size).tools }
