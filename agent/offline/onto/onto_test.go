package onto_test

import (
	"fmt"
	"testing"

	"kist/agent/offline/onto"
)

// TestRead: what is put where, in each way in which it can be read; what asks for a task, a note or
// anything else of its own is no such order.
func TestRead(t *testing.T) {
	for said, want := range map[string]string{
		"add butter to Shopping":                        "[[butter] [Shopping] ]",
		"please add butter and jam to my shopping list": "[[butter jam] [shopping list shopping] ]",
		"add a spoon to Kitchen in Packing":             "[[a spoon] [Kitchen in Packing] ] [[a spoon] [Kitchen] Packing] [[a spoon to Kitchen] [Packing] ]",
		"put letter to Bo on the list Home":             "[[letter] [Bo on the list Home] ] [[letter] [Bo] Home] [[letter to Bo] [list Home Home] ]",
		"add “salt and pepper” to Home":                 "[[salt and pepper] [Home] ]",
		"add call Bo and Ann to [[Home]]":               "[[call Bo and Ann] [Home] ]",
		"füge Butter zur Einkaufsliste hinzu":           "[[Butter] [Einkaufsliste] ]",
		"kannst du bitte":                               "",
		"add a task to order the cable":                 "",
		"add tasks to order cable and to call the bank": "",
		"add #home to milk":                             "",
		"add to Shopping: butter":                       "",
		"butter is on Shopping":                         "",
		"add butter to Shopping. And what is open?":     "",
	} {
		got := ""
		for i, o := range onto.Read(said) {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("[%v %v %v]", o.Items, o.Names, o.Of)
		}
		if got != want {
			t.Errorf("%s:\n%s\nnot %s", said, got, want)
		}
	}
}
