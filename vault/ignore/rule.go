package ignore

import (
	"bytes"
	"strings"
)

// A rule is one line.
type rule struct {
	include bool // it began with "!"
	dirs    bool // it ended in "/": for folders alone
	name    bool // it has no other slash: it is for names, at any depth
	suffix  bool // it is "*" and then text, for names

	text string // what comes before the first special character
	glob glob   // what has to match after the text; nil: nothing may follow
}

// parse returns the rules of a file; lines that can't match anything are left out.
func parse(text []byte) (rules []rule) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if r, ok := parseLine(string(line)); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func parseLine(line string) (r rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	line, r.include = strings.CutPrefix(trimSpaces(line), "!")
	line, r.dirs = strings.CutSuffix(line, "/")
	r.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	const special = `*?[\`
	i := strings.IndexAny(line, special)
	switch {
	case line == "":
		return rule{}, false
	case i < 0:
		r.text = line
		return r, true
	case r.name && line[0] == '*' && !strings.ContainsAny(line[1:], special):
		r.suffix, r.text = true, line[1:]
		return r, true
	}
	// git compares the text first and then reads the rest as if it began there.
	// So "a**/b" means what begins with an a and ends in /b, at any depth.
	r.text = line[:i]
	r.glob, ok = compile(line[i:])
	return r, ok
}

// trimSpaces removes spaces at the end, save one that a backslash stands before.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(s))
	}
	return s[:end]
}

// match reports whether a rule is for a path, which is relative to the folder of
// the rule's file and whose last element is name.
func (r *rule) match(path, name string, dir bool) bool {
	if r.dirs && !dir {
		return false
	}
	if r.name {
		path = name
	}
	if r.suffix {
		return strings.HasSuffix(path, r.text)
	}
	rest, ok := strings.CutPrefix(path, r.text)
	if !ok || r.glob == nil {
		return ok && rest == ""
	}
	return r.glob.match(rest)
}
