package link

import (
	"regexp"
	"strings"

	"kist/vault/markdown"
)

var wiki = regexp.MustCompile(`\[\[[^\[\]\n]+\]\]`)

// Relinks returns the edits with which the links of a document at a path mean what they meant, in order, and
// the links for which there is no way, such as [Move.Relink].
type Relinks func(doc *markdown.Document, p string) ([]markdown.Edit, []markdown.Link)

// Refilter returns the edits with which the wiki links in a file of Obsidian's Bases (YAML with
// expressions in it) at a path mean what they meant, and the offsets of those for which there is no
// way: a name with a quotation mark, a colon or a backslash would mean something to the YAML or to
// the expression around it.
func Refilter(base []byte, p string, relinks Relinks) (edits []markdown.Edit, left []int) {
	for _, at := range wiki.FindAllIndex(base, -1) {
		changes, not := relinks(markdown.Parse(base[at[0]:at[1]]), p)
		for _, e := range changes {
			if strings.ContainsAny(string(e.Text), `"':\`) {
				not = append(not, markdown.Link{})
				continue
			}
			edits = append(edits, markdown.Edit{Start: at[0] + e.Start, End: at[0] + e.End, Text: e.Text})
		}
		if len(not) > 0 {
			left = append(left, at[0])
		}
	}
	return edits, left
}
