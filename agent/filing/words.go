package filing

import (
	"fmt"
	"strings"
)

// keepWord begins the reason of every operation that files sentences.
const keepWord = "keep "

func (t *Turn) keeping(lost []string, project string) string {
	where := "the inbox"
	if p, ok := t.Named(project); ok {
		where += " of " + short(p.Name, 100)
	}
	first := keepWord + "“" + short(strings.TrimRight(lost[0], "."), 120) + "”"
	if len(lost) > 1 { // more may be added while it waits
		first += " and the rest of what you said"
	}
	return first + " in " + where
}

// filed says where sentences are.
func filed(lost []string, path string) string {
	if len(lost) == 1 {
		return "I kept “" + short(strings.TrimRight(lost[0], "."), 120) + "” in `" + path + "`, word for word."
	}
	return fmt.Sprintf("I kept %d sentences that I had no other place for in `%s`, word for word.", len(lost), path)
}

// short is a text on one line, of n runes at most.
func short(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= n {
		return string(r)
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
