package markdown_test

import (
	"strings"
	"testing"

	"kist/vault/markdown"
)

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"- [ ] a\n\n%%\n- [ ] b\n- [ ] c\n%%\n\n- [ ] d\n":            "a|d",
		"- [ ] a %%why%%\n- [ ] b %% goes\n- [ ] c\non %%\n- [ ] d\n": "a %%why%%|b %% goes|d",
		"%%\n- [ ] never ended\n":                                     "never ended",
		"`%%` and\n\n```\n%%\n```\n\n- [ ] a\n\n%%\n\n- [ ] b\n":      "a|b",
		"%% one %%\n- [ ] a\n%% two\n- [x] b\n%%":                     "a",
		"- [ ]\n- [x] a\n- [ ] \n\t- [ ] b\n":                         "a|b", // two that were only begun
		"| 100%% |\n\n- [ ] a\n":                                      "a",
	} {
		var got []string
		for _, item := range markdown.Shown(markdown.Parse([]byte(text))) {
			got = append(got, item.Text)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}

// What a comment or a formula has, and what a backslash takes the meaning from, is no link and
// no tag.
func TestHiddenLinks(t *testing.T) {
	for text, want := range map[string]string{
		"[[a]] %% [[b]] [c](c.md) #c %% [[d]] #d\n":                 "a d #d",
		"%%\n\n[[a]]\n\n%%\n[[b]]\n":                                "b",
		"[[a]]\n$$\nB=[[5,6]] #b\n$$ [[c]]\n":                       "a c",
		"> $$\n> B=[[5,6]]\n> $$\n":                                 "",
		"- $$ [[a]]\n- $$ [[b]]\n\n$$ [[c]]\n\n\\$$ [[d]] $$ [[e]]": "a b c d e",
		"\\[[a]] \\\\[[b]] \\![[c]]\n":                              "b c",
		"%% [[a]]\n\n`$$` [[b]] `$$`\n":                             "a b",
	} {
		d := markdown.Parse([]byte(text))
		got := d.Links()
		for _, tag := range d.Tags() {
			got = append(got, "#"+tag)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}
