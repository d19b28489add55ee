package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"kist/agent/model"
)

// A Part is a piece of a call, as a server sends it.
type Part struct {
	Index     *int // which call it belongs to; nil: not told
	ID, Name  string
	Arguments json.RawMessage // a JSON string with a piece of them, or all of them as a value
}

// The limits of calls: far above what an honest answer needs.
const (
	maxCalls     = 256
	maxName      = 1 << 10   // bytes
	maxArguments = 256 << 10 // bytes of one call's
)

// building is a call of which more may come.
type building struct {
	index     int
	numbered  bool
	id, name  string
	arguments strings.Builder
	nesting   nesting // of the arguments
	circles   circles
	round     bool // the arguments go in circles
}

// calls puts parts together.
type calls []*building

// add puts a part to the call that it belongs to: the one of its number, unless it has
// another id; without a number the one of its id, or the last.
func (c *calls) add(p Part) error {
	piece := argumentsOf(p.Arguments)
	b := c.find(p)
	if b != nil && p.Name != "" && b.name != "" {
		switch {
		case b.whole() && p.ID != "" && p.ID == b.id && p.Name == b.name && piece == b.arguments.String():
			return nil // the call once more
		case p.Name != b.name && b.arguments.Len() > 0, b.whole() && piece != "":
			b = nil // another call: some servers give all the same number, and no id
		}
	}
	if b == nil {
		if len(*c) >= maxCalls {
			return fmt.Errorf("more than %d calls at once", maxCalls)
		}
		b = &building{}
		if p.Index != nil {
			b.index, b.numbered = *p.Index, true
		}
		*c = append(*c, b)
	}
	b.add(p, piece)
	if b.arguments.Len() > maxArguments || len(b.name) > maxName {
		return fmt.Errorf("a call of over %d bytes", max(b.arguments.Len(), len(b.name))-1)
	}
	return nil
}

func (c *calls) find(p Part) *building {
	for i := len(*c) - 1; i >= 0; i-- {
		b := (*c)[i]
		switch {
		case p.ID != "" && b.id != "" && p.ID != b.id:
			continue
		case p.Index != nil && b.numbered:
			if *p.Index == b.index {
				return b
			}
		case p.ID != "" && p.ID == b.id:
			return b
		case i == len(*c)-1 && (p.ID == "" || p.Name == ""):
			return b // without number and id: a further piece of the last one
		}
	}
	return nil
}

// add takes the next piece of the call. A name may come in pieces too, or whole with each;
// an empty object is only the place for the arguments that follow.
func (b *building) add(p Part, piece string) {
	if b.id == "" {
		b.id = p.ID
	}
	if strings.HasPrefix(p.Name, b.name) {
		b.name = p.Name
	} else {
		b.name += p.Name
	}
	if b.arguments.String() == "{}" && piece != "" {
		b.arguments.Reset()
		b.nesting = nesting{}
	}
	b.arguments.WriteString(piece)
	b.nesting.add(piece)
	_, round := b.circles.add(piece)
	b.round = b.round || round
}

// goRound: the last call goes in circles and comes to no end.
func (c calls) goRound() bool {
	n := len(c)
	return n > 0 && c[n-1].round && !c[n-1].whole()
}

// whole reports whether the arguments that came are all of an object.
func (b *building) whole() bool { return b.nesting == nesting{closed: true} }

// nesting is how deep within JSON a text ends.
type nesting struct {
	depth           int
	quoted, escaped bool
	closed          bool // something was
}

func (n *nesting) add(piece string) {
	for i := range len(piece) {
		switch c := piece[i]; {
		case n.escaped:
			n.escaped = false
		case n.quoted:
			n.quoted, n.escaped = c != '"', c == '\\'
		case c == '"':
			n.quoted = true
		case c == '{' || c == '[':
			n.depth++
		case c == '}' || c == ']':
			n.depth--
			n.closed = true
		}
	}
}

// argumentsOf returns a piece of arguments, which comes as a JSON string or as a value.
func argumentsOf(raw json.RawMessage) (piece string) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" || json.Unmarshal(raw, &piece) == nil {
		return piece
	}
	return string(raw)
}

// events returns the calls; what has neither name nor arguments is none.
func (c calls) events() []*model.Call {
	var out []*model.Call
	for _, b := range c {
		name, args := Clean(b.name), b.arguments.String()
		if strings.TrimSpace(args) == "" {
			if name == "" {
				continue
			}
			args = "{}"
		}
		out = append(out, &model.Call{ID: Clean(b.id), Name: name, Arguments: json.RawMessage(args)})
	}
	return out
}
