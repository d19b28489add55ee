package every

import (
	"fmt"
	"testing"
)

func TestReadFew(t *testing.T) {
	for said, want := range map[string]string{
		"tick milk":                    "{done [milk] []}",
		"tick off milk and bread":      "{done [milk bread] []}",
		"tick off chapters 4, 5 and 6": "{done [chapters 4 chapters 5 chapters 6] []}",
		"hake Milch ab":                "{done [Milch] []}",
		"untick eggs, please":          "{todo [eggs] []}",
		"uncheck bread":                "{todo [bread] []}",
		"mark 3 and 5 done":            "{done [] [3 5]}",
		"mark number 2 as done":        "{done [] [2]}",
		"complete 1, 2 and 4":          "{done [] [1 2 4]}",
		"tick 2 to 4":                  "{done [] [2 3 4]}",
		"tick the first two":           "{done [] [1 2]}",
		"tick the third one":           "{done [] [3]}",
		"3 and 5 are done":             "{done [] [3 5]}",
		"reopen 2":                     "{todo [] [2]}",
		"tick all tasks":               "{ [] []}",
		"mark the report done":         "{ [] []}",
		"check the oven":               "{ [] []}",
		"tick milk. And what is open?": "{ [] []}",
		"the bill of 5 is done":        "{ [] []}",
	} {
		got, _ := ReadFew(said)
		if s := fmt.Sprint(got); s != want {
			t.Errorf("%s: %s, not %s", said, s, want)
		}
	}
}
