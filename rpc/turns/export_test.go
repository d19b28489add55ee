package turns

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kist/vault/conversation"
)

func TestMarkdown(t *testing.T) {
	at := time.Date(2027, 3, 1, 9, 30, 0, 0, time.UTC)
	long := strings.Repeat("\u00e4", maxPiece) // no piece ends within a letter
	all := []conversation.Turn{
		{At: at, Project: "boat", User: "what is\nopen? ", Reply: "Two tasks.", Actions: []string{"created task x"}, Operations: []string{"01A"}, Context: []string{"a.md:3"}},
		{At: at, User: "a" + long, Reply: "\xff"},
	}
	var whole strings.Builder
	for piece := range Markdown(conversation.Session{ID: "01S", Created: at, Title: "Roof\n# x"}, all) {
		if !utf8.ValidString(piece) || len(piece) > maxPiece {
			t.Errorf("a piece of %d bytes, %v", len(piece), utf8.ValidString(piece))
		}
		whole.WriteString(piece)
	}
	want := "\n## 2027-03-01 09:30:00 UTC, in boat\n\n**You:** what is\nopen?\n\n**kist:** Two tasks.\n\nDone or proposed:\n\n- created task x\n\nOperations:\n\n- 01A\n\nRead:\n\n- a.md:3\n"
	if got := whole.String(); !strings.HasPrefix(got, "# Roof") || strings.Contains(got, "\n# x") || !strings.Contains(got, want) || !strings.Contains(got, "a"+long+"\n\n**kist:** \uFFFD\n") {
		t.Errorf("%.600s", got)
	}
}
