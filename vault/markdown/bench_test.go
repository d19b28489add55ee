package markdown

import (
	"strings"
	"testing"
)

// note returns a document of about 10 KB.
func note() []byte {
	front := "---\nid: 01JD0000000000000000000000\ntype: task\ntitle: \"Sand the deck: port side\"\nstatus: todo # for now\npriority: high\n" +
		"tags: [boat, deck]\nlinks:\n  - \"[[Harbour]]\"\n  - \"[[Paint]]\"\ncreated: 2026-11-20\n---\n# Sand the deck\n\n"
	section := "## A part of the work\n\nSome *words* about it with a [[link|name]] and #tag, long enough to fill the line.\n\n- [ ] one\n- [x] two\n\n```\ncode\n```\n\n"
	return []byte(front + strings.Repeat(section, 10_000/len(section)))
}

func BenchmarkSetProperty(b *testing.B) {
	src := note()
	for b.Loop() {
		edit, err := Parse(src).SetProperty("status", "done")
		if err != nil {
			b.Fatal(err)
		}
		edit.Apply(src)
	}
}

func BenchmarkSections(b *testing.B) {
	src := note()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Parse(src).Sections()
	}
}

func BenchmarkEditSection(b *testing.B) {
	src := note()
	for b.Loop() {
		if _, err := Parse(src).EditSection("A part of the work#5", Append, []byte("- [ ] three")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLinksAndTags(b *testing.B) {
	src := note()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		doc := Parse(src)
		doc.Links()
		doc.Tags()
	}
}
