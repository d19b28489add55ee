package turns

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/conversation"
)

// maxPiece bounds a piece of an export, in bytes.
const maxPiece = 256 << 10

// Markdown is a conversation as a document, in pieces that are valid UTF-8.
func Markdown(s conversation.Session, all []conversation.Turn) iter.Seq[string] {
	return func(yield func(string) bool) {
		head := fmt.Sprintf("# %s\n\nSession %s, begun %s, %d turns.\n", vault.OneLine(cmp.Or(s.Title, "Conversation")), s.ID, moment(s.Created), len(all))
		if !pieces(head, yield) {
			return
		}
		for _, t := range all {
			if !pieces(said(t), yield) {
				return
			}
		}
	}
}

func pieces(text string, yield func(string) bool) bool {
	for text = strings.ToValidUTF8(text, "\uFFFD"); text != ""; {
		piece := text[:min(len(text), maxPiece)]
		if len(piece) < len(text) {
			piece = strings.ToValidUTF8(piece, "") // of a character that it cuts in two nothing
		}
		if !yield(piece) {
			return false
		}
		text = text[len(piece):]
	}
	return true
}

// said is a turn, with what came of it.
func said(t conversation.Turn) string {
	var b strings.Builder
	where := ""
	if t.Project != "" {
		where = ", in " + t.Project
	}
	fmt.Fprintf(&b, "\n## %s%s\n\n**You:** %s\n\n**kist:** %s\n", moment(t.At), where, strings.TrimSpace(t.User), strings.TrimSpace(t.Reply))
	for _, part := range []struct {
		name  string
		lines []string
	}{{"Done or proposed", t.Actions}, {"Operations", t.Operations}, {"Read", t.Context}} {
		if len(part.lines) > 0 {
			fmt.Fprintf(&b, "\n%s:\n\n- %s\n", part.name, strings.Join(part.lines, "\n- "))
		}
	}
	return b.String()
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
