package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"kist/vault/markdown/inline"
)

// A plainTexter turns inline Markdown into plain text. It makes its parser when
// it first meets markup; most headings have none.
type plainTexter struct {
	parser parser.Parser
}

// maxInline is the length above which a heading is taken as it is: the inline
// parser's cost can grow with the square of the length.
const maxInline = 2048

func (p *plainTexter) text(src []byte) string {
	if len(src) > maxInline || !bytes.ContainsAny(src, "*_`[]<!\\&") {
		return strings.Join(strings.Fields(strings.ToValidUTF8(string(src), "\uFFFD")), " ")
	}
	src = inline.WikiLink.ReplaceAllFunc(src, func(link []byte) []byte {
		m := inline.WikiLink.FindSubmatch(link)
		switch {
		case link[0] == '!' && len(bytes.Trim(m[2], "0123456789x")) == 0: // what it shows is no text of this one, nor how wide that is
			return nil
		case len(m[2]) > 0:
			return m[2]
		}
		return m[1]
	})
	if p.parser == nil {
		p.parser = parser.NewParser(
			parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 0)),
			parser.WithInlineParsers(parser.DefaultInlineParsers()...))
	}
	var out strings.Builder
	// The walker never fails: the visitor returns no error.
	_ = ast.Walk(p.parser.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			writePlain(&out, n, src)
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(strings.ToValidUTF8(out.String(), "\uFFFD")), " ")
}

func writePlain(out *strings.Builder, n ast.Node, src []byte) {
	switch n := n.(type) {
	case *ast.Text:
		value := n.Segment.Value(src)
		if n.Parent() == nil || n.Parent().Kind() != ast.KindCodeSpan {
			value = util.UnescapePunctuations(value)
			value = util.ResolveEntityNames(util.ResolveNumericReferences(value))
		}
		out.Write(value)
		if n.SoftLineBreak() || n.HardLineBreak() {
			out.WriteByte(' ')
		}
	case *ast.String:
		out.Write(n.Value)
	case *ast.AutoLink:
		out.Write(n.Label(src))
	}
}
