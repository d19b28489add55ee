package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"Houseboat refit":     "Houseboat refit",
		"Houseboat, and more": "Houseboat, and more",
		"it's 5 o'clock":      "it's 5 o'clock",
		"http://a.b/c#d":      "http://a.b/c#d",
		"é 😀":                 "é 😀",
		"":                    `""`,
		"yes":                 `"yes"`,
		"null":                `"null"`,
		"~":                   `"~"`,
		"007":                 `"007"`,
		"1.10":                `"1.10"`,
		"2026-01-01":          `"2026-01-01"`,
		"[[x]]":               `"[[x]]"`,
		"a: b":                `"a: b"`,
		"a:":                  `"a:"`,
		"# x":                 `"# x"`,
		"a # x":               `"a # x"`,
		"- a":                 `"- a"`,
		" a":                  `" a"`,
		"a ":                  `"a "`,
		"a\nb":                `"a\nb"`,
		"say \"hi\" \\":       `say "hi" \`,
		"\"hi\"":              `"\"hi\""`,
		"\x1b[31m":            `"\x1b[31m"`,
		"\u0085\u2028":        `"\x85\u2028"`,
		"---":                 `"---"`,
		"<<":                  `"<<"`,
		"*a":                  `"*a"`,
		"a\xffb":              "a\uFFFDb",
	} {
		if got := Quote(s); got != want {
			t.Errorf("Quote(%q) = %s, want %s", s, got, want)
		}
	}
	if got, want := QuoteList([]string{"a", "b, c", "[[d]]", "no"}), `[a, "b, c", "[[d]]", "no"]`; got != want {
		t.Errorf("QuoteList = %s, want %s", got, want)
	}
	if got := QuoteList(nil); got != "[]" {
		t.Errorf("QuoteList(nil) = %s", got)
	}
}

// checkQuote reads s back from a document that it was set in.
func checkQuote(t interface{ Fatalf(string, ...any) }, s string) {
	if !utf8.ValidString(s) {
		return
	}
	quoted := Quote(s)
	if strings.ContainsAny(quoted, "\r\n") {
		t.Fatalf("Quote(%q) = %q is not one line", s, quoted)
	}
	if len(s) > 10_000 {
		return // two of these are over the limit of front matter
	}
	src := []byte("---\na: 1\n---\n")
	for _, value := range []string{quoted, QuoteList([]string{s, "x"})} {
		edit, err := Parse(src).SetProperty("a", value)
		if err != nil {
			t.Fatalf("set %s: %v", value, err)
		}
		src = edit.Apply(src)
		front, err := Parse(src).FrontMatter()
		if err != nil {
			t.Fatalf("%q: %v", src, err)
		}
		got := front.entry("a").value
		if got.Kind == yaml.SequenceNode {
			got = got.Content[0]
		}
		if got.Kind != yaml.ScalarNode || got.Tag != "!!str" || got.Value != s {
			t.Fatalf("%q reads back from %s as %q", s, value, got.Value)
		}
	}
}

func TestQuoteRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{": ", " #", "- ", "'", "\"", "[", "]", "{", "}", ",",
			"&", "*", "!", "|", ">", "%", "@", "`", "\\", "?", "\t", "\n", "0x1", "1e3", ".inf", "12:30", "=", "<<"})), 0, 4).Draw(t, "pieces")
		checkQuote(t, strings.Join(pieces, ""))
	})
}
