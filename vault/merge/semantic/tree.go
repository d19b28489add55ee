package semantic

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"kist/vault/markdown"
)

// A kind is what a node is.
type kind int

const (
	entire    kind = iota // the whole
	heading               // a section: its heading, and below it what belongs to it
	item                  // a list item, and below it the items inside
	table                 // a table's head, and below it the rows
	row                   // of a table
	paragraph             // also a quote
	verbatim              // code or HTML: its words mean nothing alone
)

// A node is a part of a document that is merged as one: lines that belong together.
// Nodes stand in the order of the text; their lines and the blank lines behind each are
// the whole of it.
type node struct {
	kind     kind
	level    int    // of a heading; of an item its indentation in columns
	text     string // its own lines, with their endings
	gap      string // the blank lines behind it
	name     string // what it is told by, without what is often changed: marks, numbers, blanks
	parent   *node
	children []*node
	id       int    // in the merge; the same in all versions that have it
	index    int    // in the tree's list
	order    string // see letters; worked out when it is first asked for
}

// A tree is a document's body as nodes.
type tree struct {
	lead  string // blank lines before the first node
	nodes []*node
	root  *node
}

// parse reads a body: text with line feeds alone, and one behind the last line.
func parse(text string) *tree {
	t := &tree{root: &node{kind: entire}}
	p := parser{src: text, tree: t, sections: []*node{t.root}}
	doc := markdown.Parse([]byte("\n" + text)) // behind an empty line no front matter begins
	var items []markdown.ListItem
	for _, i := range doc.ListItems() {
		items = append(items, markdown.ListItem{Start: i.Start - 1, End: i.End - 1})
	}
	at := 0
	for _, s := range doc.Sections() {
		start, content := s.Start-1, s.ContentStart-1
		if s.Level > 0 {
			items = p.content(at, start, items)
			p.heading(s.Level, text[start:content], s.Heading())
			at = content
		}
	}
	p.content(at, len(text), items)
	for _, n := range t.nodes {
		switch n.kind {
		case item:
			n.name = itemName(n.text)
		case row:
			n.name = rowName(n.text)
		case paragraph, verbatim, table:
			n.name = plain(n.text)
		}
	}
	return t
}

// A parser builds a tree.
type parser struct {
	src      string
	tree     *tree
	sections []*node // that are open, the body first
	items    []*node // that are open
	ends     []int   // of these
}

func (p *parser) add(parent, n *node) *node {
	n.parent, n.index = parent, len(p.tree.nodes)
	parent.children = append(parent.children, n)
	p.tree.nodes = append(p.tree.nodes, n)
	return n
}

func (p *parser) section() *node { return p.sections[len(p.sections)-1] }

func (p *parser) heading(level int, text, title string) {
	for len(p.sections) > 1 && p.section().level >= level {
		p.sections = p.sections[:len(p.sections)-1]
	}
	n := p.add(p.section(), &node{kind: heading, level: level, text: text, name: strings.ToLower(title)})
	p.sections = append(p.sections, n)
}

// content reads what is between two headings, and returns the items behind it.
func (p *parser) content(at, end int, items []markdown.ListItem) []markdown.ListItem {
	p.items, p.ends = nil, nil
	var open *node // what the next line may belong to
	fence := ""
	for at < end {
		next := end
		if i := strings.IndexByte(p.src[at:end], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := p.src[at:next]
		for len(p.ends) > 0 && at >= p.ends[len(p.ends)-1] {
			p.items, p.ends = p.items[:len(p.items)-1], p.ends[:len(p.ends)-1]
			open = nil
		}
		switch {
		case len(items) > 0 && items[0].Start == at:
			fence = "" // what looked like one wasn't
			open = p.item(line)
			p.items, p.ends = append(p.items, open), append(p.ends, items[0].End)
			items = items[1:]
		case len(p.items) > 0:
			open = p.inside(open, line)
		default:
			open = p.outside(open, line, &fence)
		}
		at = next
	}
	return items
}

// item begins a list item.
func (p *parser) item(line string) *node {
	parent := p.section()
	if len(p.items) > 0 {
		parent = p.items[len(p.items)-1]
	}
	return p.add(parent, &node{kind: item, text: line, level: columns(line)})
}

// inside takes in a line of an item that no item begins on: it goes on with the item, or
// is a paragraph behind the items inside.
func (p *parser) inside(open *node, line string) *node {
	in := p.items[len(p.items)-1]
	if open == nil {
		if blank(line) {
			p.blank(line)
			return nil
		}
		return p.add(in, &node{kind: paragraph, text: line})
	}
	if blank(line) {
		open.gap += line
		return open
	}
	open.text += open.gap + line
	open.gap = ""
	return open
}

// blank takes in a blank line that is in no node.
func (p *parser) blank(line string) {
	if n := len(p.tree.nodes); n > 0 {
		p.tree.nodes[n-1].gap += line
		return
	}
	p.tree.lead += line
}

// outside takes in a line outside of lists. The fence is what closes the code that
// is open.
func (p *parser) outside(open *node, line string, fence *string) *node {
	if *fence != "" {
		open.text += open.gap + line
		open.gap = ""
		if t := strings.TrimSpace(line); strings.HasPrefix(t, *fence) && strings.Trim(t, (*fence)[:1]) == "" {
			*fence = ""
			return nil
		}
		return open
	}
	if blank(line) {
		p.blank(line)
		return nil
	}
	if f := opensFence(line); f != "" && (open == nil || open.kind != verbatim) {
		*fence = f
		return p.add(p.section(), &node{kind: verbatim, text: line})
	}
	switch {
	case open != nil && open.kind == table:
		p.add(open, &node{kind: row, text: line})
		return open
	case open != nil && open.kind == paragraph && isDelimiter(line) && strings.Count(open.text, "\n") == 1 &&
		strings.Contains(open.text, "|"):
		open.kind, open.text = table, open.text+line
		return open
	case open != nil && open.kind != heading:
		open.text += line
		return open
	}
	k := paragraph
	if strings.HasPrefix(line, "<") || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
		k = verbatim
	}
	return p.add(p.section(), &node{kind: k, text: line})
}

// opensFence returns what closes the code that a line opens, "" if it opens none.
func opensFence(line string) string {
	t := strings.TrimLeft(line, " ")
	if len(line)-len(t) > 3 || t == "" || t[0] != '`' && t[0] != '~' {
		return ""
	}
	n := len(t) - len(strings.TrimLeft(t, t[:1]))
	if n < 3 || t[0] == '`' && strings.Contains(t[n:], "`") {
		return ""
	}
	return t[:n]
}

// isDelimiter reports whether a line is the one below a table's head.
func isDelimiter(line string) bool {
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|:- \t\n") == ""
}

// columns returns how far a line is indented; a tab reaches to the next multiple of four.
func columns(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

// plain returns a text in lower case, with single blanks.
func plain(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

var marker = regexp.MustCompile(`^([ \t]*)([-*+]|[0-9]{1,9}[.)])([ \t]*)(?:\[(.)\](?:([ \t]+)|(\n)))?`)

// itemName returns an item's text without its marker and box.
func itemName(text string) string {
	return plain(marker.ReplaceAllString(text, ""))
}

// rowName returns the first cell of a row that says something.
func rowName(line string) string {
	for _, c := range cells(line) {
		c = strings.TrimSpace(c)
		if strings.ContainsFunc(c, saying) && !(len(c) == 3 && c[0] == '[' && c[2] == ']') {
			return plain(c)
		}
	}
	return ""
}

func saying(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// cells cuts a row at its bars; those behind a backslash or in code don't count. The
// bars at the ends are no cells.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	var list []string
	at, code := 0, false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '`':
			code = !code && strings.IndexByte(line[i+1:], '`') >= 0
		case '|':
			if !code {
				list, at = append(list, line[at:i]), i+1
			}
		}
	}
	if !blank(line[at:]) {
		list = append(list, line[at:])
	}
	return list
}

// own returns all that is in a node but for the sections below it.
func own(n *node) (list []*node) {
	for _, c := range n.children {
		if c.kind != heading {
			list = append(list, c)
			list = append(list, own(c)...)
		}
	}
	return list
}

// letters returns what a node is put in order by.
func (n *node) letters() string {
	if n.order == "" {
		n.order = n.name + "\n" + n.with(func(c *node) string { return c.text })
	}
	return n.order
}

// with returns something of a node and of each directly in it.
func (n *node) with(of func(*node) string) string {
	var b strings.Builder
	b.WriteString(of(n))
	for _, c := range n.children {
		b.WriteString(of(c))
	}
	return b.String()
}

func listed(n *node) bool { return n.kind == item || n.kind == row }

func notHeading(n *node) bool { return n.kind != heading }

// childIndex returns a node's place among those in its parent.
func childIndex(n *node) int {
	for i, c := range n.parent.children {
		if c == n {
			return i
		}
	}
	return 0
}

// String returns the text that the tree was parsed from.
func (t *tree) String() string {
	var b bytes.Buffer
	b.WriteString(t.lead)
	for _, n := range t.nodes {
		b.WriteString(n.text)
		b.WriteString(n.gap)
	}
	return b.String()
}
