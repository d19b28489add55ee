package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/index/page"
)

func TestClauses(t *testing.T) {
	for text, want := range map[string][]Clause{
		`a b`:                        {{Text: "a"}, {Text: "b"}},
		`"a b" c`:                    {{Text: "a b", Phrase: true}, {Text: "c"}},
		"\u201ca b\u201d":            {{Text: "a b", Phrase: true}},
		`"a b`:                       {{Text: "a b", Phrase: true}},
		`x -"a b`:                    {{Text: "x"}, {Text: "a b", Phrase: true, Not: true}},
		`-a -"b c" -tag:d`:           {{Text: "a", Not: true}, {Text: "b c", Phrase: true, Not: true}, {Filter: "tag", Text: "d", Not: true}},
		`--flag - -`:                 {{Text: "--flag"}},
		`pre*`:                       {{Text: "pre", Prefix: true}},
		`* ** "" "!" :`:              nil,
		`Project:x path:"a b"`:       {{Filter: "project", Text: "x"}, {Filter: "path", Text: "a b"}},
		`http://a.b`:                 {{Text: "http://a.b"}},
		`Status:done`:                {{Filter: "property", Key: "status", Text: "done", raw: "Status:done"}},
		`-a:"b c" d`:                 {{Filter: "property", Key: "a", Text: "b c", raw: `a:"b c"`, Not: true}, {Text: "d"}},
		`title:"a b" body:c*`:        {{Fields: 1 << page.FieldTitle, Text: "a b", Phrase: true}, {Fields: 1 << page.FieldBody, Text: "c", Prefix: true}},
		`after:2026 -before:2026-11`: {{Filter: "after", Text: "2026"}, {Filter: "before", Text: "2026-11", Not: true}},
		`after: title: 12:30`:        {{Text: "after:"}, {Text: "title:"}, {Text: "12:30"}},
		`a* a* -b -b`:                {{Text: "a", Prefix: true}, {Text: "b", Not: true}},
		"a\xff\x00b":                 {{Text: "a"}, {Text: "\x00b"}},
		`tag:`:                       {{Filter: "tag"}},
	} {
		got, _, err := Query{Text: text}.Clauses()
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Clause{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
