package spoken

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"kist/agent/model"
	"kist/vault/pattern"
)

// plainObject bounds how much of an object is held back that has no key of calls' own, in bytes.
const plainObject = 2 << 10

// ownKeys are those that objects have which are calls.
var ownKeys = []string{"name", "tool", "function", "action", "tool_name", "arguments", "parameters", "args", "input", "call", "say", "tool_calls", "recipient_name", "tool_uses", "function_call"}

// aboutKeys stand beside them.
var aboutKeys = []string{"id", "type", "index", "description"}

// mayHave reports whether an object that is a call may have a key.
func (r *Reader) mayHave(key string) bool {
	if slices.Contains(ownKeys, key) || slices.Contains(aboutKeys, key) || r.tools[key] != nil {
		return true
	}
	for _, tool := range r.tools {
		if tool.takes(key) {
			return true
		}
	}
	return false
}

// attempt is what only a call has, with JSON's blanks and no others. Where nobody else has such a
// key, whatever comes behind it is one that is torn.
var attempt = pattern.Lazy(`^[ \t\r\n]*(?:\[[ \t\r\n]*)?\{[ \t\r\n]*"(?:(name|tool|function|action|say|call|arguments|parameters)"[ \t\r\n]*:|(?:tool_calls?|tool_uses|recipient_name|function_call)")`)

// object reads an object at the beginning of a text.
func (r *Reader) object(text string) (found, error) {
	if len(strings.TrimLeft(text[1:], " \t\r\n")) > 0 && strings.IndexByte(`"'}`, strings.TrimLeft(text[1:], " \t\r\n")[0]) < 0 {
		return found{}, errNot
	}
	return r.listed(text, false)
}

// bracket reads what begins with one: a list of calls, a mark, or an [ACTION: ...].
func (r *Reader) bracket(text string) (found, error) {
	if strings.HasPrefix(text, action) {
		return r.action(text)
	}
	if n, err := r.result(text); err == nil {
		r.after = true
		return found{n: n}, nil
	} else if errors.Is(err, errMore) {
		return found{}, err
	}
	if m, err := bracketed(text); err == nil {
		if m.opens {
			return found{n: m.n, region: opened}, nil
		}
		return found{n: m.n}, nil
	} else if errors.Is(err, errMore) || strings.HasPrefix(action, text) {
		return found{}, errMore
	}
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	switch {
	case rest == "":
		return found{}, errMore
	case rest[0] == '{':
		return r.listed(text, false)
	case wordByte(rest[0]):
		return r.names(text, len(text)-len(rest))
	}
	return found{}, errNot
}

// names reads [name(...), name(...)].
func (r *Reader) names(text string, at int) (found, error) {
	f := found{}
	for {
		if n := wordLen(text[at:]); !r.mayName(text[at:at+n], at+n < len(text), false) {
			return found{}, errNot
		}
		one, err := r.named(text[at:], place{code: true})
		if err != nil {
			return found{}, err
		}
		f.calls = append(f.calls, one.calls...)
		rest := strings.TrimLeft(text[at+one.n:], " \t\r\n")
		if rest == "" {
			return found{}, errMore
		}
		at = len(text) - len(rest) + 1
		switch rest[0] {
		case ']':
			f.n = at
			return f, nil
		case ',':
			rest = strings.TrimLeft(rest[1:], " \t\r\n")
			if at = len(text) - len(rest); rest == "" {
				return found{}, errMore
			}
		default:
			return found{}, errNot
		}
	}
}

// listed reads an object, or a list of them. marked: it stands where calls do.
func (r *Reader) listed(text string, marked bool) (found, error) {
	l := &literal{text: text, level: 1}
	if text[0] == '[' {
		l.level = 2
	}
	if !marked {
		l.may, l.most = r.mayHave, plainObject
	}
	raw, err := l.read()
	switch {
	case err == nil:
	case marked || !attempt().MatchString(text):
		return found{}, err
	case errors.Is(err, errMore) && r.over:
		return r.halfObject(text), nil
	case errors.Is(err, errPlain):
		return notPlain(r, text)
	case errors.Is(err, errNot):
		return r.tornObject(text)
	default:
		return found{}, err
	}
	r.vague = false
	if calls := r.callsIn(raw, marked); len(calls) > 0 {
		return found{n: l.at, calls: calls, either: r.vague}, nil
	}
	if marked && (string(raw) == "[]" || string(raw) == "{}") {
		return found{n: l.at}, nil
	}
	if marked {
		return found{n: l.at, calls: []model.Call{broken(text[:l.at])}}, nil
	}
	return r.inWords(text[:l.at], raw, l.keys)
}

// notPlain reads an object, or a list of them, that begins as a call does and has a key that none
// has: it may still be nobody's.
func notPlain(r *Reader, text string) (found, error) {
	raw, l, err := value(text)
	switch {
	case errors.Is(err, errMore) && !r.over:
		return found{}, err
	case !nobodys(r, text, l.keys, err == nil) && (err != nil || !holdsNobodys(r, text[1:l.at])):
		return found{}, errNot
	case errors.Is(err, errMore):
		return r.halfObject(text), nil
	case err != nil:
		return r.tornObject(text)
	}
	return r.inWords(text[:l.at], raw, l.keys)
}

// nobodys reports whether an object that is no call begins with what only calls have, so that
// nobody wants to read it: what stands in a tool's place there is none, or the other way round.
// keys are its own as far as they were read, and whole: these are all.
func nobodys(r *Reader, text string, keys []string, whole bool) bool {
	at := attempt().FindStringSubmatch(text)
	if at == nil {
		return false
	}
	raw, _, err := value(text[len(at[0]):])
	var name string
	named := err == nil && json.Unmarshal(raw, &name) == nil && string(raw) != "null"
	given := slices.Contains(keys, "arguments") || slices.Contains(keys, "parameters")
	switch at[1] {
	case "name": // many an object has one, which may be a short tool's, too
		return noName(r, name) && (strings.Contains(name, "_") || named && given && strings.TrimSpace(name) == "")
	case "tool", "function":
		return !named || noName(r, name) || given
	case "action", "arguments", "parameters":
		return named && noName(r, name) || !named && !(whole && hasOwn(r, keys))
	}
	return true
}

// holdsNobodys reports whether an object that is nobody's stands in a text.
func holdsNobodys(r *Reader, text string) bool {
	for i, tried := 0, 0; i < len(text); i++ {
		if text[i] != '{' || !attempt().MatchString(text[i:]) {
			continue
		}
		if tried++; tried > maxDepth {
			return true
		}
		if _, l, err := value(text[i:]); nobodys(r, text[i:], l.keys, err == nil) {
			return true
		}
	}
	return false
}

// hasOwn reports whether one of an object's keys is none of a call's.
func hasOwn(r *Reader, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return !r.mayHave(key) })
}

// noName: it is blank, or a tool's, which would have been called.
func noName(r *Reader, name string) bool {
	name = strings.TrimSpace(name)
	return name == "" || r.tools[plainName(name)] != nil
}

// halfObject is an object that breaks off: nothing of it is a call yet. Where it has words,
// these are shown.
func (r *Reader) halfObject(text string) found {
	f := found{n: len(text)}
	at, said := sayFirst().FindStringSubmatch(text), ""
	if at != nil && json.Unmarshal([]byte(strings.TrimSuffix(at[1], `\`)+`"`), &said) == nil {
		in := Reader{tools: r.tools, known: r.known}
		f.words = withoutTags(in.Add(said) + in.Flush())
	}
	if at == nil || strings.ContainsAny(text[len(at[0]):], "{[") { // more than words
		f.cut = new(broken(text))
	}
	return f
}

// sayFirst is the beginning of an object whose first string are words.
var sayFirst = pattern.Lazy(`(?s)^\s*\{\s*"say"\s*:\s*("(?:[^"\\]|\\.)*\\?)`)

// tornObject is a call that is no JSON: it goes to the end of its paragraph, or block.
func (r *Reader) tornObject(text string) (found, error) {
	end := len(text)
	for _, mark := range []string{"\n\n", "\n```"} {
		if at := strings.Index(text, mark); at >= 0 {
			end = min(end, at)
		}
	}
	if end == len(text) && !r.over {
		return found{}, errMore
	}
	if at := strings.LastIndexByte(text[:end], '}'); at >= 0 {
		end = at + 1
	}
	return found{n: end, calls: []model.Call{broken(text[:end])}}, nil
}

// inWords is what is shown of an object that is no call: where it has words, these, without
// what they have of calls. What is nobody's is a call that makes no sense; what else there is, is
// text, in which there may be more.
func (r *Reader) inWords(text string, raw json.RawMessage, keys []string) (found, error) {
	f := found{n: len(text)}
	var o struct{ Say json.RawMessage }
	switch {
	case text[0] == '{' && json.Unmarshal(raw, &o) == nil && len(o.Say) > 0:
		in := Reader{tools: r.tools, known: r.known}
		f.words = withoutTags(in.Add(strings.Join(texts(o.Say), "\n\n")) + in.Flush())
		f.calls = in.calls
	case attempt().MatchString(text) && (nobodys(r, text, keys, true) || holdsNobodys(r, text[1:])):
		f.calls, f.nobodys = []model.Call{broken(text)}, true
	case holdsNobodys(r, text[1:]):
		return found{}, errNot
	default:
		f.words = withoutTags(text)
	}
	return f, nil
}

func withoutTags(text string) string {
	for _, tag := range model.CallTags() {
		text = strings.ReplaceAll(text, tag, "")
	}
	return text
}

// callsIn are the calls that an object is, or all of a list: none where one is no call.
func (r *Reader) callsIn(raw json.RawMessage, marked bool) (out []model.Call) {
	if raw[0] != '[' {
		return r.asCalls(raw, marked)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for _, each := range list {
		calls := r.asCalls(each, marked)
		if len(calls) == 0 {
			return nil
		}
		out = append(out, calls...)
	}
	return out
}

// alone reports whether an object stands in no other one, as far as what was shown before tells.
func (r *Reader) alone() bool {
	return r.before != [2]byte{'"', ':'} && strings.IndexByte("[,{", r.before[1]) < 0
}

// Object is the call, or the calls, that a whole object {"say": words, "call": call} makes; and
// its words, where they aren't a text that was read already, but an object or a list of texts.
func (r *Reader) Object(raw json.RawMessage) (calls []model.Call, words string) {
	calls = r.asCalls(raw, false)
	var o struct {
		Say json.RawMessage `json:"say"`
	}
	if json.Unmarshal(raw, &o) != nil || len(o.Say) == 0 || o.Say[0] != '{' && o.Say[0] != '[' {
		return calls, ""
	}
	within := r.callsIn(o.Say, false)
	if len(calls) == 0 {
		calls = within
	}
	if len(within) == 0 {
		words = strings.Join(texts(o.Say), "\n\n")
	}
	return calls, words
}

// texts are the strings that a value holds, but for keys, in their order.
func texts(raw json.RawMessage) (out []string) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
		return out
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil || raw[0] != '{' && raw[0] != '[' {
		return nil
	}
	for d.More() {
		if raw[0] == '{' {
			if _, err := d.Token(); err != nil {
				return out
			}
		}
		var each json.RawMessage
		if d.Decode(&each) != nil {
			return out
		}
		out = append(out, texts(each)...)
	}
	return out
}

// asCalls makes calls of an object that names a tool. Where it is only an object, it has to
// name one that is on offer, or look like nothing else.
func (r *Reader) asCalls(raw json.RawMessage, marked bool) []model.Call {
	var o struct {
		Tool, Function, Action, Name        json.RawMessage
		ToolName                            json.RawMessage `json:"tool_name"`
		Arguments, Parameters, Args, Params json.RawMessage
		Input, Call                         json.RawMessage
		ToolCalls                           json.RawMessage `json:"tool_calls"`
		ToolUses                            json.RawMessage `json:"tool_uses"`
		Recipient                           json.RawMessage `json:"recipient_name"`
		FunctionCall                        json.RawMessage `json:"function_call"`
	}
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	marked = marked || len(o.Tool) > 0 && onlyCall(raw) // whatever it names: few others call a thing so
	for i, within := range []json.RawMessage{o.ToolCalls, o.ToolUses, o.FunctionCall, o.Call, o.Function} {
		if len(within) > 0 && (within[0] == '{' || within[0] == '[') {
			return r.callsIn(within, marked || i < 4)
		}
	}
	key, name := r.nameIn(o.Tool, o.Function, o.Action, o.ToolName, o.Name, o.Recipient)
	args := cmp.Or(string(o.Arguments), string(o.Parameters), string(o.Args), string(o.Params), string(o.Input))
	if name == "" {
		return r.keyed(raw, marked || r.alone() && onlyCall(raw))
	}
	if r.tools[name] != nil && args == "" {
		args = string(inline(raw, key))
	}
	if !marked && r.tools[name] == nil && !r.madeUp(raw, key, plainName(name), args) {
		return nil // somebody's own
	}
	return []model.Call{{Name: plainName(name), Arguments: json.RawMessage(cmp.Or(args, "{}"))}}
}

// madeUp reports whether an object is a call of a tool that there isn't. Where it may be
// something else, too, it is vague.
func (r *Reader) madeUp(raw json.RawMessage, key, name, args string) bool {
	alike := r.alike(name)
	if !toolName().MatchString(name) || strings.HasPrefix(args, "[") {
		return false
	}
	if key == "name" && !(r.alone() && onlyCall(raw) && (args != "" || alike)) {
		return false
	}
	r.vague = r.vague || key == "name" && !alike
	return true
}

// keyed is the call that an object is whose one key is a tool's name: {"name": {arguments}}.
func (r *Reader) keyed(raw json.RawMessage, marked bool) []model.Call {
	var o map[string]json.RawMessage
	_ = json.Unmarshal(raw, &o) // what is no object has no key
	for name, args := range o {
		if len(o) == 1 && r.tools[name] != nil && r.takes(name, args) {
			return []model.Call{{Name: name, Arguments: args}}
		}
	}
	if marked {
		return []model.Call{{Name: "unknown", Arguments: json.RawMessage("{}")}} // to be refused, with a reason
	}
	return nil
}

// takes reports whether an object has arguments of a tool alone.
func (r *Reader) takes(tool string, args json.RawMessage) bool {
	var keys map[string]json.RawMessage
	if json.Unmarshal(args, &keys) != nil || keys == nil {
		return false
	}
	for key := range keys {
		if !r.tools[tool].takes(key) {
			return false
		}
	}
	return len(keys) > 0 || strings.Contains(tool, "_")
}

// onlyCall reports whether an object has nothing that isn't of a call.
func onlyCall(raw json.RawMessage) bool {
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) != nil {
		return false
	}
	calls := false
	for key, value := range o {
		switch key {
		case "name", "tool", "function", "action", "arguments", "parameters", "args", "recipient_name":
			calls = true
		case "call":
			calls = calls || string(value) != "null"
		case "id", "type":
		default:
			return false
		}
	}
	return calls
}

// toolName is what names of tools look like: few other things that an object calls its tool
// or function have such a one, and no reader of the answer misses those.
var toolName = pattern.Lazy(`^[a-z]+(_[a-z]+)+$`)

// nameIn is what an object names a tool with, and in which key: one on offer before any.
func (r *Reader) nameIn(values ...json.RawMessage) (key, value string) {
	for i, raw := range values {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			continue
		}
		if s = strings.TrimSpace(s); s != "" && (value == "" || r.tools[plainName(s)] != nil && r.tools[plainName(value)] == nil) {
			key, value = []string{"tool", "function", "action", "tool_name", "name", "recipient_name"}[i], s
		}
	}
	if r.tools[plainName(value)] != nil {
		value = plainName(value)
	}
	return key, value
}

// inline is what an object that names a tool in key has beside it: its arguments, of a
// model that forgot to put them into an object of their own.
func inline(object json.RawMessage, key string) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(object, &o) != nil {
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

var naming = pattern.Lazy(`"(?:name|tool|function|action)"\s*:\s*"([a-z_]+)"`)

// namedIn is the tool that a broken call seems to name.
func namedIn(text string) string {
	if m := naming().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return "unknown"
}
