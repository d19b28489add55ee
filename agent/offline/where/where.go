// Package where reads which tags and folders a question names: "#garden", "tagged recipe",
// "in Projects/Boat", "in the folder Recipes". What they are called is the vault's matter:
// nothing is looked up here.
package where

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"kist/agent/language"
	"kist/vault/pattern"
)

// A Place is what a question narrows a list by, beside what is asked of each item.
type Place struct {
	Tags []string // all of them, without #
	Path string   // of a folder or a document, or the day of a daily note (YYYY-MM-DD); empty: anywhere
}

// Any reports whether a place is named.
func (p Place) Any() bool { return len(p.Tags) > 0 || p.Path != "" }

// Said is the place in words: "tagged #garden", "in Projects/Boat".
func (p Place) Said() (said []string) {
	if len(p.Tags) > 0 {
		said = append(said, "tagged #"+strings.Join(p.Tags, " and #"))
	}
	if _, err := time.Parse(time.DateOnly, p.Path); err == nil {
		said = append(said, "in the note of "+p.Path)
	} else if p.Path != "" {
		said = append(said, "in "+p.Path)
	}
	return said
}

const (
	name = `([\p{L}\p{N}_](?:[\p{L}\p{N}_/-]*[\p{L}\p{N}_])?)`
	in   = `(?i)\b(?:in|under|below|from|inside)\s+(?:the\s+|my\s+)?`
	kind = `(?:(?:folder|directory|file|note)\s+)?`
)

// What leads to a tag goes with it. A word without # is one only behind "tagged" or "tag"; a
// folder has a slash, or is said to be one.
var (
	hash   = pattern.Lazy(`(?i)(?:(?:^|\s)(?:and|that|are|tagged|labelled|as|with|of|by|under|have|has|having|the|tags?|in))*(?:^|\s)#` + name)
	word   = pattern.Lazy(`(?i)(?:^|\s)(?:(?:tagged(?:\s+as|\s+with)?(?:\s+the\s+tag)?|(?:with|of|by|under|having)(?:\s+the)?\s+tag)\s+|tag:\s*)["“']?` + name + `["”']?`)
	quoted = pattern.Lazy(in + kind + `["“]([^"“”]*(?:/[^"“”]*|\.md))["”]`)
	path   = pattern.Lazy(in + kind + `((?:[^\s/"“”?!,;:]+/)+[^\s"“”?!,;:]*(?-i:\s+[\p{Lu}][^\s"“”?!,;:]*)*)`)
	behind = pattern.Lazy(in + `["“]?([^\s/"“”?!,;:]+)["”]?\s+(?:folder|directory)\b`)
	folder = pattern.Lazy(in + `(?:folder|directory)\s+(?:called\s+)?["“]?([^\s/"“”?!,;:]+)["”]?`)
)

// longest is how many bytes a question has.
const longest = 1000

// Read reads the tags and the folder that the tokens of a text name, and returns those that
// say something else.
func Read(src string, toks []language.Token) (Place, []language.Token) {
	var p Place
	if len(toks) == 0 || toks[len(toks)-1].End-toks[0].Start > longest {
		return p, toks
	}
	from := toks[0].Start
	to := toks[len(toks)-1].End // of a message no more than the clause, and the slash behind it
	src = src[from : to+len(src[to:])-len(strings.TrimLeft(src[to:], "/"))]
	var taken [][2]int
	overlaps := func(from, to int) bool {
		return slices.ContainsFunc(taken, func(s [2]int) bool { return from < s[1] && s[0] < to })
	}
	for _, re := range []*regexp.Regexp{hash(), word()} {
		for _, m := range re.FindAllStringSubmatchIndex(src, -1) {
			tag := src[m[2]:m[3]]
			if strings.Trim(tag, "0123456789") != "" && !overlaps(m[0], m[1]) {
				p.Tags, taken = append(p.Tags, tag), append(taken, [2]int{m[0], m[1]})
			}
		}
	}
	for _, re := range []*regexp.Regexp{quoted(), path(), folder(), behind()} {
		m := re.FindStringSubmatchIndex(src)
		if m == nil || p.Path != "" {
			continue
		}
		if at := strings.Trim(src[m[2]:m[3]], "/."); isPath(at) && !language.In("the|a|my|this|that|which|same|any", strings.ToLower(at)) {
			p.Path, taken = at, append(taken, [2]int{m[0], m[1]})
		}
	}
	if !p.Any() {
		return p, toks
	}
	return p, slices.DeleteFunc(slices.Clone(toks), func(t language.Token) bool {
		return slices.ContainsFunc(taken, func(s [2]int) bool { return s[0] <= t.Start-from && t.End-from <= s[1] })
	})
}

// isPath: no date, and no address on the web.
func isPath(p string) bool {
	return strings.Trim(p, "0123456789/") != "" && p != "and/or" && p != "either/or"
}
