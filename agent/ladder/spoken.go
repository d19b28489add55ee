package ladder

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"kist/agent/model"
)

// A spoken call is one that stands in the text. A listener passes text on and holds back
// what may become such a call, from the beginning of a line until it is known.
type listener struct {
	held    string // from the beginning of a line
	midLine bool   // what was passed on last didn't end its line
	after   bool   // a call was just read
	fenced  bool   // within a block of code, which holds no calls
	calls   []model.Call
	tools   map[string]bool // on offer
}

// maxHeld bounds what is held back, in bytes.
const maxHeld = 128 << 10

// add takes a piece of text and returns what can be shown.
func (l *listener) add(piece string) string {
	l.held += piece
	var show strings.Builder
	for l.held != "" {
		if l.after { // the rest of a call's line is nothing
			if l.held = strings.TrimLeft(l.held, " \t"); l.held == "" {
				break
			}
			l.held, l.after = strings.TrimPrefix(l.held, "\n"), false
			continue
		}
		if l.midLine {
			n, more := plainPart(l.held, l.fenced)
			show.WriteString(l.held[:n])
			if l.held = l.held[n:]; more {
				break // what is left may become a mark
			}
			if tag := tagOf(l.held); l.fenced && tag != "" {
				l.held = l.held[len(tag):] // nobody wants to read it in a block of code either
				continue
			}
			l.midLine = false
			continue
		}
		if l.fenced {
			if strings.HasPrefix("```", l.held) && len(l.held) < 3 {
				break
			}
			l.fenced, l.midLine = !strings.HasPrefix(l.held, "```"), true
			continue
		}
		n, call, known := l.look(l.held)
		if !known && len(l.held) < maxHeld {
			break
		}
		if call != nil {
			l.calls = append(l.calls, *call)
			l.held, l.after = l.held[n:], true
			continue
		}
		n = max(n, 1)
		if !known {
			n = len(l.held)
		}
		show.WriteString(l.inWords(l.held[:n]))
		l.fenced = known && ofCode(l.held) && strings.Count(l.held[:n], "```") == 1
		l.midLine = l.held[n-1] != '\n'
		l.held = l.held[n:]
	}
	return show.String()
}

// ofCode: a block begins that is in some language, and holds no calls.
func ofCode(text string) bool {
	kind, _, whole := strings.Cut(strings.TrimPrefix(text, "```"), "\n")
	return whole && strings.HasPrefix(text, "```") && !mayHoldCalls(strings.TrimSpace(kind))
}

// mayHoldCalls tells by what stands behind a fence, of which tags aren't shown.
func mayHoldCalls(kind string) bool {
	kind = strings.TrimSpace(withoutTags(kind))
	return kind == "" || kind == "json" || kind == "tool_call" || kind == "tool_code"
}

// inWords is what is shown of a text that was read and is no call: of an object that has
// words, these, without what they have of calls.
func (l *listener) inWords(text string) string {
	var o struct {
		Say *string `json:"say"`
	}
	if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &o) == nil && o.Say != nil {
		within := listener{tools: l.tools}
		text = within.add(*o.Say) + within.flush()
		l.calls = append(l.calls, within.calls...)
	}
	return withoutTags(text)
}

func withoutTags(text string) string {
	for _, tag := range tags {
		text = strings.ReplaceAll(text, tag, "")
	}
	return text
}

// tags are of calls and of nothing else, marks begin a call within a line; at its beginning
// there are more.
var (
	tags  = model.CallTags()
	marks = append(tags[:len(tags):len(tags)], `{"`)
)

// tagOf is the one that a text begins with, if any.
func tagOf(text string) string {
	for _, tag := range tags {
		if strings.HasPrefix(text, tag) {
			return tag
		}
	}
	return ""
}

// plainPart is how much of a line is text: up to its end, or to a mark. more says that
// what is behind it has to be seen first.
func plainPart(text string, fenced bool) (n int, more bool) {
	end := strings.IndexByte(text, '\n') + 1
	if end == 0 {
		end, more = len(text), true
	}
	look := marks
	if fenced {
		look = tags
	}
	for i := range end {
		for _, m := range look {
			switch {
			case strings.HasPrefix(text[i:end], m):
				return i, false
			case more && strings.HasPrefix(m, text[i:end]):
				return i, true
			}
		}
	}
	return end, more
}

// flush returns what was held when nothing more comes. What was begun as a call isn't shown.
func (l *listener) flush() string {
	var show strings.Builder
	for l.held != "" {
		held := l.held
		if _, call, _ := l.look(held + closing(held)); call != nil && opening(held) != "" && len(held) > 1 {
			l.calls = append(l.calls, *call)
			break
		}
		if attempt.MatchString(held) {
			break
		}
		// It is none: the rest of it may hold one all the same.
		_, size := utf8.DecodeRuneInString(held)
		show.WriteString(held[:size])
		l.held, l.midLine = "", held[size-1] != '\n'
		show.WriteString(l.add(held[size:]))
	}
	l.held = ""
	return show.String()
}

// attempt is what only a call has.
var attempt = regexp.MustCompile(`^(\[ACTION:|<tool_call>|<function|\s*(` + "```" + `\w*\s*)?\{\s*"(name|tool|function|action|say|call|arguments|parameters)"\s*:)`)

// openings begin what may be a call.
var openings = []string{"[ACTION:", "<tool_call>", "</tool_call>", "```", "{"}

// opening is the one that a text begins with, or may when more comes.
func opening(text string) string {
	for _, o := range openings {
		if strings.HasPrefix(text, o) || strings.HasPrefix(o, text) {
			return o
		}
	}
	return ""
}

// closing is what a text that was cut off may lack.
func closing(text string) string {
	switch {
	case strings.HasPrefix(text, "[ACTION:") && !strings.HasSuffix(strings.TrimSpace(text), "]"):
		return "]"
	case strings.HasPrefix(text, "<tool_call>") && !strings.Contains(text, "</tool_call>"):
		return "</tool_call>"
	case strings.HasPrefix(text, "```"):
		return "\n```\n"
	}
	return ""
}

// look reads the beginning of a line. It returns how long the call is that stands there,
// or the text that is none; known is false where more has to come.
func (l *listener) look(text string) (n int, call *model.Call, known bool) {
	o := opening(text)
	if o == "" {
		return 1, nil, true
	}
	if len(text) < len(o) {
		return 0, nil, false
	}
	rest := text[len(o):]
	switch o {
	case "[ACTION:":
		return l.action(text)
	case "</tool_call>": // of no call
		return len(o), nil, true
	case "<tool_call>":
		end := strings.Index(rest, "</tool_call>")
		if end < 0 {
			return 0, nil, false
		}
		return len(o) + end + len("</tool_call>"), l.asCall(rest[:end], true), true
	case "```":
		return l.fence(text)
	}
	end, whole := objectEnd(text)
	if !whole {
		return 0, nil, false
	}
	if call = l.asCall(text[:end], onlyCall(text[:end])); call == nil && !json.Valid([]byte(text[:end])) {
		return 1, nil, true // within may be a call
	}
	return end, call, true
}

// onlyCall reports whether an object has nothing that isn't of a call.
func onlyCall(object string) bool {
	var o map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &o) != nil {
		return false
	}
	calls := false
	for key, value := range o {
		switch key {
		case "name", "tool", "function", "action", "arguments", "parameters", "args":
			calls = true
		case "call":
			calls = calls || string(value) != "null"
		default:
			return false
		}
	}
	return calls
}

// action reads [ACTION: tool {arguments}].
func (l *listener) action(text string) (n int, call *model.Call, known bool) {
	head := strings.TrimLeft(text[len("[ACTION:"):], " ")
	start := len(text) - len(head)
	i := strings.IndexAny(head, "{]\n")
	if i < 0 {
		return len("[ACTION:"), nil, len(head) > 200
	}
	name := strings.Trim(strings.TrimSpace(head[:i]), "`\"':,")
	switch {
	case name == "":
		return len("[ACTION:"), nil, true
	case head[i] == '\n': // to be refused, unless nothing but the end is missing
		return start + i, &model.Call{Name: name, Arguments: json.RawMessage("{}")}, true
	case head[i] == ']':
		return start + i + 1, &model.Call{Name: name, Arguments: json.RawMessage("{}")}, true
	}
	end, whole := objectEnd(head[i:])
	if !whole {
		return 0, nil, false
	}
	at := start + i + end
	after := strings.TrimLeft(text[at:], " ")
	if after == "" {
		return 0, nil, false
	}
	if after[0] == ']' {
		at = len(text) - len(after) + 1
	}
	return at, &model.Call{Name: name, Arguments: json.RawMessage(head[i : i+end])}, true
}

// fence reads a fenced block, which may hold a call.
func (l *listener) fence(text string) (n int, call *model.Call, known bool) {
	line := strings.IndexByte(text, '\n')
	if line < 0 {
		return 0, nil, false
	}
	if !mayHoldCalls(strings.TrimSpace(text[3:line])) {
		return line + 1, nil, true
	}
	body := strings.TrimLeft(text[line+1:], " \n")
	if body == "" {
		return 0, nil, false
	}
	if body[0] != '{' {
		return line + 1, nil, true
	}
	end := strings.Index(text[line+1:], "\n```")
	if end < 0 {
		return 0, nil, false
	}
	stop := line + 1 + end + len("\n```")
	if c := l.asCall(text[line+1:line+1+end], false); c != nil {
		return stop, c, true
	}
	return stop, nil, true
}

// asCall makes a call of an object that names a tool. Where it is only an object, it has
// to name one that is on offer, or look like nothing else.
func (l *listener) asCall(text string, marked bool) *model.Call {
	var o struct {
		Name, Tool, Function, Action json.RawMessage
		Arguments, Parameters, Args  json.RawMessage
		Call                         json.RawMessage
	}
	if json.Unmarshal([]byte(strings.TrimSpace(text)), &o) != nil {
		if marked || attempt.MatchString(text) {
			return &model.Call{Name: namedIn(text), Arguments: json.RawMessage(text)} // to be refused, with a reason
		}
		return nil
	}
	if len(o.Call) > 0 && string(o.Call) != "null" {
		return l.asCall(string(o.Call), marked)
	}
	key, name := l.nameIn(o.Tool, o.Function, o.Action, o.Name)
	args, has := json.RawMessage("{}"), false
	for _, a := range []json.RawMessage{o.Arguments, o.Parameters, o.Args} {
		if len(a) > 0 {
			args, has = a, true
			break
		}
	}
	if name == "" && marked {
		name = "unknown" // to be refused, with a reason
	}
	if l.tools[name] && !has {
		args = inline(text, key)
	}
	if name == "" || !marked && !has && !l.tools[name] && (key == "name" || !toolName.MatchString(name)) {
		return nil
	}
	return &model.Call{Name: name, Arguments: args}
}

// toolName is what names of tools look like: few other things that an object calls its tool
// or function have such a one, and no reader of the answer misses those.
var toolName = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)

// nameIn is what an object names a tool with, and in which key: one on offer before any.
func (l *listener) nameIn(tool, function, action, name json.RawMessage) (key, value string) {
	for i, raw := range []json.RawMessage{tool, function, action, name} {
		var s string
		if json.Unmarshal(raw, &s) == nil && s != "" && (value == "" || l.tools[s] && !l.tools[value]) {
			key, value = []string{"tool", "function", "action", "name"}[i], s
		}
	}
	return key, value
}

// inline is what an object that names a tool in key has beside it: its arguments, of a
// model that forgot to put them into an object of their own.
func inline(object, key string) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &o) != nil {
		return json.RawMessage("{}")
	}
	for k := range o {
		if strings.EqualFold(k, key) || strings.EqualFold(k, "call") || strings.EqualFold(k, "say") {
			delete(o, k)
		}
	}
	args, err := json.Marshal(o)
	if err != nil {
		return json.RawMessage("{}") // can't be: it was JSON
	}
	return args
}

var naming = regexp.MustCompile(`"(?:name|tool|function|action)"\s*:\s*"([a-z_]+)"`)

// namedIn is the tool that a broken object seems to name.
func namedIn(text string) string {
	if m := naming.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return "unknown"
}

// objectEnd returns where the object ends that a text begins with.
func objectEnd(text string) (end int, whole bool) {
	depth, inString, escaped := 0, false, false
	for i := range len(text) {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	return 0, false
}
