package extract_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/extract"
)

// What tells something is told from questions, orders and courtesies by its form.
func TestTelling(t *testing.T) {
	for text, want := range map[string][]string{
		"no, leave it, we need the receipts for tax": {"no, leave it, we need the receipts for tax"},
		"no leave it":                        nil,
		"staging up. took 3h":                {"staging up. took 3h"},
		"Take them out of contingency then.": {"Take them out of contingency then."},
		"What worries me most is the airline, they were on strike this spring.": {"What worries me most is the airline, they were on strike this spring."},
		"What I dread is the stairs":                                                    {"What I dread is the stairs"},
		"what is due in May":                                                            nil,
		"wait which room did I say, the blue or the green":                              nil,
		"So asking for the extension is done, isn't it?":                                nil,
		"is that more than i thought":                                                   nil,
		"My son thinks we should all wear badges, would that be sensible do you think?": {"My son thinks we should all wear badges, would that be sensible do you think?"},
		"I do wonder whether the airline will strike again":                             {"I do wonder whether the airline will strike again"},
		"thanks, that's all for today":                                                  nil,
		"hm no he only sent half. reopen":                                               {"hm no he only sent half."},
		"budget 600":                                                                    {"budget 600"},
		"chapter 12":                                                                    nil,
		"actually 5p":                                                                   {"actually 5p"},
		"who does the tiles again?":                                                     nil,
		"so how much is it altogether":                                                  nil,
	} {
		if diff := cmp.Diff(want, extract.Telling(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestResets(t *testing.T) {
	for s, want := range map[string]bool{"Make it green, a sort of sage": true, "put it at 2900": true, "Make it a task": false, "Put it on the list": false, "Make it green?": false, "Say it once": false} {
		if got := extract.Resets(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
