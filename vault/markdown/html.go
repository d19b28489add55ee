package markdown

import (
	"bytes"

	"kist/vault/pattern"
)

// htmlKind is the start condition of an HTML block in the numbering of the
// CommonMark specification, section 4.6.
type htmlKind int

const (
	htmlNone        htmlKind = iota
	htmlVerbatim             // <script>, <pre>, <style>, <textarea>
	htmlComment              // <!-- -->
	htmlInstruction          // <? ?>
	htmlDeclaration          // <!X >
	htmlCDATA                // <![CDATA[ ]]>
	htmlBlock                // a block-level tag, up to a blank line
	htmlAny                  // any other whole tag, up to a blank line
)

var (
	verbatimStart = pattern.Lazy(`(?i)^<(script|pre|style|textarea)([ \t>]|$)`)
	verbatimEnd   = pattern.Lazy(`(?i)</(script|pre|style|textarea)>`)
	blockStart    = pattern.Lazy(`(?i)^</?(address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)([ \t]|/?>|$)`)
	verbatimTag   = pattern.Lazy(`(?i)^</(script|pre|style|textarea)[ \t]*>`)
	anyTag        = pattern.Lazy(`^<([a-zA-Z][a-zA-Z0-9-]*([ \t]+[a-zA-Z_:][a-zA-Z0-9_.:-]*([ \t]*=[ \t]*([^ \t"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?)*[ \t]*/?|/[a-zA-Z][a-zA-Z0-9-]*[ \t]*)>[ \t]*$`)
)

// htmlStart returns the kind of HTML block that the line starts, 0 if none. Any
// tag but a block-level one can't interrupt a paragraph.
func htmlStart(line []byte, paragraph bool) htmlKind {
	line = bytes.TrimSuffix(line, []byte("\r"))
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return htmlComment
	case bytes.HasPrefix(line, []byte("<?")):
		return htmlInstruction
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return htmlCDATA
	case len(line) > 2 && line[1] == '!' && isLetter(line[2]):
		return htmlDeclaration
	case verbatimStart().Match(line):
		return htmlVerbatim
	case blockStart().Match(line):
		return htmlBlock
	case !paragraph && anyTag().Match(line) && !verbatimTag().Match(line):
		return htmlAny
	}
	return htmlNone
}

// ends reports whether the block ends with this line.
func (k htmlKind) ends(line []byte, blank bool) bool {
	switch k {
	case htmlBlock, htmlAny:
		return blank
	case htmlVerbatim:
		return verbatimEnd().Match(line)
	}
	return bytes.Contains(line, []byte(k.closer()))
}

// closer returns a line that ends the block, "" where a blank line does.
func (k htmlKind) closer() string {
	switch k {
	case htmlVerbatim:
		return "</pre>"
	case htmlComment:
		return "-->"
	case htmlInstruction:
		return "?>"
	case htmlDeclaration:
		return ">"
	case htmlCDATA:
		return "]]>"
	}
	return ""
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
