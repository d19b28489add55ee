package model

import (
	_ "embed"
	"hash/maphash"
	"strings"
	"sync"
	"unicode/utf8"
)

// Tokens estimates how many tokens a text is for the tokenizers in use, which all are
// trained on much English and code, and rather too many than too few. They have a token for
// each usual word, however long, so that it is words that count, not letters. What a server
// counts corrects it, where that matters.
func Tokens(text string) int {
	if len(text) < worthKeeping {
		return count(text)
	}
	key := counted{maphash.String(counts.seed, text), len(text)}
	counts.Lock()
	n, ok := counts.of[key]
	counts.Unlock()
	if ok {
		return n
	}
	n = count(text)
	counts.Lock()
	defer counts.Unlock()
	if len(counts.of) >= mostKept {
		clear(counts.of)
	}
	counts.of[key] = n
	return n
}

// What was counted before is remembered, by its hash: each step of a turn counts the same
// rules, tools and history.
var counts = struct {
	sync.Mutex
	seed maphash.Seed
	of   map[counted]int
}{seed: maphash.MakeSeed(), of: map[counted]int{}}

type counted struct {
	hash   uint64
	length int
}

const (
	worthKeeping = 200 // bytes
	mostKept     = 5000
)

func count(text string) int {
	e := estimate{tongues: tongues(), before: gluedCost}
	for len(text) > 0 {
		text = e.run(text)
	}
	e.endBlock()
	return (e.total + 99) / 100
}

// What things cost, in hundredths of a token: fitted to what four tokenizers (SmolLM2's, two
// of OpenAI's, Llama 3's) make of prose, code, licences, settings and data, tried on others.
const (
	wordCost  = 103
	longCost  = 34  // each letter from the eleventh on
	gluedCost = 21  // a word without a space before it
	capsCost  = 7   // each letter but the first of a word in capitals
	tightCost = -22 // a word behind a sign, which may be its token's beginning

	digitsCost, digitCost = 66, 51
	signCost, nextSign    = 101, 17 // punctuation, of which several in a row make one token
	lineCost, nextLine    = 46, 41
	blankCost, blanksCost = 111, 60 // a space that no word takes up; several

	// In other languages than English a word is in more pieces.
	accentCost  = 33 // each letter with an accent
	foreignPart = 30 // percent more of each word
	foreignLong = 19 // each letter from the fifth on
)

// blockWords is how many words, at most, are taken to be in one language.
const blockWords = 60

// An estimate is of a text that is read from its beginning to its end.
type estimate struct {
	tongues map[string]tongue
	total   int
	before  int // what a word costs more for what stands before it

	// Of the block that is being read, which the language decides about.
	words, cost, long, english, foreign int
}

type tongue uint8

const (
	english tongue = iota + 1
	other
)

// run reads the run that a text begins with, and returns what is behind it.
func (e *estimate) run(text string) (rest string) {
	switch c := text[0]; {
	case c == '\n':
		rest = strings.TrimLeft(text, "\n")
		n := len(text) - len(rest)
		e.total += lineCost + nextLine*(n-1)
		if n > 1 || e.words > blockWords {
			e.endBlock()
		}
	case c == ' ' || c == '\t' || c == '\r':
		rest = strings.TrimLeft(text, " \t\r")
		return e.blank(text[:len(text)-len(rest)], rest)
	case c >= '0' && c <= '9':
		rest = strings.TrimLeft(text, "0123456789")
		e.total += digitsCost + digitCost*(len(text)-len(rest))
	default:
		if n := letters(text); n > 0 {
			e.word(text[:n])
			return text[n:]
		}
		return e.signs(text)
	}
	e.before = gluedCost
	return rest
}

// blank reads spaces. One before a word or a sign costs nothing.
func (e *estimate) blank(run, rest string) string {
	e.before = gluedCost
	switch {
	case run == " " && rest != "" && rest[0] != '\n' && (rest[0] < '0' || rest[0] > '9'):
		e.before = 0
	case len(run) == 1:
		e.total += blankCost
	default:
		e.total += blanksCost
	}
	return rest
}

// signs reads what is neither letter, digit nor space, a control character too.
func (e *estimate) signs(text string) (rest string) {
	ascii := 0
	e.before = gluedCost
	for i, r := range text {
		if r == ' ' || r == '\t' || r == '\r' || r == '\n' || r >= '0' && r <= '9' || latin(r) {
			rest = text[i:]
			break
		}
		if r < 0x80 {
			ascii++
		} else {
			e.total += weight(r)
		}
	}
	if ascii > 0 {
		e.total += signCost + nextSign*(ascii-1)
		e.before = tightCost
	}
	return rest
}

// latin: a letter of the Latin alphabet, with an accent or without.
func latin(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0xC0 && r < 0x250 || r >= 0x1E00 && r < 0x1F00
}

// letters is how many bytes of letters a text begins with.
func letters(text string) int {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf {
			return i + accented(text[i:])
		} else if c|0x20 < 'a' || c|0x20 > 'z' {
			return i
		}
	}
	return len(text)
}

// accented is the same of a text that doesn't begin with ASCII.
func accented(text string) int {
	for i, r := range text {
		if !latin(r) {
			return i
		}
	}
	return len(text)
}

// word reads a word, or several that are written as one as in camelCase.
func (e *estimate) word(text string) {
	accents, bytes := 0, 0
	for bytes < len(text) {
		caps, small := 0, 0
		for bytes < len(text) {
			c := text[bytes]
			upper := c >= 'A' && c <= 'Z'
			if upper && small > 0 || !upper && caps > 1 {
				break
			}
			switch bytes++; {
			case upper:
				caps++
			case c < utf8.RuneSelf:
				small++
			case utf8.RuneStart(c): // of several bytes
				small, accents = small+1, accents+1
			}
		}
		e.part(caps, small)
		e.before = gluedCost
	}
	e.words++
	e.cost += accents * accentCost
	if accents > 0 {
		e.foreign++
		return
	}
	if len(text) > maxSmall {
		return
	}
	var lower [maxSmall]byte
	for i := range len(text) {
		lower[i] = text[i] | 0x20
	}
	switch e.tongues[string(lower[:len(text)])] {
	case english:
		e.english++
	case other:
		e.foreign++
	}
}

// maxSmall is how long the longest of the small words is that have no accent.
const maxSmall = 7

func (e *estimate) part(caps, small int) {
	e.cost += wordCost + e.before
	if small == 0 && caps > 1 {
		e.cost += capsCost * (caps - 1)
		return
	}
	n := caps + small
	e.cost += longCost * max(0, n-10)
	e.long += max(0, n-4)
}

// endBlock counts the words of a block by its language.
func (e *estimate) endBlock() {
	e.total += e.cost
	if n := e.foreign - e.english; n > 0 {
		share := min(100, 100*n*8/e.words) // one word in eight is a small one
		e.total += (e.cost*foreignPart/100 + e.long*foreignLong) * share / 100
	}
	e.words, e.cost, e.long, e.english, e.foreign = 0, 0, 0, 0, 0
}

//go:embed tongues.txt
var tonguesText string

// tongues are small words by their language.
var tongues = sync.OnceValue(func() map[string]tongue {
	known, of := map[string]tongue{}, english
	for line := range strings.Lines(tonguesText) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "#"), line == "english:":
		case line == "others:":
			of = other
		default:
			for _, w := range strings.Fields(line) {
				known[w] = of
			}
		}
	}
	return known
})

// weight is what a character that is no Latin letter adds, in hundredths of a token.
func weight(r rune) int {
	switch {
	case r < 0x250:
		return 75
	case r < 0x530:
		return 45 // Greek, Cyrillic
	case r < 0x1100:
		return 65 // Hebrew, Arabic, the scripts of India and its neighbours
	case r == utf8.RuneError:
		return 150
	case r >= 0x2000 && r < 0x2E00:
		return 110 // dashes, quotes, arrows
	case r < 0x10000:
		return 95 // Chinese, Japanese, Korean
	}
	return 220 // emoji
}

// Tokens estimates what a request costs to read, but for its instructions.
func (req Request) Tokens() int {
	n := 0
	for _, m := range req.Messages {
		n += m.Tokens()
	}
	for _, t := range req.Tools {
		n += t.Tokens()
	}
	return n
}

// around is what a server puts around each message and each tool.
const around = 6

// Tokens estimates what a message costs to read.
func (m Message) Tokens() int {
	n := around + Tokens(m.Text) + Tokens(m.Told)
	for _, c := range m.Calls {
		n += around + Tokens(c.Name) + Tokens(string(c.Arguments))
	}
	return n
}

// Tokens estimates what a tool costs to read.
func (t Tool) Tokens() int {
	return around + Tokens(t.Name) + Tokens(t.Description) + Tokens(string(t.Schema))
}
