package markdown

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// The YAML parser says where a value starts but not where it ends. What follows
// finds the end by the value's style; edits check the result by parsing it
// alone.

// locate finds the value of an entry of a block mapping. Where the key is
// written in a way that isn't understood here, colon stays 0.
func (e *entry) locate(src []byte, key *yaml.Node, lines lineTable) {
	after, ok := keyEnd(src, e.name, e.limit, key)
	if !ok {
		return
	}
	e.colon, e.first, e.end = after, after, after
	at := skipSpace(src, after, e.limit)
	if at >= e.limit || isEmptyNode(e.value) {
		return
	}
	e.first = at
	e.end = nodeEnd(src, at, e.limit, e.value, lines)
}

// locateFlow finds the value of an entry of a mapping in braces; only for display.
func (e *entry) locateFlow(src []byte) {
	if i := bytes.IndexByte(src[e.name:e.limit], ':'); i >= 0 {
		at := skipSpace(src, e.name+i+1, e.limit)
		e.first, e.end = at, flowScalarEnd(src, at, e.limit)
	}
}

// keyEnd returns the offset behind the colon of the key at the offset at.
func keyEnd(src []byte, at, limit int, key *yaml.Node) (int, bool) {
	if key.Kind != yaml.ScalarNode || key.Anchor != "" || key.Style&yaml.TaggedStyle != 0 {
		return 0, false
	}
	end := at
	switch {
	case key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		end = quotedEnd(src, at, limit)
	case bytes.HasPrefix(src[at:limit], []byte(key.Value)):
		end = at + len(key.Value)
	default:
		return 0, false
	}
	for end < limit && isBlank(src[end]) {
		end++
	}
	if end >= limit || src[end] != ':' {
		return 0, false
	}
	return end + 1, true
}

// nodeEnd returns the offset behind the node that starts at the offset at.
func nodeEnd(src []byte, at, limit int, n *yaml.Node, lines lineTable) int {
	at = skipProperties(src, at, limit)
	switch {
	case at >= limit:
		return limit
	case n.Kind == yaml.AliasNode:
		return wordEnd(src, at, limit)
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return blockScalarEnd(src, at, limit)
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return quotedEnd(src, at, limit)
	case n.Kind == yaml.ScalarNode:
		return plainEnd(src, at, limit)
	case n.Style&yaml.FlowStyle != 0:
		return flowEnd(src, at, limit)
	}
	// A list or mapping of lines ends where its last member does.
	last := n.Content[len(n.Content)-1]
	if isEmptyNode(last) {
		return contentEnd(src, at, limit)
	}
	return nodeEnd(src, lines.offset(last), limit, last, lines)
}

// isEmptyNode reports whether a value isn't written at all, as in "key:".
func isEmptyNode(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Anchor == "" &&
		n.Style&^yaml.TaggedStyle == 0 && n.Tag == "!!null"
}

// skipSpace returns the offset of the next thing that is not white space or a comment.
func skipSpace(src []byte, at, limit int) int {
	for at < limit {
		switch {
		case isBlank(src[at]):
			at++
		case src[at] == '#':
			at = lineEnd(src, at, limit)
		case yamlBreak(src[at:limit]) > 0:
			at += yamlBreak(src[at:limit])
		default:
			return at
		}
	}
	return limit
}

// skipProperties skips anchors and tags.
func skipProperties(src []byte, at, limit int) int {
	for at < limit && (src[at] == '&' || src[at] == '!') {
		at = skipSpace(src, wordEnd(src, at, limit), limit)
	}
	return at
}

// wordEnd returns the offset of the next blank or line break.
func wordEnd(src []byte, at, limit int) int {
	for at < limit && !isBlank(src[at]) && yamlBreak(src[at:limit]) == 0 {
		at++
	}
	return at
}

// lineEnd returns the offset of the line break behind at.
func lineEnd(src []byte, at, limit int) int {
	for at < limit && yamlBreak(src[at:limit]) == 0 {
		at++
	}
	return at
}

// quotedEnd returns the offset behind the quoted text that starts at the offset at.
func quotedEnd(src []byte, at, limit int) int {
	quote := src[at]
	for i := at + 1; i < limit; i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] == quote && quote == '\'' && i+1 < limit && src[i+1] == quote:
			i++
		case src[i] == quote:
			return i + 1
		}
	}
	return limit
}

// flowEnd returns the offset behind the bracket that closes the one at the offset at.
func flowEnd(src []byte, at, limit int) int {
	depth := 0
	for i := at; i < limit; i++ {
		before := src[max(i-1, at)]
		switch b := src[i]; b {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			// Inside of a plain text a quote has no meaning.
			if bytes.IndexByte([]byte(" \t\r\n[{,:"), before) >= 0 {
				i = quotedEnd(src, i, limit) - 1
			}
		case '#':
			if isBlank(before) || before == '\n' || before == '\r' {
				i = lineEnd(src, i, limit) - 1
			}
		}
	}
	return limit
}

// flowScalarEnd returns the offset behind a value inside of braces.
func flowScalarEnd(src []byte, at, limit int) int {
	if at >= limit {
		return limit
	}
	switch src[at] {
	case '"', '\'':
		return quotedEnd(src, at, limit)
	case '[', '{':
		return flowEnd(src, at, limit)
	}
	end := at
	for end < limit && bytes.IndexByte([]byte(",}]\r\n"), src[end]) < 0 {
		end++
	}
	return at + len(trimBlanks(src[at:end]))
}

// plainEnd returns the offset behind an unquoted text, which may go on on
// further lines and ends at a comment.
func plainEnd(src []byte, at, limit int) int {
	end := at
	for at < limit {
		eol := lineEnd(src, at, limit)
		text := src[at:eol]
		for i := 1; i < len(text); i++ {
			if text[i] == '#' && isBlank(text[i-1]) {
				return max(end, at+len(trimBlanks(text[:i])))
			}
		}
		if len(bytes.TrimLeft(text, " \t")) > 0 {
			end = at + len(trimBlanks(text))
		}
		at = eol
		for at < limit && (isBlank(src[at]) || yamlBreak(src[at:limit]) > 0) {
			at += max(1, yamlBreak(src[at:limit]))
		}
		if at < limit && src[at] == '#' {
			return end
		}
	}
	return end
}

// blockScalarEnd returns the offset behind the last line of a text that starts
// with | or >. Blank lines behind it belong to it only if it says so by "+" or
// they have more blanks than its indentation.
func blockScalarEnd(src []byte, at, limit int) int {
	eol := lineEnd(src, at, limit)
	header, _, _ := bytes.Cut(src[at:eol], []byte("#"))
	header = trimBlanks(header)
	keep := bytes.IndexByte(header, '+') >= 0
	indent, end := 0, at+len(header)
	for at = nextLine(src, eol, limit); at < limit; {
		eol = lineEnd(src, at, limit)
		text := src[at:eol]
		spaces := len(text) - len(bytes.TrimLeft(text, " "))
		switch {
		case spaces == len(text):
			if keep || indent > 0 && spaces > indent {
				end = eol
			}
		case indent == 0 && spaces == 0, spaces < indent:
			return end
		default:
			if indent == 0 {
				indent = contentIndent(header, spaces)
			}
			end = eol
		}
		at = nextLine(src, eol, limit)
	}
	return end
}

// contentIndent returns the indentation of a block text's lines. With an
// indentation indicator it is at least 1; exactness isn't needed, since no
// less indented line but a comment can follow inside of the entry.
func contentIndent(header []byte, spaces int) int {
	if bytes.ContainsAny(header, "123456789") {
		return 1
	}
	return spaces
}

func nextLine(src []byte, eol, limit int) int {
	if eol >= limit {
		return limit
	}
	return eol + yamlBreak(src[eol:limit])
}

// contentEnd returns the end of the last line that isn't blank or a comment,
// without the comment behind it.
func contentEnd(src []byte, at, limit int) int {
	end := at
	for at < limit {
		eol := lineEnd(src, at, limit)
		if text := bytes.TrimLeft(src[at:eol], " \t"); len(text) > 0 && text[0] != '#' {
			end = plainEnd(src, at, eol)
		}
		at = nextLine(src, eol, limit)
	}
	return end
}
