package narration

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kist/agent/agenttest"
	"kist/agent/model"
)

var boat = Study{
	Kind: "forecast", Text: "as kist tells it",
	Points: []Point{
		{Text: "3 open, 12 done. From the project's own pace: 12 tasks done in 6 weeks."},
		{Text: "P80, pessimistic: 14 May 2027 (four runs in five)"},
		{Text: "Deadlines: 3 May 2027, the project: 35 % likely", At: []string{"projects/boat/project.md:5"}},
		{Text: "Warning signs: nobody is named for “Weld the hull”, which Anna waits for.", At: []string{"projects/boat/tasks/weld.md:2", "projects/boat/tasks/sail.md:4"}},
		{Text: "Decide: by 20 April 2027: drop tasks of low priority. It costs nothing."},
	},
}

// wrote is the answer of a model that wrote sentences, each behind its numbers and a bar.
func wrote(sentences ...string) agenttest.Step {
	type sentence struct {
		Text string `json:"text"`
		From []int  `json:"from"`
	}
	var all []sentence
	for _, s := range sentences {
		numbers, text, _ := strings.Cut(s, "|")
		each := sentence{Text: text, From: []int{}}
		for _, n := range strings.Fields(numbers) {
			var k int
			fmt.Sscan(n, &k)
			each.From = append(each.From, k)
		}
		all = append(all, each)
	}
	text, err := json.Marshal(map[string]any{"sentences": all})
	if err != nil {
		panic(err)
	}
	return agenttest.Say(string(text))
}

// What a model says is told as far as the points that it names bear it out.
func TestTell(t *testing.T) {
	for sentence, holds := range map[string]bool{
		"3|The deadline of 3 May 2027 is 35% likely.":                  true,
		"2 3|The pessimistic end is 14 May 2027, the deadline 3 May.":  true,
		"4|Nobody is named for “Weld the hull”, and Anna waits for it": true,
		"1|Twelve tasks are done in six weeks.":                        true,
		"5|Drop tasks of low priority by April 20.":                    true,

		"3|The deadline of 4 May 2027 is 35% likely.":             false, // another date
		"3|The deadline of 3 May 2027 is 53% likely.":             false, // another figure
		"3|The deadline of 3 May 2027 is 35 days likely.":         false, // of another thing
		"1|Fifteen tasks are done in six weeks.":                  false,
		"4|Charles is named for “Weld the hull”, Anna waits.":     false, // another name, where a capital says nothing
		"4|Nobody is named for “Weld the hull”, Charles waits.":   false,
		"4|Somebody is named for “Weld the hull”, Anna waits.":    false, // the contrary
		"3|The deadline of 3 May 2027 is not likely.":             false,
		"2|The deadline of 3 May 2027 is 35% likely.":             false, // of another point
		"9|The deadline of 3 May 2027 is 35% likely.":             false,
		"|The deadline of 3 May 2027 is 35% likely.":              false,
		"4|Anna refuses because suppliers betrayed her.":          false, // words of its own
		"3|Is the deadline of 3 May 2027 likely?":                 false,
		"5|I have dropped tasks of low priority for you already.": false,
		"3|See projects/boat/project.md:5 for deadlines.":         false,
		"3|Deadlines likely":                                      false,
	} {
		text, left, err := Tell(t.Context(), agenttest.NewScript(wrote(sentence)), nil, boat, "")
		if holds != (err == nil && text != "" && left == 0) {
			t.Errorf("%s: %q, %d left out, %v", sentence, text, left, err)
		}
	}
	text, left, err := Tell(t.Context(), agenttest.NewScript(wrote("3|The deadline of 3 May 2027 is **35 %** likely.", "3|It is 99% likely.", "4|Nobody is named\nfor “Weld the hull”.")), nil, boat, "")
	if want := "The deadline of 3 May 2027 is 35 % likely. (projects/boat/project.md:5) Nobody is named for “Weld the hull”. (projects/boat/tasks/weld.md:2, projects/boat/tasks/sail.md:4)"; text != want || left != 1 || err != nil {
		t.Errorf("%q, %d, %v", text, left, err)
	}
}

func TestTellNothing(t *testing.T) {
	for name, step := range map[string]agenttest.Step{
		"bad JSON": agenttest.Say(`{"sentences":[{"text":`),
		"endless":  agenttest.Say(strings.Repeat("on and on ", 5000)),
		"empty":    wrote(),
		"an error": {Err: model.ErrLimit},
	} {
		if text, _, err := Tell(t.Context(), agenttest.NewScript(step), nil, boat, ""); text != "" || err == nil || name == "an error" && !errors.Is(err, model.ErrLimit) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	script := agenttest.NewScript()
	if _, _, err := Tell(t.Context(), script, nil, Study{}, ""); err == nil || len(script.Requests()) > 0 {
		t.Error("of nothing something is told")
	}
	_, _, _ = Tell(t.Context(), script, nil, boat, "it is private")
	if got := script.Requests()[0]; got.Private != "it is private" || !strings.Contains(got.Messages[0].Text, "2. P80, pessimistic: 14 May 2027") {
		t.Errorf("%+v", got)
	}
}
