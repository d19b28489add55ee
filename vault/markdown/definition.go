package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// isDefinition reports whether the text starts with a link reference definition.
func isDefinition(text []byte) bool {
	line, _ := cutLine(bytes.TrimLeft(text, " "), 0)
	end := bytes.Index(line, []byte("]:"))
	return end > 0 && line[0] == '[' && bytes.IndexByte(line[1:end], '[') < 0
}

// A definitionParser finds the end of the link reference definitions that a
// paragraph starts with. It makes its parser when it is first asked.
type definitionParser struct {
	parser parser.Parser
}

// skip returns the length of the definitions; all is true if there is nothing else.
func (p *definitionParser) skip(paragraph []byte) (length int, all bool) {
	if p.parser == nil {
		p.parser = parser.NewParser(
			parser.WithBlockParsers(
				util.Prioritized(parser.NewSetextHeadingParser(), 0),
				util.Prioritized(parser.NewParagraphParser(), 1)),
			parser.WithParagraphTransformers(util.Prioritized(parser.LinkReferenceParagraphTransformer, 0)))
	}
	underlined := slices.Concat(bytes.TrimRight(paragraph, "\r\n"), []byte("\n===\n"))
	last := p.parser.Parse(text.NewReader(underlined)).LastChild()
	if last == nil || last.Kind() != ast.KindHeading || last.Lines().Len() == 0 {
		return 0, true
	}
	start := last.Lines().At(0).Start
	return bytes.LastIndexByte(underlined[:start], '\n') + 1, false
}

// underlined returns the part of the open paragraph that a line below it makes a
// heading: what is behind its link reference definitions. False if there is nothing.
func (s *scanner) underlined() (paragraph, bool) {
	p := s.para
	text := s.out.src[p.start:p.end]
	if len(s.stack) > 0 || len(text) > maxParagraph || !isDefinition(text) {
		return p, true
	}
	length, all := s.links.skip(text)
	p.line += bytes.Count(text[:length], []byte("\n"))
	p.start += length
	return p, !all
}
