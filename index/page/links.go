package page

import (
	"bytes"
	"kist/vault/canvas"
	"kist/vault/markdown"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLinks is how many different targets of one file's links are indexed.
const maxLinks = 5000

// LinkKey is what files and links to them are matched by before the links are read:
// the last part of a path or name, in lower case and without ".md".
func LinkKey(target string) string {
	key := path.Base(strings.ToLower(strings.TrimSpace(target)))
	if key == "." || key == "/" || len(key) > 512 {
		return ""
	}
	return strings.TrimSuffix(key, ".md")
}

// FindLinks collects the keys of the file's links, and of what looks like one: whoever
// asks for links reads the files again. That costs a tenth of finding them exactly.
func (f *File) FindLinks() {
	add := func(target []byte) {
		name, _, _ := strings.Cut(string(target), "#")
		if strings.Contains(name, "%") {
			if decoded, err := url.PathUnescape(name); err == nil && utf8.ValidString(decoded) {
				name = decoded
			}
		}
		if key := LinkKey(name); key != "" && len(f.links) < maxLinks {
			f.links = append(f.links, key)
		}
	}
	if canvas.Is(f.Path) {
		return // whoever asks for links follows documents
	}
	for rest, found := f.Text, true; found; {
		if _, rest, found = bytes.Cut(rest, []byte("[[")); found {
			add(bytes.TrimSuffix(rest[:wikiEnd(rest)], []byte("\\"))) // "\|" in a table
		}
	}
	for rest, found := f.Text, true; found; {
		if _, rest, found = bytes.Cut(rest, []byte("](")); found {
			addDestination(rest[:min(len(rest), maxTarget)], add)
		}
	}
	slices.Sort(f.links)
	f.links = slices.Compact(f.links)
}

// maxTarget is the length of the longest link target that is looked for, maxNested
// how deep parentheses in one nest.
const (
	maxTarget = 1024
	maxNested = 8
)

// wikiEnd is the length of the name that a wiki link begins with, 0 for none.
func wikiEnd(text []byte) int {
	for i, b := range text[:min(len(text), maxTarget)] {
		switch b {
		case ']', '|', '#':
			return i
		case '[', '\n':
			return 0
		}
	}
	return 0
}

// addDestination calls add for the destination of a Markdown link, unless it has a
// scheme.
func addDestination(text []byte, add func([]byte)) {
	text = bytes.TrimLeft(text, " \t")
	end, angled := 0, len(text) > 0 && text[0] == '<'
	if angled {
		text = text[1:]
	}
	depth := 0
loop:
	for i, b := range text {
		switch {
		case b == '\n', angled && b == '<', depth == maxNested:
			return
		case angled && b == '>', !angled && (b == ' ' || b == '\t' || b == ')' && depth == 0):
			end = i
			break loop
		case b == '(':
			depth++
		case b == ')':
			depth--
		}
	}
	if end > 0 && !bytes.Contains(text[:end], []byte("://")) {
		add(text[:end])
	}
}

func LineEnd(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// LinksOut are the targets of a file's links.
func (f *File) LinksOut() []string {
	if f.FindLinks(); len(f.links) == 0 {
		return nil // looking for what may be one costs less than reading them
	}
	links := markdown.Parse(f.Text).Links()
	return links[:min(len(links), maxLinks)]
}

// LocateLink returns where the line begins that has a link.
func (f *File) LocateLink(link string) int {
	for at := 0; at < len(f.Text); {
		end := at + LineEnd(f.Text[at:])
		if line := f.Text[at:end]; bytes.IndexByte(line, '[') >= 0 && slices.Contains(markdown.Parse(line).Links(), link) {
			return at
		}
		at = end + 1
	}
	return 0
}
