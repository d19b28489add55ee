package usage

import (
	"fmt"
	"strings"
	"unicode"
)

// quotes are those that a query may have around words.
const quotes = "\"\u201c\u201d\u201e\u00ab\u00bb"

// Query says what in a search's query can hardly be meant: a quote that isn't closed, a filter
// without a value, a star within a word. Programs that search as somebody types send such
// queries, and the daemon takes them; whoever typed one to the end gets this.
func Query(text string) error {
	for rest := text; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			return nil
		}
		clause := strings.TrimPrefix(rest, "-")
		key, value, filter := strings.Cut(clause, ":")
		if filter = filter && key != "" && !strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != '-' }); filter {
			clause = value
		}
		if quoted := strings.IndexAny(clause, quotes) == 0; quoted {
			_, after, _ := cutRune(clause)
			end := strings.IndexAny(after, quotes)
			if end < 0 {
				return fmt.Errorf("the quote before %q isn't closed", strings.TrimSpace(after))
			}
			_, rest, _ = cutRune(after[end:])
			continue
		}
		word := clause
		rest = ""
		if end := strings.IndexFunc(clause, unicode.IsSpace); end >= 0 {
			word, rest = clause[:end], clause[end:]
		}
		if filter {
			switch strings.ToLower(key) {
			case "path":
				if word == "" {
					return fmt.Errorf("path: needs the beginning of a path, such as path:notes/")
				}
				continue // stars may stand anywhere
			case "project", "type", "tag", "lang":
				if word == "" {
					return fmt.Errorf("%s: needs a value", strings.ToLower(key))
				}
			}
		}
		if inner := strings.TrimSuffix(word, "*"); strings.Contains(inner, "*") && strings.ContainsFunc(inner, unicode.IsLetter) && !strings.HasPrefix(word, "*") {
			return fmt.Errorf("%s: a star stands at the end of a word, as in %s*", word, inner[:strings.Index(inner, "*")])
		}
	}
}

// cutRune takes the first character off.
func cutRune(s string) (r rune, rest string, ok bool) {
	for i, c := range s {
		if i > 0 {
			return r, s[i:], true
		}
		r = c
	}
	return r, "", s != ""
}
