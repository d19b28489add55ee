package markdown

import (
	"fmt"
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
