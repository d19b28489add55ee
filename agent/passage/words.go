package passage

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
)

//go:embed en.txt
var wordsText string

// A wanting is how one kind of answer is asked for.
type wanting struct {
	want     Want
	patterns []string
}

type wordTable struct {
	wants   []wanting
	news    []string
	instead []string
	reason  []string

	currencies map[string][]string
	sums       []string
	roles      map[string][]string // what shows it of an amount, by the role
	groups     map[string]int      // by the base of a word
	families   map[string][]int
	lists      map[string]map[string]bool
}

// words parses en.txt once; it is a constant in all but form.
var words = sync.OnceValue(func() wordTable {
	t := wordTable{currencies: map[string][]string{}, roles: map[string][]string{}, groups: map[string]int{}, families: map[string][]int{}, lists: map[string]map[string]bool{}}
	n := 0
	for line := range strings.Lines(wordsText) {
		head, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		kind, value, _ := strings.Cut(head, " ")
		switch kind {
		case "want":
			t.wants = append(t.wants, wanting{Want(value), patternsOf(rest)})
		case "news":
			t.news = patternsOf(rest)
		case "instead":
			t.instead = patternsOf(rest)
		case "currency":
			t.currencies[value] = strings.Fields(rest)
		case "role":
			t.roles[value] = patternsOf(rest)
		case "sum":
			t.sums = patternsOf(rest)
		case "reason":
			t.reason = patternsOf(rest)
		case "same":
			n++
			for _, w := range strings.Fields(rest) {
				t.groups[language.Base(w)] = n
			}
		case "near":
			n++
			for _, w := range strings.Fields(rest) {
				t.families[language.Base(w)] = append(t.families[language.Base(w)], n)
			}
		default:
			if t.lists[kind] == nil {
				t.lists[kind] = map[string]bool{}
			}
			for _, w := range strings.Fields(rest) {
				t.lists[kind][language.Base(w)] = true
				t.lists[kind][w] = true
			}
		}
	}
	return t
})

func patternsOf(text string) []string {
	var out []string
	for p := range strings.SplitSeq(text, ";") {
		out = append(out, strings.TrimSpace(p))
	}
	return out
}

func listed(list, w string) bool {
	l := words().lists[list]
	return l[w] || l[language.Base(w)]
}

// Like reports whether one of some words is much the same as w: a form of it, or one
// that means the same.
func Like(list []string, w string) bool {
	base := language.Base(w)
	group := words().groups[base]
	for _, other := range list {
		b := language.Base(other)
		if b == base || group > 0 && words().groups[b] == group || language.SameWord(w, other) {
			return true
		}
	}
	return false
}
