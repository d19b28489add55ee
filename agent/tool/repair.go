package tool

import (
	"encoding/json"
	"strings"
)

// Weak models write calls whose form is wrong in ways that leave no doubt what is meant:
// "5" for 5, null for what they leave out, an object between the quotes of a string. Here
// such arguments get the form that the schema wants. Nothing is dropped that says
// something, nothing is cut and nothing guessed: all else is refused as before.

// Repair returns the arguments with which a call would be run, as JSON, and what was put
// right in them, in words; args itself where nothing has to be, or the call would be refused.
// It is what others should see of a call: the user, and the model when it looks back.
func (r *Registry) Repair(name string, args json.RawMessage) (shown json.RawMessage, repaired []string) {
	_, clean, checked, err := r.check(name, args)
	if err != nil || checked.Fault != nil || len(checked.Repaired) == 0 {
		return args, nil
	}
	return clean, checked.Repaired
}

// unwrap takes off what stands around a whole object of arguments: one Markdown code
// fence, or the quotes of a JSON string. Where no object is in it, it stays.
func unwrap(args []byte) (text []byte, repaired []string) {
	s := strings.TrimSpace(string(args))
	inner, what := "", ""
	if rest, ok := strings.CutPrefix(s, "```"); ok {
		rest, ok = strings.CutSuffix(rest, "```")
		if language := "json"; len(rest) >= len(language) && strings.EqualFold(rest[:len(language)], language) {
			rest = rest[len(language):]
		}
		if ok {
			inner, what = strings.TrimSpace(rest), "arguments: a code fence around them"
		}
	} else if strings.HasPrefix(s, `"`) && json.Unmarshal([]byte(s), &inner) == nil {
		what = "arguments: an object in a string"
	}
	if v, _ := literal(inner); what != "" && len(inner) <= MaxArguments {
		if _, ok := v.(map[string]any); ok {
			return []byte(inner), []string{what}
		}
	}
	return args, nil
}

// repair gives obj, which decode made of text, the form that the tool's schema wants, and
// says what it did.
func (t Tool) repair(obj map[string]any, text []byte) []string {
	written, _ := literal(string(text))
	args, ok := written.(map[string]any)
	if !ok {
		return nil // no text at all
	}
	m := &mender{}
	m.object(t.resolved.Schema(), args, "")
	if m.repaired != nil {
		clear(obj)
		for key, v := range args {
			obj[key] = floats(tidyAll(v, t.lines[key]))
		}
	}
	return m.repaired
}
