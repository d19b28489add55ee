package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"kist/vault/pattern"
)

// Limits of front matter. The first bounds the cost of the YAML parser: the
// worst 64 KiB known take it about 20 ms as long as it makes nodes of them and
// nothing else, as here. Decoding them could take seconds: it compares each key
// with each other, and follows merge keys and aliases.
const (
	maxYAML  = 64 << 10
	maxKeys  = 500
	maxDepth = 20
)

var (
	mergeMarker   = pattern.Lazy(`(?m)^(<{7,}|>{7,})( |\r?$)`)
	yamlLine      = pattern.Lazy(`^yaml: line (\d+): (.*)`)
	unknownAnchor = pattern.Lazy(`^unknown anchor '(.+)' referenced$`)
)

// parseYAML returns the mapping that src[start:end] holds, nil if it holds
// nothing. It checks all limits, the size before the parser is called. An alias
// is no error of the parse: it is reported apart, as the fault that it is for readers.
func parseYAML(src []byte, start, end int) (root *yaml.Node, alias, err error) {
	text := src[start:end]
	if err := guard(src, start, end); err != nil {
		return nil, nil, err
	}
	root, err = decode(text)
	if err != nil {
		return nil, nil, yamlError(src, start, end, err)
	}
	if root == nil || isEmptyNode(root) {
		return nil, nil, nil
	}
	c := checker{lines: newLineTable(src, start, end), src: src}
	if root.Kind != yaml.MappingNode {
		return nil, nil, c.fault(root, "not a list of \"key: value\" lines")
	}
	if err := c.check(root, 1); err != nil {
		return nil, nil, err
	}
	return root, c.alias, nil
}

// guard refuses what would be expensive or is certainly wrong.
func guard(src []byte, start, end int) error {
	text := src[start:end]
	fault := func(at int, format string, args ...any) error {
		line, column := position(src, at)
		return &SyntaxError{Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
	}
	if len(text) > maxYAML {
		return fault(start, "larger than %d KiB", maxYAML>>10)
	}
	if at := mergeMarker().FindIndex(text); at != nil {
		return fault(start+at[0], "a merge conflict marker")
	}
	if !utf8.Valid(text) {
		at := len(string(bytes.ToValidUTF8(text, nil)))
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 {
				at = i
				break
			}
			i += size
		}
		return fault(start+at, "not UTF-8")
	}
	return nil
}

// decode parses one YAML document; nil for none.
func decode(text []byte) (root *yaml.Node, err error) {
	// The parser reports its own errors by panicking and recovering; a panic
	// that gets out is a fault in it, caused by this text.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("yaml: the parser gave up: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, err
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("yaml: more than one document")
		}
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// yamlError gives the parser's error its position in the file.
func yamlError(src []byte, start, end int, err error) error {
	line, message := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := unknownAnchor().FindStringSubmatch(message); m != nil {
		at := bytes.Index(src[start:end], []byte("*"+m[1]))
		fileLine, column := position(src, start+max(at, 0))
		return &SyntaxError{Line: fileLine, Column: column, Message: message}
	}
	if m := yamlLine().FindStringSubmatch(err.Error()); m != nil {
		line, _ = strconv.Atoi(m[1]) // digits by the expression
		message = m[2]
		// The parser counts from 0 where its grammar fails, the scanner from 1.
		if strings.HasPrefix(message, "did not find expected") {
			line++
		}
	}
	at := newLineTable(src, start, end).start(line)
	if blamed := blame(src[start:end], at-start, message); blamed >= 0 {
		at = start + blamed
	} else {
		at += len(src[at:end]) - len(bytes.TrimLeft(src[at:end], " \t"))
	}
	fileLine, column := position(src, at)
	return &SyntaxError{Line: fileLine, Column: column, Message: message}
}

// blame is where the parser finds a fault, of which it tells a line alone, and that may be one
// behind: what ends the shortest beginning of the text with which it says the same. Negative:
// it can't be told, or is too much work.
func blame(text []byte, line int, message string) int {
	const longest, most = 200, 4 << 10 // bytes: some milliseconds
	if len(text) > most {
		return -1
	}
	says := func(end int) bool {
		_, err := decode(text[:end])
		return err != nil && strings.HasSuffix(err.Error(), message)
	}
	for line > 0 && says(line) {
		line = bytes.LastIndexByte(text[:line-1], '\n') + 1
	}
	for i := line + 1; i <= min(len(text), line+longest); i++ {
		if (i == len(text) || utf8.RuneStart(text[i])) && says(i) {
			_, size := utf8.DecodeLastRune(text[line:i])
			return i - size
		}
	}
	return -1
}

// A checker holds parsed YAML against the limits.
type checker struct {
	src   []byte
	lines lineTable
	keys  int
	alias error // the first alias, as a fault
}

func (c *checker) check(n *yaml.Node, depth int) error {
	if depth > maxDepth {
		return c.fault(n, "nested deeper than "+strconv.Itoa(maxDepth))
	}
	switch n.Kind {
	case yaml.AliasNode:
		if c.alias == nil {
			c.alias = c.fault(n, "aliases (*"+n.Value+") are not supported")
		}
		return nil
	case yaml.MappingNode:
		if err := c.checkKeys(n); err != nil {
			return err
		}
	}
	for _, child := range n.Content {
		if err := c.check(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// checkKeys counts a mapping's keys and finds one that is there twice.
func (c *checker) checkKeys(n *yaml.Node) error {
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if c.keys++; c.keys > maxKeys {
			return c.fault(key, "more than "+strconv.Itoa(maxKeys)+" keys")
		}
		if key.Kind == yaml.AliasNode {
			return c.fault(key, "an alias (*"+key.Value+") as a key is not supported")
		}
		if key.Kind != yaml.ScalarNode {
			continue
		}
		if seen[key.Value] {
			return c.fault(key, fmt.Sprintf("key %q is there twice", key.Value))
		}
		seen[key.Value] = true
	}
	return nil
}

func (c *checker) fault(n *yaml.Node, message string) error {
	line, column := position(c.src, c.lines.offset(n))
	return &SyntaxError{Line: line, Column: column, Message: message}
}

// A lineTable turns the line and column of a YAML node into an offset.
type lineTable struct {
	src    []byte
	starts []int
	end    int
}

// newLineTable finds the lines of src[start:end] as YAML 1.1 has them: it also
// breaks at a lone CR and at U+0085, U+2028 and U+2029.
func newLineTable(src []byte, start, end int) lineTable {
	t := lineTable{src: src, starts: []int{start}, end: end}
	for at := start; at < end; {
		n := yamlBreak(src[at:end])
		at += max(n, 1)
		if n > 0 {
			t.starts = append(t.starts, at)
		}
	}
	return t
}

// yamlBreak returns the length of the line break that text starts with, 0 if it doesn't.
func yamlBreak(text []byte) int {
	switch {
	case text[0] == '\n':
		return 1
	case text[0] == '\r' && len(text) > 1 && text[1] == '\n':
		return 2
	case text[0] == '\r':
		return 1
	case text[0] == 0xC2 && len(text) > 1 && text[1] == 0x85:
		return 2
	case text[0] == 0xE2 && len(text) > 2 && text[1] == 0x80 && text[2]&^1 == 0xA8:
		return 3
	}
	return 0
}

// start returns the offset of a line, from 1; of the nearest one there is.
func (t lineTable) start(line int) int {
	return t.starts[min(max(line, 1), len(t.starts))-1]
}

// offset returns where a node starts; columns count characters.
func (t lineTable) offset(n *yaml.Node) int {
	at := t.start(n.Line)
	for range n.Column - 1 {
		if at >= t.end {
			break
		}
		_, size := utf8.DecodeRune(t.src[at:t.end])
		at += size
	}
	return at
}
