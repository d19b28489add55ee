package markdown

import (
	"bytes"
	"iter"
	"strings"
	"unicode"

	"kist/vault/markdown/inline"
)

// Tags returns the document's tags without "#", each once, in order: those in
// the front matter's tags (or tag), then those in the text, such as #plan/costs. Two tags that
// differ only in case are one.
func (d *Document) Tags() []string {
	set := newSet(strings.ToLower)
	if front, err := d.FrontMatter(); err == nil && front != nil {
		for _, key := range tagKeys() {
			for _, value := range front.Strings(key) {
				for _, tag := range strings.FieldsFunc(value, tagSeparator) {
					set.add(strings.TrimPrefix(tag, "#"))
				}
			}
		}
	}
	for t := range textTags(d) {
		set.add(t.Name)
	}
	return set.list
}

// tagKeys are the front matter's keys that hold tags.
func tagKeys() []string { return []string{"tags", "tag"} }

func tagSeparator(r rune) bool { return r == ',' || unicode.IsSpace(r) }

// EachTag goes over the tags of [Document.Tags] in order, each as often as it is there, but
// for those in the front matter that are written with escapes or on several lines.
func EachTag(d *Document) iter.Seq[Tag] {
	return func(yield func(Tag) bool) {
		if front, err := d.FrontMatter(); err == nil && front != nil {
			for _, key := range tagKeys() {
				for _, s := range front.Scalars(key) {
					for _, t := range tagsIn(s) {
						if !yield(t) {
							return
						}
					}
				}
			}
		}
		textTags(d)(yield)
	}
}

// tagsIn cuts a scalar into tags.
func tagsIn(s Scalar) (tags []Tag) {
	at := 0
	for _, name := range strings.FieldsFunc(s.Text, tagSeparator) {
		at += strings.Index(s.Text[at:], name)
		start := at
		at += len(name)
		if tag := strings.TrimPrefix(name, "#"); tag != "" {
			tags = append(tags, Tag{Span: Span{Start: s.Start + start + len(name) - len(tag), End: s.Start + at}, Name: tag, Front: true})
		}
	}
	return tags
}

// textTags goes over the tags in the text.
func textTags(d *Document) iter.Seq[Tag] {
	return func(yield func(Tag) bool) {
		lines, shown := shownLines(d)
		for at, line := range lines {
			if bytes.IndexByte(line, '#') < 0 {
				continue
			}
			for _, t := range inline.Tags(line) {
				t.Start, t.End = t.Start+at, t.End+at
				if t.Name != "" && shown(t.Start) && !yield(t) {
					return
				}
			}
		}
	}
}

// Blocks returns a document's block names in order.
func Blocks(d *Document) (blocks []Block) {
	for at, line := range TextLines(d) {
		if bytes.IndexByte(line, '^') < 0 {
			continue
		}
		if b, ok := inline.BlockName(line, at); ok {
			blocks = append(blocks, b)
		}
	}
	return blocks
}
