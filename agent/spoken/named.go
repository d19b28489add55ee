package spoken

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"kist/agent/model"
	"kist/vault/pattern"
)

// offered is a tool on offer, with the names of its arguments once they are asked for.
type offered struct {
	tool *model.Tool
	args map[string]bool
}

func (o *offered) takes(name string) bool {
	if o.args == nil {
		var schema struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		_ = json.Unmarshal(o.tool.Schema, &schema) // one that can't be read names none
		o.args = map[string]bool{}
		for key := range schema.Properties {
			o.args[key] = true
		}
	}
	return o.args[name]
}

// A place is where a name stands.
type place struct {
	line   bool // nothing stands before it in its line
	marked bool // markup says that calls stand here
	code   bool // within a block of code
}

// spaces are what models write before the name of a tool, and a point behind it.
var spaces = []string{"functions", "functools", "default_api", "tools", "api", "multi_tool_use"}

// opensList is one of them with a list of objects directly behind it, and the beginning of that.
var (
	opensList     = pattern.Lazy(`^([a-z_]+)\[\s*\{`)
	opensListPart = pattern.Lazy(`^[a-z_]+\[\s*$`)
)

func plainName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// maxName bounds how long a tool's name is.
const maxName = 64

// mayName reports whether a word, or what has come of it, may be a tool's name with arguments
// to come.
func (r *Reader) mayName(word string, whole, line bool) bool {
	if r.tools[word] != nil || slices.Contains(spaces, word) || line && len(word) <= maxName && r.alike(word) {
		return true
	}
	if whole || len(word) > maxName {
		return false
	}
	for name := range r.tools {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return line && toolNamePart().MatchString(word) || slices.ContainsFunc(spaces, func(s string) bool { return strings.HasPrefix(s, word) })
}

// alike reports whether a word is made as names of tools are, and is one of another turn, or has its
// beginning or its end in common with one.
func (r *Reader) alike(word string) bool {
	if !toolName().MatchString(word) {
		return false
	}
	if r.known != nil && r.known(word) {
		return true
	}
	verb, thing := word[:strings.IndexByte(word, '_')], word[strings.LastIndexByte(word, '_')+1:]
	for name := range r.tools {
		if first, _, ok := strings.Cut(name, "_"); ok && (first == verb || strings.TrimSuffix(name[strings.LastIndexByte(name, '_')+1:], "s") == strings.TrimSuffix(thing, "s")) {
			return true
		}
	}
	return false
}

// toolNamePart is what has come of a name of that kind.
var toolNamePart = pattern.Lazy(`^[a-z]+(_[a-z]*)*$`)

var count = pattern.Lazy(`^:\d*`)

// listBehind reads such a word with its list to come. over: nothing comes any more.
func listBehind(text string, over bool) (found, error) {
	n := wordLen(text)
	switch {
	case !slices.Contains(spaces, text[:n]):
	case opensList().MatchString(text):
		return found{n: n, region: opened}, nil
	case !over && opensListPart().MatchString(text):
		return found{}, errMore
	}
	return found{}, errNot
}

// named reads a name with its arguments directly behind it.
func (r *Reader) named(text string, at place) (found, error) {
	j, err := r.name(text, at)
	if err != nil {
		return found{}, err
	}
	if j.name == "" {
		return found{n: j.n}, nil
	}
	if j.name == parallel {
		return r.several(text[j.n:], j.n)
	}
	gap := gapBefore(text[j.n:], at)
	r.quoted = r.quoted || at.marked && strings.Contains(text[j.n:j.n+gap], "```")
	j.n += gap
	rest := text[j.n:]
	if rest == "" || rest[0] == '<' && at.line {
		return r.behind(text, j.name, j.n, at)
	}
	switch {
	case rest[0] == '(' && gap == 0:
		if j.args, j.l, j.unnamed, j.err = arguments(rest); j.unnamed {
			j.args = json.RawMessage(rest[:j.l.at]) // to be refused, with a reason
		}
	case rest[0] == '{':
		j.args, j.l, j.err = value(rest)
	case at.marked && !r.over && (fencedPart().MatchString(rest) || squareIn().MatchString(rest)):
		return found{}, errMore
	case at.marked && j.tool == nil && strings.HasPrefix(text[j.n-gap:], "<"): // function<|...|>name
		return found{n: j.n}, nil
	default:
		j.n -= gap
		return r.apart(j, at)
	}
	return r.judge(j, at)
}

// apart reads the arguments of a tool on offer that stand further behind its name, with the marks
// or the label of some family between: they have to be its own.
func (r *Reader) apart(j judged, at place) (found, error) {
	if j.tool == nil || at.code || !strings.Contains(j.name, "_") {
		return found{}, errNot
	}
	n, marked := labelled(j.text[j.n:])
	if !marked && n >= 0 && n < len(j.text)-j.n && strings.IndexByte("\x00 \t\n", r.prev) >= 0 { // as words may end
		return found{}, errNot
	}
	if n < 0 || n == len(j.text)-j.n {
		if n < 0 || r.over {
			return found{}, errNot
		}
		return found{}, errMore
	}
	j.n += n
	j.args, j.l, j.err = value(j.text[j.n:])
	f, err := r.judge(j, place{})
	if err == nil && len(f.calls) > 0 {
		f.n += len(closing().FindString(j.text[f.n:]))
		if rest := strings.TrimLeft(j.text[f.n:], " \t\n"); !r.over && (rest == "" || closingPart().MatchString(rest)) {
			return found{}, errMore
		}
	}
	return f, err
}

var (
	closing     = pattern.Lazy(`^(?:\s*</[A-Za-z_]{1,20}>)+`)
	closingPart = pattern.Lazy(`^<(?:/[A-Za-z_]{0,20})?$`)
)

// maxGap bounds what stands between a name and its arguments, and maxLabel a label within that.
const maxGap, maxLabel = 64, 20

// labelled is how long what stands between a name and an object is: signs, tags, and in a line of
// its own a label with a colon; all of the text, where more of it may come; less than 0: there is
// something else. marked: it has a tag or a label.
func labelled(text string) (n int, marked bool) {
	g := gap{}
	for i, c := range text {
		switch {
		case i > maxGap || g.breaks(c):
			return -1, false
		case c == '{' && !g.tag:
			return i, g.marked
		}
		g.take(c)
	}
	return len(text), g.marked
}

// A gap is how far it has come.
type gap struct {
	tag, line, marked bool // within a tag; in another line than the name
	label             int  // letters of a label without its colon
}

// breaks reports whether a character can't stand there.
func (g *gap) breaks(c rune) bool {
	switch {
	case g.tag:
		return c == '\n' || c == '<'
	case c == '<':
		return g.line
	case c == '\n' || c == '{':
		return g.label > 0
	case unicode.IsLetter(c) || c == '_':
		return !g.line || g.label >= maxLabel
	}
	return unicode.IsDigit(c) || strings.ContainsRune(".,;(\"", c)
}

func (g *gap) take(c rune) {
	switch {
	case g.tag || c == '<':
		g.tag, g.marked = c != '>', true
	case c == '\n':
		g.line = true
	case c == ':' || c == '=':
		g.label, g.marked = 0, g.marked || g.label > 0
	case unicode.IsLetter(c) || c == '_' || g.label > 0:
		g.label++
	}
}

// parallel is what several calls at once go by.
const parallel = "parallel"

// several reads the calls that stand behind it, of which the name took n bytes.
func (r *Reader) several(text string, n int) (found, error) {
	if text == "" && !r.over {
		return found{}, errMore
	}
	if !strings.HasPrefix(text, "(") {
		return found{}, errNot
	}
	args, l, unnamed, err := arguments(text)
	switch {
	case errors.Is(err, errMore) && r.over:
		return found{n: n + len(text), cut: &model.Call{Name: parallel, Arguments: json.RawMessage(text)}}, nil
	case err != nil || unnamed:
		return found{}, cmp.Or(err, errNot)
	}
	if calls := r.callsIn(args, false); len(calls) > 0 {
		return found{n: n + l.at, calls: calls}, nil
	}
	return found{}, errNot
}

// name reads a name that may be a tool's, with what belongs to it. An empty one is a word that
// stands before names.
func (r *Reader) name(text string, at place) (j judged, err error) {
	n := wordLen(text)
	if n > 0 && n < len(text) && text[n] == '.' && slices.Contains(spaces, text[:n]) {
		n += 1 + wordLen(text[n+1:])
	}
	if n == len(text) && !r.over { // and mayName
		return j, errMore
	}
	j = judged{text: text, name: plainName(text[:n]), n: n}
	j.tool = r.tools[j.name]
	if at.marked && j.name == "call" && strings.HasPrefix(text[n:], ":") {
		return judged{n: n + 1}, nil
	}
	if n == 0 || j.tool == nil && !r.unknown(j.name, at) {
		return j, errNot
	}
	c := count().FindString(text[n:])
	if c != "" && n+len(c) == len(text) && !r.over {
		return j, errMore
	}
	j.n += len(c)
	return j, nil
}

// unknown reports whether a name that is no tool's may be meant as one, in its place.
func (r *Reader) unknown(name string, at place) bool {
	return at.marked && r.region == opened || name == parallel || !slices.Contains(spaces, name) && at.line && r.alike(name)
}

// judged is a name with what was read behind it.
type judged struct {
	text, name string
	tool       *offered // nil: it isn't on offer
	n          int      // where the arguments begin
	args       json.RawMessage
	l          *literal
	unnamed    bool // arguments without their names
	err        error
}

// own reports whether the arguments are the tool's.
func (j judged) own() bool {
	for _, key := range j.l.keys {
		if j.tool == nil || !j.tool.takes(key) {
			return false
		}
	}
	return len(j.l.keys) > 0
}

// byPlace reports whether it is a call for where it stands.
func (j judged) byPlace(at place) bool {
	long := j.tool == nil || strings.Contains(j.name, "_") // a short name is a word as well
	return at.marked || at.line && !at.code && (long || len(j.l.keys) == 0 && !j.unnamed)
}

// judge decides whether a name with arguments is a call: of a tool on offer where the
// arguments are its own; else where the place says so, and nothing else stands in the line.
func (r *Reader) judge(j judged, at place) (found, error) {
	own, byPlace := j.own(), j.byPlace(at)
	switch {
	case errors.Is(j.err, errMore) && !r.over:
		if own || byPlace || j.tool != nil && len(j.l.keys) == 0 && j.l.at < 200 {
			return found{}, errMore
		}
		return found{}, errNot
	case j.err != nil && !at.code && (own || at.marked || byPlace && j.tool != nil && strings.Contains(j.name, "_")):
		return r.torn(j)
	case j.err != nil || !own && !byPlace:
		return found{}, errNot
	}
	f := found{n: j.n + j.l.at, calls: []model.Call{{Name: j.name, Arguments: j.args}}}
	if own || at.marked {
		return f, nil
	}
	end, err := r.ends(j.text[f.n:])
	f.n += end
	return f, err
}

// torn is a call whose arguments are none: what is left of its line, or of the text where it
// was cut off.
func (r *Reader) torn(j judged) (found, error) {
	if errors.Is(j.err, errMore) {
		return found{n: len(j.text), cut: &model.Call{Name: j.name, Arguments: json.RawMessage(j.text[j.n:])}}, nil // nothing of it is a call yet
	}
	end := strings.IndexByte(j.text[j.n:], '\n')
	if end < 0 {
		if !r.over {
			return found{}, errMore
		}
		end = len(j.text) - j.n
	}
	line := strings.TrimRight(j.text[j.n:j.n+end], " \t;")
	if !strings.HasSuffix(line, ")") && !strings.HasSuffix(line, "}") {
		return found{}, errNot
	}
	return found{n: j.n + len(line), calls: []model.Call{{Name: j.name, Arguments: json.RawMessage(line)}}}, nil
}

// ends reports whether nothing but the end of its line stands behind a call.
func (r *Reader) ends(text string) (n int, err error) {
	rest := strings.TrimLeft(text, " \t;")
	switch {
	case rest == "" && !r.over:
		return 0, errMore
	case rest == "" || strings.IndexByte("\n\r<`]", rest[0]) >= 0:
		return len(text) - len(rest), nil
	}
	return 0, errNot
}

// gapBefore is what may stand between a name and its arguments.
func gapBefore(text string, at place) int {
	if at.marked {
		return len(between().FindString(text))
	}
	blank := len(text) - len(strings.TrimLeft(text, " \t"))
	if at.line && !at.code && strings.HasPrefix(text[blank:], "\n") && blank+1 < len(text) && text[blank+1] == '{' {
		return blank + 1
	}
	return blank
}

// behind reads on where nothing, or markup, stands behind a name.
func (r *Reader) behind(text, name string, n int, at place) (found, error) {
	rest := text[n:]
	if rest == "" {
		if r.over {
			return found{}, errNot
		}
		return found{}, errMore
	}
	if !at.marked {
		return found{}, errNot
	}
	if args, size, err := parameters(rest, r.over); err == nil {
		return found{n: n + size, calls: []model.Call{{Name: name, Arguments: args}}}, nil
	} else if errors.Is(err, errMore) {
		return found{}, err
	}
	m, err := markAt(rest)
	switch {
	case errors.Is(err, errMore):
		return found{}, err
	case err == nil && m.closes && r.tools[name] != nil:
		return found{n: n, calls: []model.Call{{Name: name, Arguments: json.RawMessage("{}")}}}, nil
	}
	return found{}, errNot
}
