package markdown

import (
	"fmt"
	"slices"
	"strings"
)

// InsertSection returns the edit that adds a section directly behind the named
// one and all that is below it, which is before the next heading of the same or
// a higher level. Level 0 means the level of the named section; the text may be
// empty. Line breaks in the heading become blanks. Blank lines to the neighbours
// are kept or made, and the text gets the document's line endings.
//
// The section is named as for [Document.EditSection], and the errors are the
// same; [ErrValue] also for a level above 6 and for a heading that would not
// read back as it is.
func (d *Document) InsertSection(after string, level int, heading string, text []byte) (Edit, error) {
	s, text, err := d.newSection(after, level, heading, text)
	if err != nil {
		return Edit{}, err
	}
	end := len(d.src)
	sections := d.Sections()
	i := slices.IndexFunc(sections, func(other Section) bool { return other.Start == s.Start && other.Level > 0 })
	for _, other := range sections[i+1:] {
		if other.Level <= s.Level {
			end = other.Start
			break
		}
	}
	p := d.place(s.ContentStart, end)
	p.next, p.setext = end < len(d.src), true
	if o := d.blocks(); end == len(d.src) && o.unclosed != "" {
		return Edit{}, d.unsupported(end, "the section ends in a code or HTML block that is not closed")
	}
	edit := d.insertAfter(p, text, lineEnding(d.src))
	return edit, d.checkSections(edit, end, text, Append)
}

// InsertSectionBefore is [Document.InsertSection] for a section directly before
// the named one.
func (d *Document) InsertSectionBefore(before string, level int, heading string, text []byte) (Edit, error) {
	s, text, err := d.newSection(before, level, heading, text)
	if err != nil {
		return Edit{}, err
	}
	nl := lineEnding(d.src)
	lead := ""
	if p := d.place(d.layout.body, s.Start); p.core.start < p.core.end && strings.Count(string(d.src[p.core.end:s.Start]), "\n") < 2 {
		lead = nl
	}
	edit := Edit{Start: s.Start, End: s.Start, Text: slices.Concat([]byte(lead), text, []byte(nl+nl))}
	return edit, d.checkSections(edit, s.Start, text, Prepend)
}

// newSection returns the section of a name, and the lines of a new one beside it.
func (d *Document) newSection(name string, level int, heading string, text []byte) (Section, []byte, error) {
	if _, err := d.properties(); err != nil {
		return Section{}, nil, err
	}
	s, err := d.section(name)
	if err != nil {
		return Section{}, nil, err
	}
	if level == 0 {
		level = s.Level
	}
	heading = strings.Join(strings.Fields(heading), " ")
	if level < 1 || level > 6 {
		return Section{}, nil, fmt.Errorf("level %d: %w", level, ErrValue)
	}
	head := strings.Repeat("#", level) + " " + heading
	if o := scan([]byte(head), 0); heading == "" || len(o.headings) != 1 || head[o.headings[0].from:o.headings[0].to] != heading {
		return Section{}, nil, fmt.Errorf("heading %q: %w", heading, ErrValue)
	}
	nl := lineEnding(d.src)
	if text = normalize(text, nl); len(text) > 0 {
		head += nl + nl
	}
	return s, append([]byte(head), text...), nil
}
