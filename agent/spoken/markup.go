package spoken

import (
	"encoding/json"
	"slices"
	"strings"

	"kist/agent/model"
	"kist/vault/pattern"
)

// A mark is a tag, or a special token, that stands around calls.
type mark struct {
	n             int // bytes
	opens, closes bool
	named         bool // it names a tool
	name, rest    string
}

var (
	// token is a special token, as in <|tool_calls_begin|>; of some families with other bars.
	token     = pattern.Lazy(`^<[|｜]([^<>|｜\n]{1,48})[|｜]>`)
	tokenPart = pattern.Lazy(`^<([|｜][^<>|｜\n]{0,48}[|｜]?)?$`)
	ofCalls   = pattern.Lazy(`tool|function|python_tag|action|call`)
	ofEnds    = pattern.Lazy(`end|/|^call$`)
	// tag is one of XML's kind: <tool_call>, <minimax:tool_call>, <function=name>, <invoke name="...">.
	tag       = pattern.Lazy(`^<(/?)(?:[A-Za-z]+:)?((?:[a-z]+_)?(?:tool|function)_?(?:calls?|code|use)|function|invoke|(?:use_)?tool)((?:=|\s)[^<>\n]*)?>`)
	tagPart   = pattern.Lazy(`^<(?:/?[A-Za-z_:]{0,40}|/?(?:[A-Za-z]+:)?(?:(?:[a-z]+_)?(?:tool|function)_?(?:calls?|code|use)|function|invoke|(?:use_)?tool)(?:=|\s)[^<>\n]*)$`)
	attr      = pattern.Lazy(`^(?:=|\s+(?:name|function)=)\s*["']?([\w.-]+)["']?\s*(.*?)\s*$`)
	square    = pattern.Lazy(`^\[(/?)([A-Z]+(?:_[A-Z]+)*)\]`)
	squareIn  = pattern.Lazy(`^\[/?[A-Z_]{0,30}$`)
	header    = pattern.Lazy(`^(?:<\|start\|>[^<\n{]{0,200})?<\|channel\|>([^<\n{]{0,200})(?:<\|constrain\|>[^<\n{]{0,40})?<\|message\|>`)
	addressee = pattern.Lazy(`\bto=([\w.-]+)`)
	headPart  = pattern.Lazy(`^(?:<\|start\|>[^\n{<]{0,200}(?:$|<(?:$|\|(?:$|c[a-z]*\|?$))|<\|channel\|>[^\n{]{0,200}$)|<\|channel\|>[^\n{]{0,200}$)`)
)

// markAt is the one that a text begins with. errNot says that there is none.
func markAt(text string) (m mark, err error) {
	switch text[0] {
	case '<':
		return angle(text)
	case '[':
		return bracketed(text)
	}
	return m, errNot
}

// maxTag bounds how long a tag is, with what stands in it.
const maxTag = 4 << 10

func angle(text string) (m mark, err error) {
	text = text[:min(len(text), maxTag)]
	if at := strings.IndexAny(text[1:], "<\n") + 1; at > 0 && !strings.HasPrefix(text, "<|channel|>") && !strings.HasPrefix(text, "<|start|>") {
		text = text[:at+1]
	}
	if at := header().FindStringSubmatch(text); at != nil {
		if to := addressee().FindStringSubmatch(at[0]); to != nil {
			return mark{n: len(at[0]), opens: true, named: true, name: to[1]}, nil
		}
		return mark{n: len(at[0]), closes: true}, nil
	}
	if headPart().MatchString(text) {
		return m, errMore
	}
	if at := token().FindStringSubmatch(text); at != nil {
		name := strings.ReplaceAll(strings.ToLower(at[1]), "▁", "_")
		m.n = len(at[0])
		m.closes = ofCalls().MatchString(name) && ofEnds().MatchString(name)
		m.opens = ofCalls().MatchString(name) && !m.closes
		return m, nil // one that neither opens nor closes is markup where calls stand
	}
	if at := tag().FindStringSubmatch(text); at != nil {
		return ofTag(at)
	}
	if tokenPart().MatchString(text) || tagPart().MatchString(text) || isPartOfBar(text) {
		return m, errMore
	}
	return m, errNot
}

// ofTag is the mark that the parts of a tag make.
func ofTag(at []string) (m mark, err error) {
	m = mark{n: len(at[0]), closes: at[1] != "" || strings.HasPrefix(at[2], "end_")}
	m.opens = !m.closes
	a := attr().FindStringSubmatch(at[3])
	switch {
	case a != nil && m.opens:
		m.named, m.name, m.rest = true, a[1], a[2]
	case slices.Contains([]string{"function", "invoke", "tool", "use_tool"}, at[2]) && m.opens:
		return mark{}, errNot // as somebody may well call something else
	}
	return m, nil
}

// isPartOfBar: the first bytes of a special token whose bars are wide.
func isPartOfBar(text string) bool { return len(text) < 4 && strings.HasPrefix("<｜", text) }

func bracketed(text string) (m mark, err error) {
	at := square().FindStringSubmatch(text)
	switch {
	case at == nil && squareIn().MatchString(text):
		return m, errMore
	case at == nil || !strings.Contains(at[2], "TOOL"):
		return m, errNot
	}
	closes := at[1] != "" || strings.HasPrefix(at[2], "END")
	return mark{n: len(at[0]), opens: !closes, closes: closes}, nil
}

// between skips what may stand between a tool's name and its arguments, where markup is about.
var between = pattern.Lazy(`^(?:\s+|<[|｜][^<>|｜\n]{1,48}[|｜]>|\[ARGS\]|\[CALL_ID\]\w*|` + "```" + `\w*\n)+`)

// function reads the call that a tag names: an object of arguments, tags of them, or none.
func (r *Reader) function(text string, m mark) (found, error) {
	if strings.HasPrefix(m.rest, "{") {
		args, _, err := value(m.rest)
		if err != nil {
			args = json.RawMessage(m.rest)
		}
		return found{n: m.n, calls: []model.Call{{Name: plainName(m.name), Arguments: args}}, region: opened}, nil
	}
	body := text[m.n:]
	skip := len(body) - len(strings.TrimLeft(body, " \t\r\n"))
	rest := body[skip:]
	if loc := between().FindString(body); loc != "" {
		skip, rest = len(loc), body[len(loc):]
	}
	if rest == "" {
		return r.unlessOver(text)
	}
	done := func(n int, args json.RawMessage) (found, error) {
		return found{n: m.n + skip + n, calls: []model.Call{{Name: plainName(m.name), Arguments: args}}, region: called}, nil
	}
	switch rest[0] {
	case '{':
		args, l, err := value(rest)
		switch {
		case err == nil:
			return done(l.at, args)
		case err == errMore && !r.over:
			return found{}, err
		}
	case '<':
		args, n, err := parameters(rest, r.over)
		if err == nil {
			return done(n, args)
		}
		if err == errMore && !r.over {
			return found{}, err
		}
		if end, err := markAt(rest); err == nil && end.closes {
			return done(0, json.RawMessage("{}"))
		} else if err == errMore && !r.over {
			return found{}, err
		}
	}
	n := bad(rest)
	if n < 0 && !r.over {
		return found{}, errMore
	}
	if n < 0 {
		n = len(rest)
	}
	return done(n, json.RawMessage(strings.TrimSpace(rest[:n])))
}

func (r *Reader) unlessOver(text string) (found, error) {
	if r.over {
		return found{n: len(text), cut: new(broken(text))}, nil // nothing of it is a call yet
	}
	return found{}, errMore
}

var (
	parameter = pattern.Lazy(`(?s)^\s*<(?:parameter|param|arg)(?:=|\s+name=)["']?([\w.-]+)["']?[^<>\n]*>(.*?)</(?:parameter|param|arg)>`)
	argument  = pattern.Lazy(`(?s)^\s*<arg_key>\s*([\w.-]+)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>`)
	paramPart = pattern.Lazy(`^\s*<(?:$|(?:p|pa|par|para|param[a-z]*|a|ar|arg[a-z_]*)(?:$|[=\s>]))`)
)

// parameters reads arguments that stand in tags of their own, each a text, and how long they are.
func parameters(text string, over bool) (json.RawMessage, int, error) {
	args, n := map[string]string{}, 0
	for {
		at := parameter().FindStringSubmatch(text[n:])
		if at == nil {
			at = argument().FindStringSubmatch(text[n:])
		}
		if at == nil {
			break
		}
		args[at[1]] = strings.TrimSuffix(strings.TrimPrefix(at[2], "\n"), "\n")
		n += len(at[0])
	}
	rest := strings.TrimLeft(text[n:], " \t\r\n")
	if !over && (rest == "" || paramPart().MatchString(rest)) {
		return nil, 0, errMore
	}
	if n == 0 {
		return nil, 0, errNot
	}
	out, err := json.Marshal(args)
	return out, n, err
}
