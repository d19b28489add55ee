package spoken

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	errMore = errors.New("more has to come")
	errNot  = errors.New("it is something else")
	// errPlain: what it would be is whole, or well begun, and isn't a call's.
	errPlain = fmt.Errorf("%w, and well made", errNot)
)

// maxDepth bounds how deep a literal may nest.
const maxDepth = 64

// A literal reads a value as JSON, Python or JavaScript write it.
type literal struct {
	text  string
	at    int // what was read of it
	out   strings.Builder
	keys  []string // of the outermost object, as far as they have come
	depth int

	// Of an object whose keys, at level, are asked for: may says that none of a call has such a
	// one, and what is longer than most, without a key of calls' own, is none either.
	level, most int
	may         func(key string) bool
	own         bool // it has one
	sure        bool // and one that few others have
}

// value reads the value that a text begins with: as JSON, and how long it is. Where that is
// JSON already it is as it was written.
func value(text string) (json.RawMessage, *literal, error) {
	l := &literal{text: text, level: 1}
	raw, err := l.read()
	return raw, l, err
}

// read reads a value from the beginning of the text on.
func (l *literal) read() (json.RawMessage, error) {
	text := l.text
	if err := l.value(); err != nil {
		if l.tooLong(len(text)) {
			err = errPlain
		}
		return nil, err
	}
	if l.tooLong(l.at) {
		return nil, errPlain
	}
	if raw := text[:l.at]; json.Valid([]byte(raw)) {
		return json.RawMessage(raw), nil
	}
	return json.RawMessage(l.out.String()), nil
}

func (l *literal) tooLong(n int) bool { return l.may != nil && !l.own && n > l.most }

// next skips blanks and returns the byte that comes.
func (l *literal) next() (byte, error) {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; c {
		case ' ', '\t', '\n', '\r':
			l.at++
		default:
			return c, nil
		}
	}
	return 0, errMore
}

func (l *literal) value() error {
	c, err := l.next()
	if err != nil {
		return err
	}
	switch {
	case c == '"' || c == '\'':
		s, err := l.quoted()
		if err == nil {
			l.write(s)
		}
		return err
	case c == '{':
		return l.list('}', true)
	case c == '[':
		return l.list(']', false)
	}
	return l.bare()
}

// list reads an object or an array, from its bracket on. A comma may stand before the end.
func (l *literal) list(end byte, object bool) error {
	if l.depth++; l.depth > maxDepth {
		return errNot
	}
	l.out.WriteByte(l.text[l.at])
	l.at++
	for n := 0; ; n++ {
		c, err := l.next()
		if err != nil {
			return err
		}
		if c == end {
			break
		}
		if n > 0 {
			l.out.WriteByte(',')
		}
		if object {
			if err := l.key(':'); err != nil {
				return err
			}
		}
		if err := l.value(); err != nil {
			return err
		}
		if c, err = l.next(); err != nil {
			return err
		}
		if c == ',' {
			l.at++
		} else if c != end {
			return errNot
		}
	}
	l.out.WriteByte(end)
	l.at++
	l.depth--
	return nil
}

// arguments reads what stands between the parentheses of a call, which the text begins with:
// an object, or names with values. Values alone are told, since nobody knows their names.
func arguments(text string) (args json.RawMessage, l *literal, unnamed bool, err error) {
	l = &literal{text: text, at: 1, level: 1}
	c, err := l.next()
	if err != nil {
		return nil, l, false, err
	}
	start := l.at
	switch n := wordLen(text[start:]); {
	case c == ')':
		l.at++
		return json.RawMessage("{}"), l, false, nil
	case c == '{':
		if err := l.value(); err != nil {
			return nil, l, false, err
		}
		args = json.RawMessage(l.out.String())
		if raw := text[start:l.at]; json.Valid([]byte(raw)) {
			args = json.RawMessage(raw)
		}
	case start+n == len(text):
		return nil, l, false, errMore
	case n == 0 || strings.IndexByte("=: ", text[start+n]) < 0:
		unnamed = true
		args = json.RawMessage("null")
	default:
		return l.named()
	}
	for {
		c, err := l.next()
		switch {
		case err != nil:
			return nil, l, unnamed, err
		case c == ')':
			l.at++
			return args, l, unnamed, nil
		case c == ',':
			l.at++
			continue
		case !unnamed:
			return nil, l, false, errNot
		}
		if err := l.value(); err != nil {
			return nil, l, true, err
		}
	}
}

// named reads the arguments of a call by their names.
func (l *literal) named() (args json.RawMessage, _ *literal, unnamed bool, err error) {
	l.depth = 1
	l.out.WriteByte('{')
	for n := 0; ; n++ {
		c, err := l.next()
		if err != nil {
			return nil, l, false, err
		}
		if c == ')' {
			break
		}
		if n > 0 {
			l.out.WriteByte(',')
		}
		if err := l.key('='); err != nil {
			return nil, l, false, err
		}
		if err := l.value(); err != nil {
			return nil, l, false, err
		}
		if c, err = l.next(); err != nil {
			return nil, l, false, err
		}
		if c == ',' {
			l.at++
		} else if c != ')' {
			return nil, l, false, errNot
		}
	}
	l.at++
	l.out.WriteByte('}')
	return json.RawMessage(l.out.String()), l, false, nil
}

// key reads a key and the sign behind it, which may be a colon in any case. One that is no
// string is a word.
func (l *literal) key(sign byte) error {
	var key string
	var err error
	if c := l.text[l.at]; c == '"' || c == '\'' {
		key, err = l.quoted()
	} else {
		key, err = l.word()
	}
	if err != nil {
		return err
	}
	c, err := l.next()
	if err != nil {
		return err
	}
	if c != sign && c != ':' {
		return errNot
	}
	l.at++
	if l.depth == l.level {
		if l.may != nil && !l.sure && !l.may(key) || l.tooLong(l.at) {
			return errPlain
		}
		l.own = l.own || slices.Contains(ownKeys, key)
		l.sure = l.sure || key != "name" && key != "input" && slices.Contains(ownKeys, key)
		l.keys = append(l.keys, key)
	}
	l.write(key)
	l.out.WriteByte(':')
	return nil
}

func (l *literal) word() (string, error) {
	n := wordLen(l.text[l.at:])
	if l.at+n == len(l.text) {
		return "", errMore
	}
	if n == 0 {
		return "", errNot
	}
	l.at += n
	return l.text[l.at-n : l.at], nil
}

// maxBare bounds how long a number is.
const maxBare = 64

// bare reads a number or a word that is a value.
func (l *literal) bare() error {
	n := 0
	for l.at+n < len(l.text) && n <= maxBare && strings.IndexByte(",]}) \t\r\n:", l.text[l.at+n]) < 0 {
		n++
	}
	if n > maxBare {
		return errNot
	}
	said := l.text[l.at : l.at+n]
	whole := l.at+n < len(l.text)
	for _, w := range [][2]string{{"true", "true"}, {"false", "false"}, {"null", "null"}, {"True", "true"}, {"False", "false"}, {"None", "null"}} {
		if said == w[0] && whole {
			l.at += n
			l.out.WriteString(w[1])
			return nil
		}
		if !whole && strings.HasPrefix(w[0], said) {
			return errMore
		}
	}
	if strings.Trim(said, "0123456789+-.eE") != "" || said == "" {
		return errNot
	}
	if !whole {
		return errMore
	}
	if !json.Valid([]byte(said)) {
		return errNot
	}
	l.at += n
	l.out.WriteString(said)
	return nil
}

// quoted reads a string, which may go over lines.
func (l *literal) quoted() (string, error) {
	var s strings.Builder
	quote := l.text[l.at]
	for i := l.at + 1; i < len(l.text); {
		c := l.text[i]
		switch {
		case c == quote:
			l.at = i + 1
			return s.String(), nil
		case c != '\\':
			s.WriteByte(c)
			i++
			continue
		}
		r, n := escaped(l.text[i:])
		if n == 0 {
			return "", errMore
		}
		s.WriteString(r)
		i += n
	}
	return "", errMore
}

// escaped reads an escape; a length of 0 says that it isn't whole.
func escaped(text string) (said string, n int) {
	if len(text) < 2 {
		return "", 0
	}
	switch c := text[1]; c {
	case 'n':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'r':
		return "\r", 2
	case 'b', 'f':
		return " ", 2
	case 'u', 'x':
		digits := 4
		if c == 'x' {
			digits = 2
		}
		if len(text) < 2+digits {
			return "", 0
		}
		code, err := strconv.ParseUint(text[2:2+digits], 16, 32)
		if err != nil {
			return text[:2], 2
		}
		if code < 0xD800 || code > 0xDFFF {
			return string(rune(code)), 2 + digits
		}
		var both string // a pair of surrogates is one character
		if len(text) >= 12 && json.Unmarshal([]byte(`"`+text[:12]+`"`), &both) == nil && utf8.RuneCountInString(both) == 1 {
			return both, 12
		}
		if len(text) < 12 && strings.HasPrefix(`\u`, text[6:min(len(text), 8)]) {
			return "", 0
		}
		return string(utf8.RuneError), 6
	case '"', '\'', '\\', '/':
		return text[1:2], 2
	}
	return text[:1], 1 // as Python has it: the backslash itself
}

// write puts a string out as JSON.
func (l *literal) write(s string) {
	text, err := json.Marshal(s)
	if err == nil { // can't fail: it is a string
		l.out.Write(text)
	}
}

// wordLen is how many bytes of a text are a name's.
func wordLen(text string) int {
	for i := range len(text) {
		if !wordByte(text[i]) {
			return i
		}
	}
	return len(text)
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
