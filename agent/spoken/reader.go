package spoken

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"kist/agent/model"
)

// maxHeld bounds what is held back, in bytes: what is longer is no call that would be taken.
const maxHeld = 128 << 10

// A Reader reads one answer. It is used by one goroutine.
type Reader struct {
	tools  map[string]*offered
	known  func(name string) bool // there is such a tool, offered or not; nil: only those offered are known
	held   string                 // what may become a call
	more   strings.Builder        // what came since that was looked at
	tried  int                    // how much of it was looked at the last time
	ending bool                   // something may have ended since
	over   bool                   // nothing more comes

	midLine bool    // something other than blanks stands before, in this line
	prev    byte    // the last one shown
	before  [2]byte // the last two shown that are no blanks
	after   bool    // a call was just read: the rest of its line, where it is blank, is nothing
	tail    bool    // nothing was shown since one was
	inside  bool    // within a block of code that is shown, in which there may be calls
	fenced  bool    // within a block of code, which holds no calls
	region  region
	quoted  bool // within a block of code there

	calls   []model.Call
	words   bool         // more than blanks was shown
	doubt   string       // what is a call where nothing else is said, and else text
	doubted []model.Call // that it is
	cut     *model.Call  // what came of one that breaks off
	vague   bool         // what was just read names no tool that is known, in a key of many
}

// A region is where markup says that calls stand.
type region int

const (
	outside region = iota
	opened         // no call has come
	called
)

// found is what stands at the beginning of a text and isn't shown as it stands.
type found struct {
	n       int          // bytes
	calls   []model.Call // that it is
	words   string       // that are shown of it
	region  region       // that it opens
	either  bool         // it is a call where nothing else is said, and else text
	cut     *model.Call  // what came of one that breaks off
	nobodys bool         // a call that it is makes no sense as one, nor as anything else
}

// New returns a reader of an answer that may call tools. known, which may be nil, reports whether there
// is a tool of some name, though it isn't offered: a call of it is one, to be refused.
func New(tools []model.Tool, known func(name string) bool) *Reader {
	r := &Reader{known: known, tools: make(map[string]*offered, len(tools))}
	for i := range tools {
		r.tools[tools[i].Name] = &offered{tool: &tools[i]}
	}
	return r
}

// Calls are the calls that were read. Before [Reader.Flush] some may be missing.
func (r *Reader) Calls() []model.Call { return r.calls }

// Alone reports whether nothing was said beside calls.
func (r *Reader) Alone() bool { return !r.words }

// Cut is what came of a call that the answer breaks off in; nil: none.
func (r *Reader) Cut() *model.Call { return r.cut }

// Add takes a piece of text and returns what can be shown: of whole runes, wherever the text
// is cut, the same in the end.
func (r *Reader) Add(piece string) (shown string) {
	r.more.WriteString(piece)
	r.ending = r.ending || strings.ContainsAny(piece, closers)
	if n := len(r.held) + r.more.Len(); n > oftenTried && !r.over && n < 2*r.tried && !(r.ending && n-r.tried > n/64) {
		return ""
	}
	r.held += r.more.String()
	r.more.Reset()
	var show strings.Builder
	for r.held != "" && r.step(&show) {
	}
	r.tried, r.ending = len(r.held), false
	return show.String()
}

// What is long is looked at again when something may end in it, or when twice as much is there.
const (
	oftenTried = plainObject + 64 // bytes
	closers    = "})]>`\n"
)

// Flush returns what was held back when nothing more comes. A block of code that is open ends
// with it: what comes next is no part of that.
func (r *Reader) Flush() (shown string) {
	r.over = true
	shown = r.Add("")
	if r.fenced || r.inside {
		if r.prev != '\n' {
			shown += "\n"
		}
		shown += "```"
		r.fenced, r.inside = false, false
	}
	r.calls, r.doubt, r.doubted = append(r.calls, r.doubted...), "", nil
	r.over, r.held = false, ""
	return shown
}

// step reads on, and reports whether it could.
func (r *Reader) step(show *strings.Builder) bool {
	if r.after {
		if r.held = strings.TrimLeft(r.held, " \t;"); r.held != "" {
			r.held, r.after = strings.TrimPrefix(r.held, "\n"), false
		}
		return r.held != ""
	}
	if r.region != outside {
		return r.within()
	}
	if n := r.plain(); n > 0 {
		r.show(show, n)
		return true
	}
	f, err := r.look(r.held)
	if errors.Is(err, errMore) && !r.over && len(r.held) < maxHeld {
		return false
	}
	if err != nil {
		n := wordLen(r.held)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(r.held)
		}
		r.show(show, n)
		return true
	}
	r.take(show, f)
	return true
}

// take drops what was found, and shows what there is to it.
func (r *Reader) take(show *strings.Builder, f found) {
	if f.cut != nil {
		r.cut = f.cut
	}
	if f.either && r.words {
		r.show(show, f.n)
		return
	}
	if f.either {
		r.doubt, r.doubted, r.held = r.doubt+r.held[:f.n], append(r.doubted, f.calls...), r.held[f.n:]
		return
	}
	rest := r.held[f.n:]
	if f.words != "" {
		r.held = f.words
		r.show(show, len(f.words))
	}
	r.held, r.region, r.after = rest, f.region, r.after || len(f.calls) > 0
	r.called(f.calls)
	if f.words == "" && len(f.calls) > 0 {
		r.midLine, r.prev = false, 0
	}
}

func (r *Reader) called(calls []model.Call) {
	r.calls, r.tail = append(r.calls, calls...), r.tail || len(calls) > 0
}

// show shows so much of what is held, which is no call.
func (r *Reader) show(show *strings.Builder, n int) {
	text := r.held[:n]
	switch blank := strings.TrimSpace(text) == ""; {
	case r.doubt != "" && blank:
		r.doubt += text
	default:
		show.WriteString(r.doubt + text)
		r.doubt, r.doubted, r.words = "", nil, r.words || !blank
	}
	r.held, r.prev, r.tail = r.held[n:], text[n-1], false
	for _, c := range []byte(strings.TrimRight(text, " \t\r\n")) {
		if strings.IndexByte(" \t\r\n", c) < 0 {
			r.before = [2]byte{r.before[1], c}
		}
	}
	if at := strings.LastIndexByte(text, '\n'); at >= 0 {
		r.midLine, text = false, text[at+1:]
	}
	r.midLine = r.midLine || strings.Trim(text, " \t") != ""
}

// plain is how much of what is held is only text: up to where something may begin.
func (r *Reader) plain() int {
	midLine, prev := r.midLine, r.prev
	for i := 0; i < len(r.held); {
		c, n := r.held[i], 1
		switch {
		case c == '<', c == '[', c == '`' && !midLine, !r.fenced && r.begins(r.held[i:], midLine, prev):
			return i
		case c == '\n':
			midLine, prev, i = false, c, i+1
			continue
		case c == ' ' || c == '\t':
			prev, i = c, i+1
			continue
		case wordByte(c):
			n = wordLen(r.held[i:])
			if !r.fenced && !wordByte(prev) && prev != '`' && prev < utf8.RuneSelf && r.mayName(r.held[i:i+n], i+n < len(r.held) || r.over, !midLine) {
				return i
			}
		}
		i += n
		midLine, prev = true, r.held[i-1]
	}
	return len(r.held)
}

// begins reports whether something other than a name may begin with a text, outside of code.
func (r *Reader) begins(text string, midLine bool, prev byte) bool {
	switch text[0] {
	case '{':
		return true
	case '/':
		return !midLine
	}
	return !wordByte(prev) && (!midLine && stepAt(text) || addressed(text))
}

// look reads what stands at the beginning of what is held. errNot says that it is text.
func (r *Reader) look(text string) (found, error) {
	switch c := text[0]; {
	case r.fenced && c == '`':
		if strings.HasPrefix("```", text) && len(text) < 3 {
			return found{}, errMore
		}
		if strings.HasPrefix(text, "```") {
			r.fenced = false
			return found{n: 3, words: "```"}, nil
		}
		return found{}, errNot
	case r.fenced:
		return tagIn(text)
	case c == '<':
		return r.markup(text)
	case c == '[':
		return r.bracket(text)
	case c == '{':
		return r.object(text)
	case c == '`':
		return r.fence(text)
	case c == '/':
		return r.slash(text)
	case !r.midLine && stepAt(text):
		return r.acts(text)
	case addressed(text):
		return r.addressee(text)
	}
	if f, err := listBehind(text, r.over); !errors.Is(err, errNot) {
		return f, err
	}
	return r.named(text, place{line: !r.midLine})
}

// tagIn drops a tag of calls in a block of code: nobody wants to read it there either.
func tagIn(text string) (found, error) {
	for _, tag := range model.CallTags() {
		switch {
		case strings.HasPrefix(text, tag):
			return found{n: len(tag)}, nil
		case strings.HasPrefix(tag, text):
			return found{}, errMore
		}
	}
	return found{}, errNot
}

// markup reads a tag or a special token.
func (r *Reader) markup(text string) (found, error) {
	if n, err := r.result(text); err == nil && r.prev != '`' {
		r.after = true
		return found{n: n}, nil
	} else if errors.Is(err, errMore) {
		return found{}, err
	}
	m, err := markAt(text)
	if err != nil {
		if f, other := r.element(text); !errors.Is(other, errNot) {
			return f, other
		}
	}
	switch {
	case err != nil:
		return found{}, err
	case m.named:
		return r.function(text, m)
	case m.opens && r.prev == '`': // it is spoken of
		return found{n: m.n}, nil
	case m.opens:
		return found{n: m.n, region: opened}, nil
	case m.closes:
		r.after = r.tail
		return found{n: m.n}, nil
	}
	return found{}, errNot
}

// within reads on where calls stand, of which nothing is shown, and reports whether it could.
func (r *Reader) within() bool {
	rest := strings.TrimLeft(r.held, " \t\r\n")
	if rest == "" {
		return false
	}
	f, err := r.inRegion(rest)
	if errors.Is(err, errMore) && !r.over && len(rest) < maxHeld {
		return false
	}
	if err == nil {
		r.held, r.region = rest[f.n:], f.region
		r.called(f.calls)
		r.after = f.region == outside
		r.midLine, r.prev = r.midLine && r.region != outside, 0
		return true
	}
	if r.region == called { // words again
		r.region, r.after, r.midLine, r.prev = outside, true, false, 0
		return true
	}
	n := bad(rest)
	if n < 0 && !r.over && len(rest) < maxHeld {
		return false
	}
	if n < 0 {
		n = len(rest)
	}
	r.called([]model.Call{broken(rest[:n])})
	r.held, r.region = rest[n:], called
	return true
}

// inRegion reads the beginning of a text within markup.
func (r *Reader) inRegion(text string) (found, error) {
	if n, err := r.result(text); !errors.Is(err, errNot) {
		return found{n: n, region: r.region}, err
	}
	m, err := markAt(text)
	switch {
	case err == nil && m.named:
		f, err := r.function(text, m)
		f.region = called
		return f, err
	case err == nil && m.opens:
		return found{n: m.n, region: opened}, nil
	case err == nil && m.closes:
		return found{n: m.n}, nil
	case err == nil:
		return found{n: m.n, region: r.region}, nil
	case errors.Is(err, errMore):
		return found{}, err
	}
	if text[0] == '`' && (r.region == opened || r.quoted) {
		n, err := fenceLine(text, r.over)
		if n > 0 {
			r.quoted = r.region == opened
		}
		return found{n: n, region: r.region}, err
	}
	return r.callIn(text)
}

// callIn reads a call at the beginning of a text within markup.
func (r *Reader) callIn(text string) (f found, err error) {
	switch {
	case text[0] == '{' || text[0] == '[':
		if f, err = r.listed(text, r.region == opened); f.words != "" {
			err = errNot
		}
	case wordByte(text[0]):
		f, err = r.named(text, place{line: true, marked: true})
	case r.region == called && strings.IndexByte(",;)]", text[0]) >= 0:
		return found{n: 1, region: called}, nil
	default:
		return found{}, errNot
	}
	if f.region = r.region; len(f.calls) > 0 {
		f.region = called
	}
	return f, err
}

// bad is how long a text is, within markup, that makes no sense: up to the tag that ends it,
// or an empty line; less than 0: that hasn't come.
func bad(text string) int {
	for i := range len(text) {
		switch text[i] {
		case '<':
			if m, err := markAt(text[i:]); err == nil && m.closes {
				return i
			} else if errors.Is(err, errMore) {
				return -1
			}
		case '\n':
			if strings.HasPrefix(text[i:], "\n\n") {
				return i
			}
		}
	}
	return -1
}

// broken is a call of which nothing can be made, to be refused with a reason.
func broken(text string) model.Call {
	return model.Call{Name: namedIn(text), Arguments: json.RawMessage(strings.TrimSpace(text))}
}
