package field

import (
	"testing"
	"time"

	"kist/agent/language"
)

func TestRead(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"remove the due date of order timber":                    "clear due  of order timber",
		"take the priority off order timber":                     "clear priority  of order timber",
		"remove the tag #dig from dig foundation":                "clear tag #dig of dig foundation",
		"remove #dig from dig foundation":                        "clear tag #dig of dig foundation",
		"remove the recurrence of oil the hinges":                "clear repeat  of oil the hinges",
		"drop the scheduled date of dig foundation":              "clear scheduled  of dig foundation",
		"remove 📅 from choose tiles":                             "clear due  of choose tiles",
		"clear the due date of order timber":                     "clear due  of order timber",
		"clear order timber's deadline":                          "clear due  of order timber",
		"set order timber’s priority to low":                     "priority low of order timber",
		"order timber has no due date any more":                  "clear due  of order timber",
		"order timber no longer has a deadline":                  "clear due  of order timber",
		"make order timber not urgent":                           "clear priority  of order timber",
		"untag dig foundation":                                   "clear tag  of dig foundation",
		"give star task a due date of 2026-12-08":                "due 2026-12-08 of star task",
		"give star task a start date of 8 December":              "start 2026-12-08 of star task",
		"set the scheduled date of dig foundation to 3 December": "scheduled 2026-12-03 of dig foundation",
		"give star task high priority":                           "priority high of star task",
		"tag order timber with #wood":                            "tag #wood of order timber",
		"add the tag #wood to order timber":                      "tag #wood of order timber",
		"set the recurrence of oil the hinges to every 2 weeks":  "repeat every 2 weeks of oil the hinges",
		// No field is named, or there is more than an order about one.
		"remove order timber":                 "",
		"drop the date night from the plan":   "",
		"add milk to the list":                "",
		"give Anna the key of the shed":       "",
		"the deadline of the grant is Friday": "",
	} {
		got := ""
		if o, task, ok := Read(text, language.Tokenize(text), now); ok {
			if got = o.Name + " " + o.Value + " of " + language.Spell(text, task); o.Clear {
				got = "clear " + got
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestUntagged(t *testing.T) {
	for _, test := range []struct{ title, tag, want string }{
		{"dig #dig a hole #deep", "#DIG", "dig a hole #deep"},
		{"dig #dig a hole #deep", "", "dig a hole"},
		{"issue # 5", "", "issue # 5"},
	} {
		if got := Untagged(test.title, test.tag); got != test.want {
			t.Errorf("%q without %q: %q, want %q", test.title, test.tag, got, test.want)
		}
	}
}
