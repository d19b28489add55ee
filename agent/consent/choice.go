package consent

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Choice is a message's word on some of several proposals. Those in neither list
// wait on. Both hold indices from 0, in order.
type Choice struct {
	Take []int // approved
	Drop []int // rejected
	// Named: some were chosen by their words, not by their place.
	Named bool
}

// ChoiceOf reads a whole message as a choice among proposals, which are named by their
// reasons, in the order in which they wait: "only the first two", "all but the second",
// "the van and the tape, not the electrician", "skip number 3". Like [Read] it is
// fixed in code and says false at the first word that it doesn't know: what runs must
// have been named. "Only" and "all but" also drop the rest.
func ChoiceOf(text string, reasons []string) (Choice, bool) {
	if len(reasons) < 2 || len(text) > 200 || strings.Contains(text, "?") || Read(text) != Other {
		return Choice{}, false
	}
	c := choosing{reasons: reasons, state: make([]verdict, len(reasons))}
	words := choiceWords(text)
	for len(words) > 0 {
		n := c.step(words)
		if n == 0 {
			return Choice{}, false
		}
		words = words[n:]
	}
	return c.choice()
}

type verdict int

const (
	unsaid verdict = iota
	taken
	dropped
)

// A choosing goes through a message from left to right.
type choosing struct {
	reasons []string
	state   []verdict
	drops   bool // what is named now is dropped
	only    bool // what isn't named is dropped
	rest    bool // what isn't named is taken
	marked  bool // a word says that this is a choice
	agreed  bool // "go", and nothing was named since
	numbers bool // one was chosen by its place
	named   bool // the last one was chosen by its words
	byName  bool // one of them was
}

func choiceWords(text string) []string {
	text = strings.NewReplacer("’", "'", "don't", "not", "do not", "not", "leave out", "without", "except for", "except", "apart from", "except",
		"other than", "except", "anything but", "all but", "everything but", "all but", "the rest", "rest", "the others", "rest", "others", "rest").Replace(strings.ToLower(text))
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '\'' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// step reads what the next words say and returns how many they are; 0: they say
// nothing about proposals.
func (c *choosing) step(words []string) int {
	w := words[0]
	next := ""
	if len(words) > 1 {
		next = words[1]
	}
	switch {
	case w == "all" || w == "everything":
		return c.every(w, next)
	case c.passes(w):
		return 1
	case w == "rest":
		c.others()
		return 1
	case is("only", w):
		c.only, c.drops, c.marked = true, false, true
		return 1
	case is("drop", w):
		c.rest = c.rest || c.agreed // "go, but not the third"
		c.drops, c.marked = w != "but" || next == "not" || c.drops, true
		return 1
	case is("take", w):
		// "Go to the coffee shop" is no word on the shop: only what can't be a verb of its own marks.
		c.drops, c.marked, c.agreed = w == "with" && c.drops, c.marked || is("approve", w), true
		return 1
	}
	if n := c.place(words); n > 0 {
		return n
	}
	return c.name(words)
}

// every reads "all" and "everything except".
func (c *choosing) every(w, next string) int {
	c.rest = true
	if next == "except" || next == "without" || w == "all" && next == "but" {
		c.drops, c.marked = true, true
		return 2
	}
	return 1
}

// passes: a word says nothing by itself; what is dropped may be named by its verb: "don't
// delete the first".
func (c *choosing) passes(w string) bool { return is("aside", w) || c.drops && is("verb", w) }

// others reads "the rest".
func (c *choosing) others() {
	if c.drops {
		c.only = true
	} else {
		c.rest = true
	}
	c.marked = true
}

// place reads "first", "2", "2-3", "last two".
func (c *choosing) place(words []string) int {
	n := len(c.reasons)
	first, last, isRange := strings.Cut(words[0], "-")
	if from, to := ordinal(first), ordinal(last); isRange && from > 0 && to >= from && to <= n {
		c.mark(from-1, to-1)
		return 1
	}
	many := 0
	if len(words) > 1 {
		many = cardinal(words[1])
	}
	switch at := ordinal(words[0]); {
	case words[0] == "first" && many > 0 && many <= n:
		c.mark(0, many-1)
		return 2
	case words[0] == "last" && many > 0 && many <= n:
		c.mark(n-many, n-1)
		return 2
	case words[0] == "last":
		c.mark(n-1, n-1)
		return 1
	case at >= 1 && at <= n:
		c.mark(at-1, at-1)
		return 1
	}
	return 0
}

func (c *choosing) mark(from, to int) {
	for i := from; i <= to; i++ {
		if c.state[i] = taken; c.drops {
			c.state[i] = dropped
		}
	}
	c.numbers, c.agreed = true, false
}

// name reads words of one proposal alone, as many as follow each other.
func (c *choosing) name(words []string) int {
	fit := make([]int, 0, len(c.reasons))
	for i := range c.reasons {
		fit = append(fit, i)
	}
	n := 0
	for _, w := range words {
		if utf8.RuneCountInString(w) < 3 || len(fit) < len(c.reasons) && c.ends(w) {
			break
		}
		left := slices.DeleteFunc(slices.Clone(fit), func(i int) bool { return !slices.Contains(choiceWords(c.reasons[i]), w) || is("verb", w) })
		if len(left) == 0 {
			break
		}
		fit = left
		n++
	}
	if n == 0 || len(fit) != 1 {
		return 0
	}
	c.mark(fit[0], fit[0])
	c.numbers, c.named, c.byName = false, true, true
	return n
}

// ends: a word that belongs to the choice itself, not to a proposal's name.
func (c *choosing) ends(w string) bool {
	return is("joint", w)
}

func (c *choosing) choice() (Choice, bool) {
	out := Choice{Named: c.byName}
	for i, s := range c.state {
		switch {
		case s == taken, s == unsaid && c.rest && !c.only:
			out.Take = append(out.Take, i)
		case s == dropped, s == unsaid && c.only:
			out.Drop = append(out.Drop, i)
		}
	}
	said := slices.ContainsFunc(c.state, func(s verdict) bool { return s != unsaid })
	// A name alone may be about anything: "the van" is no go.
	return out, said && (c.marked || c.numbers && !c.named)
}

func ordinal(w string) int {
	for _, class := range []string{"ordinal", "erste"} {
		if i := slices.Index(lists()[class], w); i >= 0 {
			return i + 1
		}
	}
	if n := cardinal(w); n > 0 {
		return n
	}
	for _, end := range []string{"st", "nd", "rd", "th"} {
		if n, err := strconv.Atoi(strings.TrimSuffix(w, end)); err == nil && n > 0 && n < 100 {
			return n
		}
	}
	return 0
}

func cardinal(w string) int { return slices.Index(lists()["cardinal"], w) + 1 }
