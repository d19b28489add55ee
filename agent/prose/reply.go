package prose

import "strings"

// A Reply is what a turn answers: the model's words, and what was added to them.
type Reply struct {
	strings.Builder
	Added []string // in their order
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
