package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kist/agent/language"
	"kist/vault/pattern"
)

// A Passage is a part of a document that says something as a whole: a paragraph, or an
// item of a list with the lines that belong to it.
type Passage struct {
	Line    int
	Text    string
	Follow  []string // the list that it introduces, where it ends in a colon
	Section string   // lower case
}

var (
	itemLine = pattern.Lazy(`^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?(.*)$`)
	noteLine = pattern.Lazy(`^<!--.*-->$`)
)

// maxFollow bounds the list that a passage brings along.
const maxFollow = 10

// Read cuts lines, of which the first has that number, into passages. The front
// matter gives the title, and what is due.
func Read(lines []string, from int) (title string, out []Passage) {
	r := readAll(lines, from)
	return r.title, r.out
}

func readAll(lines []string, from int) passageReader {
	r := passageReader{from: from, leads: -1}
	for i := r.front(lines); i < len(lines); i++ {
		r.line(strings.TrimRight(lines[i], " \t"), from+i)
	}
	return r
}

// A passageReader puts the lines of a document together.
type passageReader struct {
	from    int
	title   string
	aliases []string // what the document is called besides
	section string
	out     []Passage
	leads   int  // the passage that ends in a colon and takes what follows; -1: none
	para    bool // the line before belongs to the same passage
}

// front reads the front matter and returns where the text begins.
func (r *passageReader) front(lines []string) int {
	if r.from != 1 || len(lines) == 0 || lines[0] != "---" {
		return 0
	}
	i, list := 1, false
	for ; i < len(lines) && lines[i] != "---"; i++ {
		key, value, _ := strings.Cut(lines[i], ":")
		if name, item := strings.CutPrefix(strings.TrimSpace(key), "- "); item && list {
			r.aliases = append(r.aliases, strings.Trim(name, `"' `))
			continue
		}
		list = false
		switch key {
		case "aliases", "alias":
			list = true
			for name := range strings.SplitSeq(strings.Trim(value, "[] "), ",") {
				r.aliases = append(r.aliases, strings.Trim(name, `"' `))
			}
		case "title":
			r.title = value
			r.out = append(r.out, Passage{Line: r.from + i, Text: strings.Trim(strings.TrimSpace(value), `"`)})
			r.leads = len(r.out) - 1 // it brings what it is the title of
		case "name":
			r.title = value
		case "due":
			r.out = append(r.out, Passage{Line: r.from + i, Text: lines[i]})
		}
	}
	return i
}

func (r *passageReader) line(line string, at int) {
	text := strings.TrimSpace(line)
	item := itemLine().FindStringSubmatch(line)
	switch {
	case text == "" || noteLine().MatchString(text) || text == "---" || strings.HasPrefix(text, "```"):
		r.para = false
	case strings.HasPrefix(line, "#"):
		r.section, r.para = strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#"))), false
		if len(r.out) != 1 || !strings.EqualFold(r.section, r.out[0].Text) { // but for the title once more
			r.leads = -1
		}
	case item != nil && item[2] != "":
		r.item(item[2], at)
	case r.para:
		r.more(text)
	default:
		if r.leads >= 0 && len(r.out[r.leads].Follow) == 0 {
			r.out[r.leads].Follow = append(r.out[r.leads].Follow, text) // a block, not a list
		}
		r.leads = -1
		r.begin(text, at)
	}
}

// begin begins a passage.
func (r *passageReader) begin(text string, at int) {
	r.out = append(r.out, Passage{Line: at, Text: text, Section: r.section})
	r.para = true
	if r.leads < 0 && strings.HasSuffix(text, ":") {
		r.leads = len(r.out) - 1
	}
}

// item begins a passage that may also follow a colon.
func (r *passageReader) item(text string, at int) {
	if r.leads >= 0 && len(r.out[r.leads].Follow) < maxFollow {
		r.out[r.leads].Follow = append(r.out[r.leads].Follow, text)
	}
	r.begin(text, at)
}

// more adds a line to the passage at hand.
func (r *passageReader) more(text string) {
	last := len(r.out) - 1
	if r.leads >= 0 && r.leads < last && len(r.out[r.leads].Follow) > 0 {
		f := r.out[r.leads].Follow
		f[len(f)-1] += " " + text
	}
	r.out[last].Text += " " + text
	switch colon := strings.HasSuffix(text, ":"); {
	case r.leads == last && !colon:
		r.leads = -1
	case r.leads < 0 && colon:
		r.leads = last
	}
}

// Longest is how much of a passage is quoted, in characters.
const Longest = 320

// Sentences cuts a text behind the marks that end a sentence. What goes on in small
// letters is none, unless who wrote it began so, nor what stands behind a single number:
// "chapter 5. The bridge".
func Sentences(text string) []string {
	var out []string
	start, small := 0, beginsSmall(text)
	for i := 0; i+1 < len(text); i++ {
		if !strings.ContainsRune(".!?", rune(text[i])) || text[i+1] != ' ' {
			continue
		}
		word := text[start:i]
		word = word[strings.LastIndexByte(word, ' ')+1:]
		if text[i] == '.' && (len(word) <= 2 && language.IsDigits(word) && !behindDigit(text[start:i-len(word)]) || !language.EndsSentence(text, i)) || !small && beginsSmall(text[i+2:]) {
			continue
		}
		out = append(out, text[start:i+1])
		start = i + 2
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// behindDigit: a number goes on, as a telephone's does.
func behindDigit(before string) bool {
	before = strings.TrimRight(before, " /-")
	return before != "" && language.IsDigits(before[len(before)-1:])
}

// beginsSmall: the first letter is a small one.
func beginsSmall(text string) bool {
	text, _ = undated(text)
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}
