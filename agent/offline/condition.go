package offline

// afterCondition drops "when I'm back," from "when I'm back, remind me to call",
// and what is only courtesy: "if nobody minds I would like to". A real condition is
// noted: what hangs on it isn't to be done now.
func (c *clause) afterCondition(toks []token) []token {
	n, ok := matchAny(toks, "<condition>", "in case", "as soon|long as", "even if|when|though")
	if !ok {
		return toks
	}
	end := 0
	for i := n; i < len(toks) && i <= 30; i++ {
		comma := toks[i].norm == "," && !toks[i].quoted && hasWord(toks[i:])
		if !comma && !courtesy(toks[:i]) {
			continue
		}
		if comma && i+1 < len(toks) && in("and|or|but", toks[i+1].norm) {
			continue // "before we go on, and I know I said so, could you ..."
		}
		if opensFrame(skipOpeners(toks[i:])) {
			end = i
			break
		}
		if comma && end == 0 {
			end = i
		}
	}
	if end == 0 {
		return toks
	}
	c.supposed = !courtesy(toks[:end]) && class("<hypothesis>", toks[0].norm) && !beforeGoing(toks)
	return skipOpeners(toks[end:])
}

// opensFrame: a request, a suggestion or a wish begins here.
func opensFrame(toks []token) bool {
	for kind, patterns := range frames() {
		if kind == request || kind == suggestion || kind == wish || kind == hoped {
			if n, ok := matchAny(toks, patterns...); ok && n < len(toks) {
				return true
			}
		}
	}
	return false
}

// courtesy: a condition that nobody means as one, "if you don't mind", "when you
// have a moment".
func courtesy(toks []token) bool {
	if _, ok := matchAny(toks, "if|when|whenever|once|as|unless|so"); !ok || len(toks) < 2 || len(toks) > 9 {
		return false
	}
	for _, t := range toks[1:] {
		if t.quoted || t.word && !class("<courteous>", t.norm) && !isFiller(t) {
			return false
		}
	}
	return true
}

// onlyCondition: a condition without what hangs on it, which follows.
func onlyCondition(toks []token) bool {
	toks = skipOpeners(toks)
	return len(toks) > 1 && !toks[0].quoted && (class("<hypothesis>", toks[0].norm) || in("in", toks[0].norm) && in("case", toks[1].norm)) && !courtesy(toks) && !beforeGoing(toks) && !has(toks, ",")
}

// beforeGoing: "before we go on with the boat" puts an order first, now; nothing
// hangs on what the conversation does next.
func beforeGoing(toks []token) bool {
	_, ok := matchAny(toks, "before i|we talk|chat|speak|go|move|carry|continue about|on", "before i|we discuss", "before i|we continue|proceed with|,", "before talking|going|moving|carrying|continuing about|on|with", "before discussing")
	return ok
}

// hangs: nothing that takes away is done on a condition, and no project is changed
// where one stands anywhere in the clause.
func (c *clause) hangs(i intent) bool {
	return restructures(i) && c.hypothetical() || takesAway(i) && c.supposed
}

// hypothetical: what the clause says hangs on something, before or behind it.
func (c *clause) hypothetical() bool {
	if c.supposed {
		return true
	}
	for i, t := range c.toks {
		if i > 0 && !t.quoted && class("<hypothesis>", t.norm) && len(c.toks)-i > 2 && !courtesy(c.toks[i:]) {
			return true
		}
	}
	return false
}
