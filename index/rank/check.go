package rank

import (
	"bytes"
	"kist/index/match"
	"kist/index/page"
	"slices"
	"strings"
)

// A check is a phrase that a file's live text must have, or must not have.
type check struct {
	phrase match.Phrase
	fields page.Fields
	not    bool
	may    map[int32]bool // the files that can have it; nil: any

	text     string         // of the query
	together bool           // the index has told that its words stand together
	unsure   map[int32]bool // but for these files
}

// passes is search.passes of a file that was read.
func passes(f *page.File, checks []check) bool {
	return !slices.ContainsFunc(checks, func(c check) bool { return has(f, c) == c.not })
}

func has(f *page.File, c check) bool {
	if c.fields == 0 {
		return c.phrase.In(bytes.ToLower(f.Raw))
	}
	if c.fields.Has(page.FieldTitle) && c.phrase.In([]byte(strings.ToLower(f.Title))) {
		return true
	}
	return slices.ContainsFunc(f.Sections, func(s page.Part) bool {
		return c.fields.Has(page.FieldHeadings) && c.phrase.In([]byte(strings.ToLower(strings.Join(s.Headings, "\n")))) ||
			c.fields.Has(page.FieldBody) && c.phrase.In(bytes.ToLower(f.Text[min(s.Content, s.End):s.End]))
	})
}
