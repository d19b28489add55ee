package claims

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What stands beside the one change that was made is told, whatever the language is.
func TestInvented(t *testing.T) {
	evidence := []string{"add oil for the deck, by tomorrow", `{"title":"Buy deck oil","due":"2026-11-28"}`, "applied: create projects/ark/tasks/buy-deck-oil.md: add the task “Buy deck oil”"}
	for text, want := range map[string][]string{
		"I've added “Buy deck oil”, due 28 November.":                       nil,
		"Added \"buy **deck** oil\" and deleted “Paint the hull”.":          {"“Paint the hull”"},
		"Task created: «Comprar pan y leche», para 2026-12-03.":             {"“Comprar pan y leche”", "2026-12-03"},
		"Ich habe „Brot und Milch kaufen“ angelegt, fällig am 3. Dezember.": {"“Brot und Milch kaufen”", "3. Dezember"},
		"「牛乳を買いに行く明日の朝」を追加しました。":                                            {"“牛乳を買いに行く明日の朝”"},
		"Done: “oil”. It's 12\" wide, and 14\" long.":                       nil,
		"See “add oil for the deck”. “A b” “c d” “e f” “g h” “i j” “k l”.":  {"“A b”", "“c d”", "“e f”", "“g h”", "“i j”"},
		"Done.": nil,
	} {
		if diff := cmp.Diff(want, Invented(text, evidence...)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
