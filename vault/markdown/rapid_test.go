package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawFront draws front matter with values of all shapes.
func drawFront(t *rapid.T) string {
	values := []string{" 1", " \"q: # x\"", " 'it''s'  # c", " |\n  text\n  # text\n", " >-\n  a\n\n  b\n", "\n  - a\n  - b # c", "\n- a\n-",
		" [a, \"]\"] # c", " {x: 1,\n  y: [2]}", "\n  x: 1\n  y:\n    - |+\n      z\n\n", "", " # nothing", " one\n  two # c", " !!str 2", " &x 3", " é😀 # ü",
		" [ a,b , 'c, d' ]", " []", "\n  -   a # c\n  # d\n  -   'b, c'\n", " 2026-01-01", " ~"}
	between := []string{"", "", "", "\n", "# comment\n", "  # indented\n"}
	var b strings.Builder
	for i := range rapid.IntRange(0, 6).Draw(t, "keys") {
		b.WriteString(rapid.SampledFrom(between).Draw(t, "between"))
		fmt.Fprintf(&b, "k%d:%s", i, rapid.SampledFrom(values).Draw(t, "value"))
		if !strings.HasSuffix(b.String(), "\n") {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// drawDocument draws a document: front matter or none, any line endings.
func drawDocument(t *rapid.T) []byte {
	src := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "bom")
	if rapid.Bool().Draw(t, "front") {
		src += "---\n" + drawFront(t) + "---\n"
	}
	// The first line is none of the pieces, since "---" would start front matter.
	src += "start\n" + drawBody(t)
	if rapid.Bool().Draw(t, "crlf") {
		src = strings.ReplaceAll(src, "\n", "\r\n")
	}
	return []byte(src)
}

func drawBody(t *rapid.T) string {
	pieces := []string{"# h\n", "## h ##\n", "p\n", "p\n", "\n", "\n", "===\n", "---\n", "- ", "- [ ] t\n", "* [x] u\n", "1. ", "2) ", "> ", "  ",
		"    ", "```\n", "~~~\n", "````\n", "<!--\n", "-->\n", "<div>\n", "<b>\n", "<pre>\n", "</pre>\n", "* * *\n", "-\n", "+ ", "``` x\n", "[ ] q\n", "text"}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 14).Draw(t, "body"), "")
}

// outside checks that an edit changes nothing but its span, which Apply makes
// true by itself, and that it is one of the source's.
func outside(t *rapid.T, src, after []byte, e Edit) {
	if e.Start < 0 || e.End < e.Start || e.End > len(src) {
		t.Fatalf("edit %d:%d of %d bytes", e.Start, e.End, len(src))
	}
	if !bytes.Equal(after[:e.Start], src[:e.Start]) || !bytes.Equal(after[e.Start+len(e.Text):], src[e.End:]) {
		t.Fatalf("bytes outside of the edit changed: %q to %q", src, after)
	}
}

func TestSetThenRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		doc := Parse(src)
		front, err := doc.FrontMatter()
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		key := fmt.Sprintf("k%d", rapid.IntRange(0, 7).Draw(t, "key"))
		edit, err := doc.SetProperty(key, Quote("new: value"))
		if err != nil {
			t.Fatalf("set %s in %q: %v", key, src, err)
		}
		after := edit.Apply(src)
		outside(t, src, after, edit)
		now, err := Parse(after).FrontMatter()
		if err != nil || now.String(key) != "new: value" {
			t.Fatalf("%s of %q: %q, %v", key, after, now.String(key), err)
		}
		if !bytes.HasSuffix(after, src[doc.BodyStart():]) {
			t.Fatalf("body changed: %q to %q", src, after)
		}
		// Taking a new key back is the inverse, except for the fences.
		if front != nil && !front.Has(key) {
			back, err := Parse(after).UnsetProperty(key)
			if err != nil || !bytes.Equal(back.Apply(after), src) {
				t.Fatalf("set and unset: %q to %q, %v", src, back.Apply(after), err)
			}
		}
		if front != nil && front.Has(key) {
			gone, err := doc.UnsetProperty(key)
			if errors.Is(err, ErrUnsupported) {
				return // an indented comment behind it would become text of the value before it
			}
			if err != nil {
				t.Fatalf("unset %s of %q: %v", key, src, err)
			}
			if f, err := Parse(gone.Apply(src)).FrontMatter(); err != nil || f.Has(key) {
				t.Fatalf("unset %s: %q to %q, %v", key, src, gone.Apply(src), err)
			}
		}
	})
}

func TestEditSectionKeepsOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		doc := Parse(src)
		sections := doc.Sections()
		if len(sections) == 0 {
			return
		}
		i := rapid.IntRange(0, len(sections)-1).Draw(t, "section")
		if sections[i].Level == 0 {
			return
		}
		how := rapid.SampledFrom([]How{Replace, Append, Prepend}).Draw(t, "how")
		name := sections[i].Heading()
		edit, err := doc.EditSection(name, how, []byte("new text"))
		for n := 1; errors.Is(err, ErrAmbiguous); n++ {
			name = fmt.Sprintf("%s#%d", sections[i].Heading(), n)
			edit, err = doc.EditSection(name, how, []byte("new text"))
		}
		if errors.Is(err, ErrUnsupported) {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		after := edit.Apply(src)
		outside(t, src, after, edit)
		text, ok := Parse(after).SectionText(name)
		if !ok || !strings.Contains(text, "new text") || how == Replace && text != "new text" {
			t.Fatalf("%s %s in %q gives %q with %q", how, name, src, after, text)
		}
	})
}

func TestSectionsCoverTheBody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		doc := Parse(src)
		var text []byte
		for _, s := range doc.Sections() {
			if line, _ := position(src, s.Start); line != s.Line {
				t.Fatalf("section %+v starts in line %d of %q", s, line, src)
			}
			text = append(text, src[s.Start:s.End]...)
		}
		if body := src[doc.BodyStart():]; !bytes.Equal(text, body) && len(bytes.TrimSpace(body)) > len(bytes.TrimSpace(text)) {
			t.Fatalf("sections hold %q of %q", text, body)
		}
	})
}

func TestCheckAndUncheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawDocument(t)
		for _, item := range Parse(src).Items() {
			edit, err := Parse(src).CheckItem(item.Line, !item.Checked)
			if err != nil {
				t.Fatal(err)
			}
			after := edit.Apply(src)
			outside(t, src, after, edit)
			back, err := Parse(after).CheckItem(item.Line, item.Checked)
			if err != nil || !bytes.Equal(back.Apply(after), src) {
				t.Fatalf("line %d of %q: %q, %v", item.Line, src, back.Apply(after), err)
			}
		}
	})
}
