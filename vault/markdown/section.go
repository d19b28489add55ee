package markdown

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// How says what to do with a section's text.
type How string

// The ways to edit a section.
const (
	Replace How = "replace"
	Append  How = "append"
	Prepend How = "prepend"
)

// EditSection returns the edit that replaces the own text of a section, which
// reaches up to the next heading of any level, or adds text at its end or start.
// Blank lines to the neighbours are kept or made, and the text gets the
// document's line endings. It may hold headings of its own.
//
// The section is named by its heading, or by the end of its path ("Plan >
// Costs"), ignoring case; "Costs#2" is the second of that name in the document.
// [ErrNoSection], [ErrAmbiguous]; [ErrUnsupported] where the edit would change
// what the lines around it mean, as an unclosed code block would.
func (d *Document) EditSection(name string, how How, text []byte) (Edit, error) {
	if _, err := d.properties(); err != nil {
		return Edit{}, err
	}
	s, err := d.section(name)
	if err != nil {
		return Edit{}, err
	}
	return d.editSection(s, how, text)
}

func (d *Document) editSection(s Section, how How, text []byte) (Edit, error) {
	o := d.blocks()
	p := d.place(s.ContentStart, s.End)
	if s.End < len(d.src) {
		p.next = true
		p.setext = slices.ContainsFunc(o.headings, func(h heading) bool { return h.start == s.End && h.from == h.start })
	} else if o.unclosed != "" && how == Append {
		return Edit{}, d.unsupported(len(d.src), "the section ends in a code or HTML block that is not closed")
	}
	nl := lineEnding(d.src)
	text = normalize(text, nl)
	var edit Edit
	switch how {
	case Replace:
		edit = d.replace(p, slices.Clone(text), nl)
	case Append:
		edit = d.insertAfter(p, text, nl)
	case Prepend:
		edit = d.insertBefore(p, slices.Clone(text), nl)
	default:
		return Edit{}, fmt.Errorf("how %q: %w", how, ErrValue)
	}
	return edit, d.checkSections(edit, s.End, text, how)
}

// checkSections refuses an edit that changes other sections than it is about:
// the headings must be those of before, with those of the text among them, before
// the one at the offset at.
func (d *Document) checkSections(edit Edit, at int, text []byte, how How) error {
	after := Parse(edit.Apply(d.src))
	added := scan(text, 0)
	if added.unclosed != "" {
		return d.unsupported(edit.Start, "the text opens a code or HTML block and doesn't close it")
	}
	var want []string
	own := false
	for _, h := range d.blocks().headings {
		if h.start >= at && !own {
			want, own = append(want, added.outlined()...), true
		}
		want = append(want, d.blocks().describe(h))
	}
	if !own {
		want = append(want, added.outlined()...)
	}
	if after.layout.front != d.layout.front || after.layout.body != d.layout.body ||
		!slices.Equal(after.blocks().outlined(), want) {
		return d.unsupported(edit.Start, "the text would change the sections around it")
	}
	if how != Replace && after.blocks().unclosed != d.blocks().unclosed {
		return d.unsupported(edit.Start, "the text would change a code or HTML block")
	}
	return nil
}

func (o *outline) outlined() []string {
	list := make([]string, 0, len(o.headings))
	for _, h := range o.headings {
		list = append(list, o.describe(h))
	}
	return list
}

func (o *outline) describe(h heading) string {
	return strconv.Itoa(h.level) + " " + string(o.src[h.from:h.to])
}

// section finds the one section of a name.
func (d *Document) section(name string) (Section, error) {
	found := d.named(name)
	if len(found) == 0 {
		base, number, ok := cutNumber(name)
		if all := d.named(base); ok && number <= len(all) {
			return all[number-1], nil
		}
		return Section{}, fmt.Errorf("%q: %w", name, ErrNoSection)
	}
	if len(found) > 1 {
		lines := make([]string, len(found))
		for i, s := range found {
			lines[i] = strconv.Itoa(s.Line)
		}
		return Section{}, fmt.Errorf("%q is in lines %s: %w", name, strings.Join(lines, ", "), ErrAmbiguous)
	}
	return found[0], nil
}

// named returns the sections whose heading, or the end of whose path, is name.
func (d *Document) named(name string) []Section {
	name = strings.TrimSpace(name)
	path := strings.Split(name, " > ")
	for i := range path {
		path[i] = strings.TrimSpace(path[i])
	}
	var found []Section
	for _, s := range d.Sections() {
		tail := s.Path[max(0, len(s.Path)-len(path)):]
		if s.Level > 0 && (strings.EqualFold(s.Heading(), name) || slices.EqualFunc(tail, path, strings.EqualFold)) {
			found = append(found, s)
		}
	}
	return found
}

// cutNumber splits "Costs#2".
func cutNumber(name string) (base string, number int, ok bool) {
	i := strings.LastIndexByte(name, '#')
	if i < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(strings.TrimSpace(name[i+1:]))
	return name[:i], number, err == nil && number > 0
}
