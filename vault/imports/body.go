package imports

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"kist/vault/imports/export"
)

// body is the text of a note below its front matter.
func body(source export.Source, c export.Conversation) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n# %s\n", c.Title)
	for _, m := range c.Messages {
		who := source.Name()
		if m.User {
			who = "You"
		}
		fmt.Fprintf(&b, "\n## %s\n\n", who)
		if m.Text != "" {
			quote(&b, m.Text)
		}
		if m.Left > 0 {
			if m.Text != "" {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "*Not imported: %s.*\n", left(m.Left))
		}
	}
	return b.Bytes()
}

func left(n int) string {
	if n == 1 {
		return "a picture or file"
	}
	return fmt.Sprintf("%d pictures or files", n)
}

// box is how a line with a checkbox begins, up to the box.
var box = regexp.MustCompile(`^((?:[\s>]|[-*+]\s|\d+[.)]\s)+)\[`)

// quote writes a message, and its checkboxes so that they look the same and are none; in a
// block of code they are none already.
func quote(b *bytes.Buffer, text string) {
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		mark := fenceOf(line)
		switch {
		case fence == "":
			fence = mark
			line = box.ReplaceAllString(line, `$1\[`)
		case strings.HasPrefix(mark, fence) && strings.Trim(line, "`~ \t") == "":
			fence = ""
		}
		b.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
}

// fenceOf returns the marks that begin or end a block of code; empty: the line has none.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}
