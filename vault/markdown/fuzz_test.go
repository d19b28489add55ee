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

// FuzzEdits makes the edits of lists, items and sections in any document. An
// error must be one of the package's, and an inverse give back the source.
func FuzzEdits(f *testing.F) {
	for _, src := range []string{
		sample, "---\nt: [a, 'b', # c\n d]\n---\n# h\n- [ ] x\np\n", "---\r\nt:\r\n - a\r\n\r\nu: *x\r\n---\r\n1. a\r\n", "A\n===\n9) [ ] b\n\n10) c",
		"---\nt: &x [a]\nu: *x\nh: [\"h\",]\n---\n# h #\n# h\n-\n<b>\n", "[a]: /b\n'c'\nh\n---\n-\t[ ]\n\t- x\n```\n", "> # h\n\n# h\n* a\n\n* # b\nc\n",
	} {
		f.Add([]byte(src), "h", "new, [text]", uint8(3))
	}
	f.Fuzz(func(t *testing.T, src []byte, name, text string, n uint8) {
		doc := Parse(src)
		check := func(edit Edit, err error) {
			t.Helper()
			if err != nil {
				for _, sentinel := range []error{ErrFrontMatter, ErrUnsupported, ErrValue, ErrNoProperty, ErrNoSection, ErrAmbiguous, ErrNotItem} {
					if errors.Is(err, sentinel) {
						return
					}
				}
				t.Fatalf("%q: error %v", src, err)
			}
			after := edit.Apply(src)
			inverse := Edit{Start: edit.Start, End: edit.Start + len(edit.Text), Text: src[edit.Start:edit.End]}
			if !bytes.Equal(inverse.Apply(after), src) {
				t.Fatalf("%q: the inverse of %+v differs", src, edit)
			}
			if _, err := Parse(after).properties(); err != nil {
				t.Fatalf("%q to %q: %v", src, after, err)
			}
		}
		check(doc.AddToProperty(name, text))
		check(doc.RemoveFromProperty(name, text))
		check(doc.SetProperties([]Setting{{Key: name, Value: text}, {Key: "t", Unset: true}, {Key: text, Value: "1"}}))
		check(doc.InsertSection(name, int(n%8), text, []byte(text)))
		check(doc.InsertSectionBefore(name, int(n%8), text, []byte(text)))
		check(doc.AppendItem(name, text))
		check(doc.AppendItem("", text))
		check(doc.EditItem(int(n), text))
		check(doc.CheckItem(int(n), true))
		check(doc.CutItem(int(n)))
	})
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "yes", "007", "2026-01-01", "[[x]]", "a: b", "# x", "a\nb", "😀", "0o7", "1_000", "0b1", "-.inf", "12:30:45", "\u00a0a", "\ufeff", "! a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkQuote(t, s) })
}
