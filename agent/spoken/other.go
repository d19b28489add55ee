package spoken

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"kist/agent/model"
	"kist/vault/pattern"
)

// Forms of calls that are neither a name with arguments behind it nor an object: steps of a
// plan with one action in each, messages to a tool, elements that are called as tools are, and
// commands behind a slash. And results that a model makes up.

const (
	actionStep  = "Action:"
	inputStep   = "Action Input:"
	resultStep  = "Observation:"
	boldStep    = "**Action:**"
	boldInput   = "**Action Input:**"
	boldResult  = "**Observation:**"
	longestStep = 200 // bytes of a name
)

// begins reports whether a text begins with one of others, or may when more has come.
func begins(text string, others ...string) bool {
	if len(text) > 1 && !slices.ContainsFunc(others, func(o string) bool { return text[:2] == o[:2] }) {
		return false // almost always
	}
	for _, o := range others {
		if strings.HasPrefix(text, o) || text != "" && strings.HasPrefix(o, text) {
			return true
		}
	}
	return false
}

// stepAt reports whether a line is, or may become, an action or the result of one.
func stepAt(text string) bool {
	return strings.IndexByte("AO*", text[0]) >= 0 && begins(text, actionStep, boldStep, resultStep, boldResult)
}

// acts reads "Action: name", with "Action Input: arguments" in the next line. A result that
// the model makes up behind a call is dropped, to the end of its paragraph or the next step.
func (r *Reader) acts(text string) (found, error) {
	heads := []string{actionStep, boldStep, resultStep, boldResult}
	which := slices.IndexFunc(heads, func(h string) bool { return strings.HasPrefix(text, h) })
	if which < 0 {
		return r.unlessMore()
	}
	head := heads[which]
	if which > 1 {
		return r.observed(text)
	}
	rest := strings.TrimLeft(text[len(head):], " \t`*")
	n := wordLen(rest)
	if n == len(rest) && n < longestStep && !r.over {
		return found{}, errMore
	}
	name := plainName(rest[:n])
	if n == 0 || r.tools[name] == nil && !r.alike(name) {
		return found{}, errNot
	}
	at := len(text) - len(rest)
	switch after := strings.TrimLeft(rest[n:], " \t`*\r"); {
	case after == "" && !r.over:
		return found{}, errMore
	case after != "" && (after[0] == '(' || after[0] == '{'):
		f, err := r.named(rest, place{line: true})
		f.n += at
		return f, err
	case after != "" && after[0] != '\n':
		return found{}, errNot
	}
	return r.input(text, name, at+n)
}

// unlessMore: it is nothing, unless more comes.
func (r *Reader) unlessMore() (found, error) {
	if r.over {
		return found{}, errNot
	}
	return found{}, errMore
}

// input reads the arguments of an action, from a place behind its name on.
func (r *Reader) input(text, name string, at int) (found, error) {
	call := func(n int, args string) (found, error) {
		return found{n: n, calls: []model.Call{{Name: name, Arguments: json.RawMessage(args)}}}, nil
	}
	rest := strings.TrimLeft(text[at:], " \t\r\n`*")
	if !r.over && !strings.HasPrefix(rest, "Action Input:") && begins(rest, "Action Input:") || rest == "" && !r.over {
		return found{}, errMore
	}
	args, ok := strings.CutPrefix(rest, inputStep)
	if !ok {
		return call(at, "{}")
	}
	opening := inputFence().FindString(args)
	args = args[len(opening):]
	if (args == "" || strings.HasPrefix("```json", args)) && !r.over {
		return found{}, errMore
	}
	if strings.HasPrefix(args, "{") {
		raw, l, err := value(args)
		closing := ""
		if err == nil && strings.Contains(opening, "`") {
			closing, err = r.closing(args[l.at:])
		}
		switch {
		case err == nil:
			return call(len(text)-len(args)+l.at+len(closing), string(raw))
		case errors.Is(err, errMore) && !r.over:
			return found{}, err
		case errors.Is(err, errMore):
			return found{n: len(text), cut: &model.Call{Name: name, Arguments: json.RawMessage(args)}}, nil
		}
	}
	end := strings.IndexByte(args, '\n')
	if end < 0 && !r.over {
		return found{}, errMore
	}
	if end < 0 {
		end = len(args)
	}
	return call(len(text)-len(args)+end, strings.TrimSpace(args[:end])) // to be refused, with a reason
}

// inputFence is what may stand before the arguments of an action.
var inputFence = pattern.Lazy("^[ \\t\\r\\n*]*(?:```(?:json)?|`)?[ \\t\\r\\n]*")

// closing is the rest of a block of code behind the arguments in it.
func (r *Reader) closing(text string) (string, error) {
	rest := strings.TrimLeft(text, " \t\r\n")
	if !r.over && len(rest) < 3 && strings.HasPrefix("```", rest) {
		return "", errMore
	}
	return text[:len(text)-len(strings.TrimLeft(rest, "`"))], nil
}

// observed is how long a made-up result is.
func (r *Reader) observed(text string) (found, error) {
	if len(r.calls)+len(r.doubted) == 0 {
		return found{}, errNot
	}
	end := len(text)
	for _, mark := range []string{"\n\n", "\nThought:", "\nFinal Answer:", "\nAction:", "\n**"} {
		if at := strings.Index(text, mark); at >= 0 {
			end = min(end, at+1)
		}
	}
	if end == len(text) && !r.over {
		return found{}, errMore
	}
	return found{n: end}, nil
}

// The beginnings of a message to a tool, of which the server has taken the marks.
var messages = []string{"to=functions.", "commentary to=functions.", "assistantcommentary to=functions.", "commentaryto=functions.", "assistantcommentaryto=functions.", "assistant to=functions."}

func addressed(text string) bool {
	return strings.IndexByte("tca", text[0]) >= 0 && begins(text, messages...)
}

var (
	message     = pattern.Lazy(`^(?:assistant)?(?:commentary)? ?to=functions\.([\w.-]+)\s*(?:<\|channel\|>commentary\s*|commentary\s*)?(?:<\|constrain\|>)?(?:json|code)?\s*(?:<\|message\|>)?\{`)
	messagePart = pattern.Lazy(`^[a-z]* ?to=functions\.[\w.-]*\s*[<|>a-z ]{0,60}\s*$`)
)

// addressee reads a message to a tool.
func (r *Reader) addressee(text string) (found, error) {
	at := message().FindStringSubmatch(text)
	switch {
	case at == nil && !r.over && (messagePart().MatchString(text) || slices.ContainsFunc(messages, func(m string) bool { return strings.HasPrefix(m, text) })):
		return found{}, errMore
	case at == nil:
		return found{}, errNot
	}
	start, end := len(at[0])-1, len(text)
	args, l, err := value(text[start:])
	switch {
	case err == nil:
		return found{n: start + l.at, calls: []model.Call{{Name: plainName(at[1]), Arguments: args}}}, nil
	case errors.Is(err, errMore) && !r.over:
		return found{}, err
	case !errors.Is(err, errMore): // no JSON: it goes to the end of its paragraph
		if i := strings.Index(text[start:], "\n\n"); i >= 0 {
			end = start + i
		} else if !r.over {
			return found{}, errMore
		}
	}
	return found{n: end, cut: &model.Call{Name: plainName(at[1]), Arguments: json.RawMessage(text[start:end])}}, nil
}

// slash reads a line that is a command: /name and what it is told. Somebody may also speak of
// such a one, so that it counts alone.
func (r *Reader) slash(text string) (found, error) {
	n := wordLen(text[1:])
	if r.words || n == 0 && len(text) > 1 || !r.mayName(text[1:1+n], 1+n < len(text) || r.over, false) {
		return found{}, errNot
	}
	end := strings.IndexByte(text, '\n')
	if end < 0 && !r.over {
		return found{}, errMore
	}
	if end < 0 {
		end = len(text)
	}
	name, rest := text[1:1+n], strings.TrimSpace(text[1+n:end])
	if r.tools[name] == nil {
		return found{}, errNot
	}
	args := json.RawMessage("{}")
	switch {
	case rest == "":
	case rest[0] == '{':
		args = json.RawMessage(rest)
	default:
		if named, _, unnamed, err := arguments("(" + rest + ")"); err == nil && !unnamed {
			args = named
		} else {
			args, _ = json.Marshal(rest) // to be refused, with a reason
		}
	}
	return found{n: end, calls: []model.Call{{Name: name, Arguments: args}}, either: true}, nil
}

var (
	element     = pattern.Lazy(`^<([a-z][a-z_]*)((?:\s+[\w-]+=(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>`)
	elementPart = pattern.Lazy(`^<([a-z][a-z_]*)(?:\s[^<>]*)?/?$`)
	attribute   = pattern.Lazy(`([\w-]+)=(?:"([^"<]*)"|'([^'<]*)')`)
	child       = pattern.Lazy(`^\s*<([\w-]+)>`)
)

// element reads one that is called as a tool: <search query="..."/>, or with its arguments
// as elements within it.
func (r *Reader) element(text string) (found, error) {
	at := element().FindStringSubmatch(text)
	if at == nil {
		part := elementPart().FindStringSubmatch(text)
		if part != nil && !r.over && r.mayName(part[1], len(part[1])+1 < len(text), false) || text == "<" && !r.over {
			return found{}, errMore
		}
		return found{}, errNot
	}
	name, args, n := at[1], map[string]string{}, len(at[0])
	if r.tools[name] == nil {
		return found{}, errNot
	}
	for _, a := range attribute().FindAllStringSubmatch(at[2], -1) {
		args[a[1]] = a[2] + a[3]
	}
	if at[3] == "" {
		closes := strings.Index(text[n:], "</"+name+">")
		switch {
		case closes < 0 && !r.over:
			return found{}, errMore
		case closes < 0:
			return found{n: len(text), cut: &model.Call{Name: name, Arguments: json.RawMessage(text)}}, nil
		}
		body := text[n : n+closes]
		n += closes + len("</"+name+">")
		if b := strings.TrimSpace(body); strings.HasPrefix(b, "{") {
			return found{n: n, calls: []model.Call{{Name: name, Arguments: json.RawMessage(b)}}}, nil
		}
		for c := child().FindStringSubmatch(body); c != nil; c = child().FindStringSubmatch(body) {
			inner, after, ok := strings.Cut(body[len(c[0]):], "</"+c[1]+">")
			if !ok {
				break
			}
			args[c[1]], body = strings.Trim(inner, "\n"), after
		}
	}
	own := strings.Contains(name, "_")
	for key := range args {
		own = own || r.tools[name].takes(key)
	}
	out, err := json.Marshal(args)
	if err != nil || !own {
		return found{}, errNot
	}
	return found{n: n, calls: []model.Call{{Name: name, Arguments: out}}}, nil
}

var (
	result     = pattern.Lazy(`^(?:<(?:[a-z]+:)?((?:tool|function)_?(?:response|result|output)s?)(?:\s[^<>\n]*)?>|<[|｜](tool[▁_]?(?:response|result|output)s?)(?:[▁_]begin)?[|｜]>|\[(TOOL_RESULTS?)\])`)
	resultPart = pattern.Lazy(`^(?:<(?:[a-z:_]{0,30}|(?:[a-z]+:)?(?:tool|function)_?(?:response|result|output)s?\s[^<>\n]*)|<[|｜][a-z▁_]{0,24}[|｜]?|\[[A-Z_]{0,12})$`)
)

// result is how long a result is that the model makes up, marked as servers mark them: with
// what stands in it, to the mark that ends it. Of one without an end a paragraph is dropped.
func (r *Reader) result(text string) (n int, err error) {
	at := result().FindStringSubmatch(text)
	if at == nil {
		if resultPart().MatchString(text) && !r.over {
			return 0, errMore
		}
		return 0, errNot
	}
	for _, end := range []string{"</" + at[1] + ">", "<|/" + at[2] + "|>", "<|" + at[2] + "_end|>", "<｜" + at[2] + "▁end｜>", "[/" + at[3] + "]"} {
		if i := strings.Index(text, end); i >= 0 && !strings.HasSuffix(end, "/>") && end != "</>" {
			return i + len(end), nil
		}
	}
	if !r.over {
		return 0, errMore
	}
	if i := strings.Index(text, "\n\n"); i >= 0 {
		return i, nil
	}
	return len(text), nil
}
