package markdown

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const sample = "---\na: 1\n---\nbefore\n\n# The *boat*\n\nA **small** [[x|ship]],\nrefit.\n\n## Plan ##\n```\n# code\n```\n" +
	"<!--\n## comment\n-->\n> # quoted\n\n- # in a list\n\n  ## too\n\n### Costs\nmoney\n\nNext &amp; steps\n---\n- [ ] paint\n  1. [x] sand\n" +
	"> * [/] rope\n\n    - [ ] code\n\n## Plan\n\n#nospace\n"

func TestSections(t *testing.T) {
	doc := Parse([]byte(sample))
	type row struct {
		Path          []string
		Level         int
		Line, EndLine int
		Content       string
	}
	var got []row
	end := doc.BodyStart()
	for _, s := range doc.Sections() {
		if s.Start != end {
			t.Errorf("section %q starts at %d, the one before ended at %d", s.Path, s.Start, end)
		}
		end = s.End
		got = append(got, row{s.Path, s.Level, s.Line, s.EndLine, sample[s.ContentStart:min(s.ContentStart+7, s.End)]})
	}
	want := []row{
		{nil, 0, 4, 5, "before\n"},
		{[]string{"The boat"}, 1, 6, 10, "\nA **sm"},
		{[]string{"The boat", "Plan"}, 2, 11, 23, "```\n# c"},
		{[]string{"The boat", "Plan", "Costs"}, 3, 24, 26, "money\n\n"},
		{[]string{"The boat", "Next & steps"}, 2, 27, 34, "- [ ] p"},
		{[]string{"The boat", "Plan"}, 2, 35, 37, "\n#nospa"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if end != len(sample) {
		t.Errorf("the last section ends at %d of %d", end, len(sample))
	}
	if got := doc.Title(); got != "The boat" {
		t.Errorf("title %q", got)
	}
	if got := doc.FirstParagraph(); got != "before" {
		t.Errorf("first paragraph %q", got)
	}
}

func TestFirstParagraph(t *testing.T) {
	for src, want := range map[string]string{
		"":      "",
		"# T\n": "",
		"# T\n\nA **b** `c*d` [e](f) ![g](h) <i>j</i>\nk \\* &lt; [[l]] [[m|n]].\n\nx\n":     "A b c*d e g j k * < l n.",
		"# T\n\n![[plan.png|300]]\n![[x.png]]\n\nSee ![[y.png|30x20]] and ![[Plan|this]].\n": "See and this.",
		"- item\n\n> quote\n\ntext":   "text",
		"|a|b|\n|-|-|\n|1|2|\n\ntext": "text",
		"[a]: http://b\n\ntext":       "text",
		"Head\n===\ntext\r\nmore\r\n": "text more",
		"1. one\n\n2025 was good":     "2025 was good",
	} {
		if got := Parse([]byte(src)).FirstParagraph(); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

func TestItems(t *testing.T) {
	tests := []struct {
		src  string
		want []Item
	}{
		{sample, []Item{
			{Line: 29, Mark: ' ', Text: "paint"}, {Line: 30, Checked: true, Mark: 'x', Text: "sand"},
			{Line: 31, Mark: '/', Text: "rope"},
		}},
		{"* [X] a\n+ [ ]\tb\n3) [-] c\n- [ ]\n", []Item{
			{Line: 1, Checked: true, Mark: 'X', Text: "a"}, {Line: 2, Mark: ' ', Text: "b"},
			{Line: 3, Mark: '-', Text: "c"}, {Line: 4, Mark: ' '},
		}},
		{"- [ ] a\r\n  - [x] b\r\n", []Item{{Line: 1, Mark: ' ', Text: "a"}, {Line: 2, Checked: true, Mark: 'x', Text: "b"}}},
		{"- [1] a\n- [x](b)\n- [[c]]\n- text [ ] d\n[ ] e\n-[ ] f\n", nil},
		{"```\n- [ ] a\n```\n\n    - [ ] b\n\n<!--\n- [ ] c\n-->\n", nil},
		{"- a\n  ```\n  - [ ] b\n- [ ] c\n", []Item{{Line: 4, Mark: ' ', Text: "c"}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Parse([]byte(tt.src)).Items(), cmpopts.IgnoreUnexported(Item{})); diff != "" {
			t.Errorf("%q: %s", tt.src, diff)
		}
	}
}

func TestLinksAndTags(t *testing.T) {
	src := "---\ntags: [Plan, '#b']\nup: \"[[Harbour]]\"\n---\n" +
		"# See [[Boat|the boat]] #plan/costs\n[[Boat#Keel]] ![[photo.png]] [[#here]] `[[code]] #code`\n" +
		"[a](../x%20y.md#z) [b](<c d.md> \"t\") [e](https://f.g) [h](#i) ![j](k(1).png) [l](m.md \"n\")\n" +
		"a#b #1 #2x (#é-x_y) ##no \\#no `x `` #y\n\n```\n[[fenced]] #fenced\n```\n<!-- #hidden\n-->\n> - [[quoted]] #tag\n"
	doc := Parse([]byte(src))
	wantLinks := []string{"Harbour", "Boat", "photo.png", "../x y.md", "c d.md", "k(1).png", "m.md", "quoted"}
	if diff := cmp.Diff(wantLinks, doc.Links()); diff != "" {
		t.Error(diff)
	}
	wantTags := []string{"Plan", "b", "plan/costs", "2x", "é-x_y", "y", "tag"}
	if diff := cmp.Diff(wantTags, doc.Tags()); diff != "" {
		t.Error(diff)
	}
}
