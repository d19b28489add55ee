package interpret

import (
	"encoding/json"
	"strings"
	"testing"

	"kist/agent/language"
)

func TestReadUndo(t *testing.T) {
	for _, row := range strings.Split(strings.TrimSpace(`
undo | {}
undo that please | {}
take it back | {}
roll back the last change | {}
undo the last three | {"last":3}
undo the last three changes | {"last":3}
revert the last two edits | {"last":2}
undo the last few changes | {"last":3}
undo the last couple of changes | {"last":3}
undo both | {"last":2}
undo everything | {"last":50}
undo all your changes | {"last":50}
undo today's changes | {"today":true}
undo everything from today | {"last":50,"today":true}
undo what you did today | {"today":true}
delete the last line of today's note | {}
redo | {"redo":true}
redo that | {"redo":true}
undo the undo | {"redo":true}
redo the last two | {"last":2,"redo":true}
do it again after all | {"redo":true}
that last thing, scrub it, he only gave me 30. owes 20 | {}
undo that, she told me everything | {}
take that back, the two of them can't come | {}
everything from today, undo it | {"last":50,"today":true}
`), "\n") {
		text, want, _ := strings.Cut(row, "|")
		got, err := json.Marshal(readUndo(language.Tokenize(strings.TrimSpace(text))))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != strings.TrimSpace(want) {
			t.Errorf("%s: %s, want %s", strings.TrimSpace(text), got, want)
		}
	}
}
