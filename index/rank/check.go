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
func (d *Desk) passes(f *page.File, checks []check) bool {
	return len(checks) == 0 || d.has(f.Raw, checks) && !slices.ContainsFunc(checks, func(c check) bool { return c.fields != 0 && has(f, c) == c.not })
}

// has reports whether a text passes those of the checks that aren't of some fields alone.
func (d *Desk) has(text []byte, checks []check) bool {
	ascii := !slices.ContainsFunc(checks, func(c check) bool { return !c.phrase.ASCII() })
	buffer := d.lower(text, ascii)
	defer putBuffer(&d.buffers, buffer)
	return !slices.ContainsFunc(checks, func(c check) bool { return c.fields == 0 && c.phrase.In(*buffer) == c.not })
}

// has reports whether a file has a phrase in some fields.
func has(f *page.File, c check) bool {
	if c.fields.Has(page.FieldTitle) && c.phrase.In([]byte(strings.ToLower(f.Title))) {
		return true
	}
	return slices.ContainsFunc(f.Sections, func(s page.Part) bool {
		return c.fields.Has(page.FieldHeadings) && c.phrase.In([]byte(strings.ToLower(strings.Join(s.Headings, "\n")))) ||
			c.fields.Has(page.FieldBody) && c.phrase.In(bytes.ToLower(f.Text[min(s.Content, s.End):s.End]))
	})
}
