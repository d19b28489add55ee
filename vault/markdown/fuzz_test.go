package markdown

import (
	"bytes"
	"errors"
	"testing"
)

func FuzzSetProperty(f *testing.F) {
	for _, src := range []string{
		"---\na: 1 # c\nb: \"x: y\"\n---\n# T\n", "\ufeff---\r\na: |\r\n  x\r\nb: [c, 'd']\r\n...\r\n", "---\na:\n  - b # c\n  # d\n---",
		"---\n? a\n: b\n---\n", "---\n{a: 1}\n---\n", "---\n---\n", "text", "---\na: >+\n\n x\n\n---\n", "---\na: &x !!str b\u2028c: d\n---\n",
		"---\n\"a\" : {b: [\n c]}\n---\n", "---\na: b\n  c # d\n e\n---\n", "---\na: - b\n---\n", "---\na: 'b\n\n  c'\n---\n", "---\na:\n---\n",
	} {
		f.Add([]byte(src), "a", "[x, y]")
	}
	f.Fuzz(func(t *testing.T, src []byte, key, value string) {
		doc := Parse(src)
		front, frontErr := doc.FrontMatter()
		edit, err := doc.SetProperty(key, value)
		if err != nil {
			if frontErr != nil && !errors.Is(err, ErrFrontMatter) || frontErr == nil && !errors.Is(err, ErrValue) && !errors.Is(err, ErrUnsupported) {
				t.Fatalf("error %v", err)
			}
			return
		}
		after := edit.Apply(src)
		now, err := Parse(after).FrontMatter()
		if err != nil || !now.Has(key) {
			t.Fatalf("%q to %q: %v", src, after, err)
		}
		if front == nil {
			return
		}
		old := map[string]string{}
		for _, p := range front.Keys() {
			old[p.Key] = p.Value
		}
		for _, p := range now.Keys() {
			if p.Key != key && old[p.Key] != p.Value {
				t.Fatalf("%q to %q: %s changed", src, after, p.Key)
			}
		}
		gone, err := Parse(after).UnsetProperty(key)
		if err == nil && !front.Has(key) && !bytes.Equal(gone.Apply(after), src) {
			t.Fatalf("set and unset: %q to %q", src, gone.Apply(after))
		}
	})
}

func FuzzOutline(f *testing.F) {
	for _, src := range []string{
		sample, "# a\n\n- [ ] b\n\n```\n# c\n", "> - # a\n\tb\n===\n", "<!-- a\n-->\n# b ##\r\n", "1. a\n\n   b\n---\n\n`[[c]]` [[d|e]] #f", "*\n\n  a\n",
	} {
		f.Add([]byte(src), []byte("new"))
	}
	f.Fuzz(func(t *testing.T, src, text []byte) {
		doc := Parse(src)
		end := -1
		for _, s := range doc.Sections() {
			if s.Start < end || s.ContentStart < s.Start || s.End < s.ContentStart || s.End > len(src) || s.EndLine < s.Line-1 {
				t.Fatalf("section %+v of %q", s, src)
			}
			end = s.End
			for _, how := range []How{Replace, Append, Prepend} {
				if edit, err := doc.EditSection(s.Heading(), how, text); err == nil {
					Parse(edit.Apply(src)).Sections()
				}
			}
		}
		for _, item := range doc.Items() {
			if _, err := doc.CheckItem(item.Line, true); err != nil && !errors.Is(err, ErrFrontMatter) {
				t.Fatalf("item %+v of %q: %v", item, src, err)
			}
		}
		doc.Links()
		doc.Tags()
		doc.FirstParagraph()
		doc.AppendText(text).Apply(src)
	})
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "yes", "007", "2026-01-01", "[[x]]", "a: b", "# x", "a\nb", "😀", "0o7", "1_000", "0b1", "-.inf", "12:30:45", "\u00a0a", "\ufeff", "! a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkQuote(t, s) })
}
