package claims

import (
	"encoding/json"
	"slices"
	"strings"

	"kist/agent/model"
)

// passage is how many lines a passage of a document has at most that is told with its first line.
const passage = 20

// read are the lines of documents that a turn's results show. A document of which a result
// tells without a line may have been seen anywhere.
type read map[string][]span

// A span is from a line to another, both of them in it.
type span struct{ from, to int }

var anywhere = span{0, 1 << 60}

// readIn collects them. brief is what the model was told beforehand.
func readIn(req model.Request, brief string) read {
	r := read{}
	r.mentioned(brief)
	for i, m := range req.Messages {
		if i <= req.Said { // what was said of before may be said again
			r.mentioned(m.Text)
			continue
		}
		if m.Role != model.ToolRole {
			continue
		}
		r.mentioned(m.Text)
		var value any
		if json.Unmarshal([]byte(m.Text), &value) == nil {
			r.value(value)
		}
	}
	return r
}

func (r read) mentioned(text string) {
	for _, c := range citations(text, func(string) bool { return true }) {
		for path, more := c.path, true; more; _, path, more = strings.Cut(path, " ") { // words may stand before it
			r[path] = append(r[path], span{c.line, c.line + passage})
		}
	}
}

// value looks for documents in a result.
func (r read) value(v any) {
	switch v := v.(type) {
	case []any:
		for _, part := range v {
			r.value(part)
		}
	case map[string]any:
		for _, part := range v {
			r.value(part)
		}
		path, ok := v["path"].(string)
		if !ok {
			return
		}
		from, ranged := v["from"].(float64)
		lines, listed := v["lines"].([]any)
		line, at := v["line"].(float64)
		s := anywhere
		switch {
		case ranged && listed:
			s = span{int(from), int(from) + len(lines) - 1}
		case at && line > 0:
			s = span{int(line), int(line) + passage}
		}
		r[path] = append(r[path], s)
	}
}

// missed returns what a text cites as path:line of documents that were looked at, in part, where the
// line isn't in those parts, each once, at most five.
func (r read) missed(text string, looked func(path string) bool) (out []string) {
	for _, c := range citations(text, func(path string) bool { return looked(path) && len(r[path]) > 0 }) {
		said := c.path + ":" + c.said
		if c.known && !slices.ContainsFunc(r[c.path], func(s span) bool { return s.from <= c.line && c.line <= s.to }) && !slices.Contains(out, said) && len(out) < most {
			out = append(out, said)
		}
	}
	return out
}
