package model

import "unicode/utf8"

// Tokens estimates how many tokens a text is for the tokenizers in use, which all are
// trained on much English and code: within a fifth for text, and rather too many than too
// few. What a server counts corrects it, where that matters.
func Tokens(text string) int {
	n := 0 // hundredths
	before := rune(0)
	for _, r := range text {
		if r == ' ' && before == ' ' {
			n += indent
		} else {
			n += weight(r)
		}
		before = r
	}
	return (n + 99) / 100
}

// indent is what a space behind another adds: tokenizers have tokens of many spaces.
const indent = 2

// weight is what a character adds, in hundredths of a token.
func weight(r rune) int {
	switch {
	case r >= 'a' && r <= 'z':
		return 25
	case r == ' ':
		return 12
	case r >= 'A' && r <= 'Z':
		return 40
	case r >= '0' && r <= '9':
		return 90
	case r == '\n':
		return 60
	case r < 0x80:
		return 64 // punctuation, of which JSON and Markdown have much
	case r < 0x250:
		return 75 // Latin with accents, of which each word has few
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
	n := around + Tokens(m.Text)
	for _, c := range m.Calls {
		n += around + Tokens(c.Name) + Tokens(string(c.Arguments))
	}
	return n
}

// Tokens estimates what a tool costs to read.
func (t Tool) Tokens() int {
	return around + Tokens(t.Name) + Tokens(t.Description) + Tokens(string(t.Schema))
}
