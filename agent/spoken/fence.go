package spoken

import (
	"encoding/json"
	"errors"
	"strings"

	"kist/agent/model"
	"kist/vault/pattern"
)

var (
	fenced     = pattern.Lazy("^```[ \t]*\\w*[ \t]*\n")
	fencedPart = pattern.Lazy("^`{1,3}$|^```[ \t]*\\w*[ \t]*$")
)

// fenceLine is how long the fence is that a text begins with, within markup.
func fenceLine(text string, over bool) (n int, err error) {
	switch n = len(fenced().FindString(text)); {
	case n > 0:
		return n, nil
	case fencedPart().MatchString(text) && !over:
		return 0, errMore
	case strings.HasPrefix(text, "```"):
		return 3, nil
	}
	return 0, errNot
}

// holdsCalls tells by what stands behind a fence, of which tags aren't shown, whether it may
// hold calls, and whether it is one of code.
func holdsCalls(kind string) (calls, code bool) {
	switch strings.ToLower(strings.TrimSpace(withoutTags(kind))) {
	case "", "json", "tool_call", "tool_code", "tool_use", "tool", "xml":
		return true, false
	case "python", "py", "javascript", "js", "typescript", "ts":
		return true, true
	}
	return false, true
}

// fence reads a block that holds nothing but calls, or the first line of another; or a line
// that is a call between the quotes of code.
func (r *Reader) fence(text string) (found, error) {
	if !strings.HasPrefix(text, "```") {
		if strings.HasPrefix("```", text) && !r.over {
			return found{}, errMore
		}
		return r.inQuotes(text)
	}
	if r.inside {
		r.inside = false
		return found{n: 3, words: "```"}, nil
	}
	line := strings.IndexAny(text[3:], "\n`") + 3
	if line < 3 && !r.over {
		return found{}, errMore
	}
	if line < 3 || text[line] == '`' {
		return found{n: 3, words: "```"}, nil
	}
	calls, code := holdsCalls(text[3:line])
	if r.words { // an example, or a file that was asked for
		calls, code = false, true
	}
	if calls {
		f, err := r.block(text, line+1, code)
		f.either = f.cut == nil
		if err == nil || errors.Is(err, errMore) {
			return f, err
		}
	}
	r.fenced, r.inside = code, !code
	return found{n: line + 1, words: withoutTags(text[:line+1])}, nil
}

// block reads what stands in a block from at on, if that is calls alone.
func (r *Reader) block(text string, at int, code bool) (found, error) {
	f := found{}
	for {
		rest := strings.TrimLeft(text[at:], " \t\r\n,;")
		at = len(text) - len(rest)
		if rest == "" || len(rest) < 3 && strings.HasPrefix("```", rest) {
			if r.over && (len(f.calls) > 0 || f.cut != nil) {
				f.n = len(text)
				return f, nil
			}
			return found{}, errMore
		}
		if strings.HasPrefix(rest, "```") {
			if f.n = at + 3; len(f.calls) == 0 {
				return found{}, errNot
			}
			return f, nil
		}
		one, err := r.inBlock(rest, code)
		if err != nil {
			return found{}, err
		}
		f.calls = append(f.calls, one.calls...)
		f.cut = one.cut
		at += one.n
	}
}

func (r *Reader) inBlock(text string, code bool) (one found, err error) {
	switch c := text[0]; {
	case c == '<' || c == '[' && squareIn().MatchString(text[:min(len(text), 4)]):
		m, err := markAt(text)
		if err == nil && m.named {
			return r.function(text, m)
		}
		return found{n: m.n}, err
	case c == '{' || c == '[':
		if one, err = r.listed(text, false); err == nil && (one.words != "" || one.nobodys) {
			return found{}, errNot
		}
		return one, err
	case wordByte(c):
		n := wordLen(text)
		if strings.HasPrefix(text, "print(") {
			return r.printed(text)
		}
		if strings.HasPrefix("print(", text) && !r.over {
			return found{}, errMore
		}
		if !r.mayName(text[:n], n < len(text) || r.over, true) {
			return found{}, errNot
		}
		return r.named(text, place{line: true, code: code})
	}
	return found{}, errNot
}

// printed reads print(name(...)), as models write that have run code.
func (r *Reader) printed(text string) (found, error) {
	const head = "print("
	n := wordLen(text[len(head):])
	if !r.mayName(text[len(head):len(head)+n], len(head)+n < len(text) || r.over, false) {
		return found{}, errNot
	}
	one, err := r.named(text[len(head):], place{code: true})
	if err != nil {
		return one, err
	}
	one.n += len(head)
	switch {
	case one.n == len(text) && !r.over:
		return found{}, errMore
	case one.n < len(text) && text[one.n] == ')':
		one.n++
		return one, nil
	}
	return found{}, errNot
}

// inQuotes reads a line that is a call between the quotes of code.
func (r *Reader) inQuotes(text string) (found, error) {
	if r.words {
		return found{}, errNot
	}
	if len(text) < 2 {
		if r.over {
			return found{}, errNot
		}
		return found{}, errMore
	}
	n := wordLen(text[1:])
	if n == 0 && len(text) > 1 || !r.mayName(text[1:1+n], 1+n < len(text) || r.over, false) {
		return found{}, errNot
	}
	f, err := r.named(text[1:], place{line: true})
	if err != nil {
		return f, err
	}
	rest := text[1+f.n:]
	switch {
	case rest == "" && !r.over:
		return found{}, errMore
	case rest == "" || rest[0] != '`':
		return found{}, errNot
	}
	end, err := r.ends(rest[1:])
	f.n += 2 + end
	f.either = true
	return f, err
}

const action = "[ACTION:"

// action reads [ACTION: tool {arguments}].
func (r *Reader) action(text string) (found, error) {
	head := strings.TrimLeft(text[len(action):], " ")
	start := len(text) - len(head)
	i := strings.IndexAny(head, "{]\n")
	switch {
	case i > 200, i < 0 && len(head) > 200:
		return found{n: len(action)}, nil
	case i < 0 && !r.over:
		return found{}, errMore
	case i < 0: // nothing but the end is missing
		head += "]"
		i = len(head) - 1
	}
	name := strings.Trim(strings.TrimSpace(head[:i]), "`\"':,")
	one := func(n int, args string) (found, error) {
		return found{n: n, calls: []model.Call{{Name: name, Arguments: json.RawMessage(args)}}}, nil
	}
	switch {
	case name == "":
		return found{n: len(action)}, nil
	case head[i] == '\n': // to be refused, unless nothing but the end is missing
		return one(start+i, "{}")
	case head[i] == ']':
		return one(min(start+i+1, len(text)), "{}")
	}
	args, l, err := value(head[i:])
	if errors.Is(err, errMore) && !r.over {
		return found{}, err
	}
	if err != nil {
		end, whole := objectEnd(head[i:])
		if !whole {
			if r.over {
				return found{n: len(text), cut: &model.Call{Name: name, Arguments: json.RawMessage(head[i:])}}, nil
			}
			return found{}, errMore
		}
		args, l = json.RawMessage(head[i:i+end]), &literal{at: end}
	}
	at := start + i + l.at
	after := strings.TrimLeft(text[at:], " ")
	if after == "" && !r.over {
		return found{}, errMore
	}
	if strings.HasPrefix(after, "]") {
		at = len(text) - len(after) + 1
	}
	return one(at, string(args))
}

// objectEnd is where the braces of an object close that is none.
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
