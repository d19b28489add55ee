package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const spanned = "---\r\n" +
	"up: \"[[Home base|home]]\"\r\n" +
	"tags: [Plan/Costs, '#two']\r\n" +
	"---\r\n" +
	"# One [[a#b|c]] #tag\r\n" +
	"See ![[pic.png]] and [x y](../d%20e.md#f%20g \"t\"), [z](<h i.md>) ^blk\r\n" +
	"`[[code]] #code` [[#here]] [u](https://example.org)\r\n" +
	"\r\n" +
	"[ref]: j.md#k\r\n" +
	"| [[l\\|m]] |\r\n" +
	"|---|\r\n" +
	"\r\n    [[indented]]\r\n"

func TestEachLink(t *testing.T) {
	d := Parse([]byte(spanned))
	var got []string
	for l := range EachLink(d) {
		at := func(s Span) string { return spanned[s.Start:s.End] }
		got = append(got, fmt.Sprintf("%d %q %q %q|%q %q", l.Kind, at(l.All), at(l.Target), at(l.Fragment), l.Name, l.Anchor))
	}
	want := []string{
		`0 "[[Home base|home]]" "Home base" ""|"Home base" ""`,
		`0 "[[a#b|c]]" "a" "b"|"a" "b"`,
		`0 "![[pic.png]]" "pic.png" ""|"pic.png" ""`,
		`1 "[x y](../d%20e.md#f%20g \"t\")" "../d%20e.md" "f%20g"|"../d e.md" "f g"`,
		`1 "[z](<h i.md>)" "h i.md" ""|"h i.md" ""`,
		`0 "[[#here]]" "" "here"|"" "here"`,
		`2 "[ref]: j.md#k" "j.md" "k"|"j.md" "k"`,
		`0 "[[l\\|m]]" "l" ""|"l" ""`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEachTagAndBlocks(t *testing.T) {
	d := Parse([]byte(spanned))
	var got []string
	for tag := range EachTag(d) {
		got = append(got, spanned[tag.Start:tag.End])
	}
	for _, b := range Blocks(d) {
		got = append(got, "^"+spanned[b.Start:b.End])
	}
	if diff := cmp.Diff([]string{"Plan/Costs", "two", "tag", "^blk"}, got); diff != "" {
		t.Error(diff)
	}
}

// Code may go over several lines of a paragraph, but not into another one, nor from one row
// of a table or item of a list into the next.
func TestCodeOverLines(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a `code\n[[in]] x` [[out]]\n", "out"},
		{"a `code\r\n[[in]]\r\nx` [[out]]\r\n", "out"},
		{"> a ``code\n> [[in]] ` x`` [[out]]\n", "out"},
		{"- a `code\n  [[in]] x` [[out]]\n- [[more]]\n", "out more"},
		{"- a ` b\n- [[in]] ` x\n", "in"},
		{"a ` b\n\n[[in]] ` x\n", "in"},
		{"# a ` b\n[[in]] ` x\n", "in"},
		{"a ` b\n[[in]] `` x\n", "in"},
		{"a \\` b\n[[in]] ` x\n", "in"},
		{"a `c\\` [[in]] ` x\n", "in"},
		{"| a ` |\n|---|\n| [[in]] |\n| ` |\n", "in"},
		{"`[[out]]`, ` a\n| b |\n|---|\n| [[in]] ` |\n", "in"},
		{"heading `a\n[[in]] b` [[out]]\n===\n", "out"},
	} {
		d := Parse([]byte(test.text))
		var got []string
		for l := range EachLink(d) {
			got = append(got, l.Name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
