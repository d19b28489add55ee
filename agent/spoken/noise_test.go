package spoken

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What bench/talk takes for a call that is shown.
var raw = regexp.MustCompile(`\{\s*"(say|call|tool|tool_calls?|function|action|arguments|parameters)"\s*:|\{\s*"(name)"\s*:\s*"create_task"|\[ACTION:|</?tool_call>`)

// isShown is the first call in a text that nobody can want to read; empty: none. An object that
// has a name which is no tool's there, or is whole and has a key of its own, may be somebody's.
func isShown(text string) string {
	for _, at := range raw.FindAllStringSubmatchIndex(text, -1) {
		found := text[at[0]:at[1]]
		if at[2] < 0 {
			return found
		}
		key := text[at[2]:at[3]]
		somebodys := slices.Contains([]string{"tool", "function", "action", "arguments", "parameters"}, key)
		var name string
		if v, _, err := value(text[at[1]:]); err == nil && json.Unmarshal(v, &name) == nil && somebodys {
			name = strings.TrimSpace(name)
			_, l, _ := value(text[at[0]:])
			called := (key == "tool" || key == "function") && (slices.Contains(l.keys, "arguments") || slices.Contains(l.keys, "parameters"))
			if !called && name != "" && name != "create_task" && name != "search" {
				continue
			}
		}
		_, l, err := value(text[at[0]:])
		if err == nil && somebodys && key != "tool" && key != "function" && slices.ContainsFunc(l.keys, func(k string) bool { return !New(tools, nil).mayHave(k) }) {
			continue
		}
		return found
	}
	return ""
}

// A noise writes what a model makes of the form of calls that doesn't know it: objects with their
// keys at any depth, whole or torn, that name no tool, or with blanks around it, or with something
// other than a text.
type noise struct{ *rand.Rand }

func (n noise) one(of ...string) string { return of[n.IntN(len(of))] }

func (n noise) key() string {
	return n.one("say", "call", "tool", "tool_calls", "tool_call", "function", "action", "arguments", "parameters", "name", "title", "key", "")
}

func (n noise) value(depth int) string {
	switch n.IntN(4 + min(depth, 3)) {
	case 0:
		return n.one("5", "null", "true", "{}", "[]", "-1.5e3")
	case 1, 2:
		return n.one(`""`, `"  "`, `"create_task"`, `" search "`, `"\n"`, `"Weld {it}"`, `"a \"b\""`)
	case 3:
		return `"` + n.one("So. ", "I ", "") + `"`
	case 4:
		return "[" + n.value(depth-1) + n.one("", ", "+n.value(depth-1)) + "]"
	}
	return n.object(depth - 1)
}

func (n noise) object(depth int) string {
	blank := n.one("", " ", "\n", "  ")
	fields := make([]string, 1+n.IntN(3))
	for i := range fields {
		fields[i] = fmt.Sprintf(`%q%s:%s%s`, n.key(), n.one("", " "), blank, n.value(depth))
	}
	return "{" + blank + strings.Join(fields, ","+blank) + n.one("", blank) + "}"
}

// torn takes something away, or puts something in.
func (n noise) torn(text string) string {
	at := n.IntN(len(text))
	switch n.IntN(6) {
	case 0:
		return text[at:]
	case 1:
		return text[:at]
	case 2:
		return text[:at] + text[at+1:]
	case 3:
		return text[:at] + n.one(`"`, "}", "]", "{", ",", ":", "\n", " [", `ke", `) + text[at:]
	}
	return text
}

func (n noise) text() string {
	var b strings.Builder
	for range 1 + n.IntN(3) {
		b.WriteString(n.one("", "", "So I weld it.\n", "It is dry: ", "ok ", "\n\n", ", ", `x": `, "[", "- ", "<tool_call>", "[ACTION: ", "Action: "))
		b.WriteString(n.torn(n.object(3)))
		b.WriteString(n.one("", "", "\n", "]", "}", ")", " and so on.", "\n\nDone."))
	}
	return b.String()
}

// TestNoise: nothing of it is shown that looks like a call.
func TestNoise(t *testing.T) {
	for seed := range uint64(3000) {
		n := noise{rand.New(rand.NewPCG(seed, 7))}
		said := n.text()
		shown, calls := read(said)
		if again, same := read(pieces(n.Rand, said)...); shown != again || !slices.Equal(calls, same) {
			t.Errorf("%d: %q in pieces shows %q, and whole %q", seed, said, again, shown)
		}
		if found := isShown(shown); found != "" {
			t.Errorf("%d: %q shows %q in %q", seed, said, found, shown)
		}
	}
}
