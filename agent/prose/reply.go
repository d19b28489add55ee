package prose

import "strings"

// A Reply is what a turn answers: the model's words, and what was added to them.
type Reply struct {
	strings.Builder
	Added []string // in their order
}

// Say adds a piece of a model's words, and returns it: what begins an answer of its own with what
// parts it from the words before.
func (r *Reply) Say(text string, begins bool) (piece string) {
	if piece = text; begins {
		piece = Gap(r.String()) + text
	}
	r.WriteString(piece)
	return piece
}

// Add adds a paragraph that isn't the model's, and returns it with what parts it from the words
// before.
func (r *Reply) Add(text string) (piece string) {
	r.Added = append(r.Added, text)
	if piece = text; r.Len() > 0 {
		piece = "\n\n" + text
	}
	r.WriteString(piece)
	return piece
}

// Cut takes out what stands behind the first n bytes, and returns it.
func (r *Reply) Cut(n int) string {
	all := r.String()
	r.Reset()
	r.WriteString(all[:n])
	return all[n:]
}

// Strike takes the last place of a text out, and reports whether there was one.
func (r *Reply) Strike(text string) bool {
	all := r.String()
	at := strings.LastIndex(all, text)
	if at < 0 || text == "" {
		return false
	}
	before, after := strings.TrimRight(all[:at], " "), strings.TrimLeft(all[at+len(text):], " ")
	if before != "" && after != "" && !strings.HasSuffix(before, "\n") && !strings.HasPrefix(after, "\n") {
		before += " "
	}
	r.Reset()
	if rest := before + after; strings.TrimSpace(rest) != "" {
		r.WriteString(rest)
	}
	return true
}
