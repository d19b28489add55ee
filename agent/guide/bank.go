package guide

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
)

var (
	//go:embed questions.md
	questionsText string

	//go:embed openings.md
	openingsText string
)

// A Question is one of the bank, with the project's name filled in.
type Question struct {
	ID        string // "dimension.n", n from 1
	Dimension string
	Text      string
	YesNo     bool // a yes alone answers it
}

// unnamed stands in for a project that has no name yet.
const unnamed = "this project"

// bank and phrases are the two files, parsed once: heading to lines.
var (
	bank    = sync.OnceValue(func() map[string][]string { return readLists(questionsText) })
	phrases = sync.OnceValue(func() map[string][]string { return readLists(openingsText) })
)

func readLists(text string) map[string][]string {
	out := map[string][]string{}
	key := ""
	for line := range strings.SplitSeq(text, "\n") {
		if head, ok := strings.CutPrefix(line, "## "); ok {
			key = strings.TrimSpace(head)
		}
		if item, ok := strings.CutPrefix(line, "- "); ok && key != "" {
			out[key] = append(out[key], strings.TrimSpace(item))
		}
	}
	return out
}

func cutID(id string) string {
	key, _, _ := strings.Cut(id, ".")
	return key
}

// Variants are all questions of a dimension.
func Variants(key, name string) []Question {
	var out []Question
	for i, text := range bank()[key] {
		text, yesNo := strings.CutPrefix(text, "(yes/no) ")
		out = append(out, Question{ID: fmt.Sprintf("%s.%d", key, i+1), Dimension: key, Text: fill(text, name), YesNo: yesNo})
	}
	return out
}

func fill(text, name string) string {
	if name = strings.TrimSpace(name); name == "" {
		name = unnamed
	}
	return strings.ReplaceAll(text, "{name}", name)
}

func flatten(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(s, "’", "'"))), " ")
}

// topicOf finds the one dimension that a few words stand for: "the team", "risks".
func topicOf(text string) (string, bool) {
	best, sum := "", 0.0
	for _, s := range sentences(text) {
		for d, w := range weigh(words(s)) {
			if w > sum {
				best, sum = Dimensions()[d], w
			}
		}
	}
	if sum < 1 {
		return "", false
	}
	return best, true
}

// pick chooses one of n by seed and salt: the same for the same session, on any
// machine.
func pick(n int, seed, salt string) int {
	h := fnv.New32a()
	h.Write([]byte(seed + "\x00" + salt)) // a hash never fails to write
	return int(h.Sum32() % uint32(n))
}

// Opening returns the first words of a session in a mode (general,
// project_create, project_update, project_audit, project_forecast, task_update),
// one of several by seed; an unknown mode is general.
func Opening(mode, name, seed string) string {
	list := phrases()[mode]
	if len(list) == 0 || mode == "acknowledge" || mode == "dont_know" || mode == "thanks" {
		list = phrases()["general"]
	}
	return fill(list[pick(len(list), seed, "opening")], name)
}

// Acknowledge returns what to say to the nth piece of a brain dump (from 0): it
// asks nothing, and never the same twice in a row.
func Acknowledge(n int) string { return nth("acknowledge", n) }

// Thanks returns a few words for an answer, by its number.
func Thanks(n int) string { return nth("thanks", n) }

// NoMatter returns a few words for an "I don't know", by its number.
func NoMatter(n int) string { return nth("dont_know", n) }

func nth(key string, n int) string {
	list := phrases()[key]
	return list[((n%len(list))+len(list))%len(list)]
}

// QuestionByID returns a question of the bank; false if there is none of that id.
func QuestionByID(id, name string) (Question, bool) {
	for _, q := range Variants(cutID(id), name) {
		if q.ID == id {
			return q, true
		}
	}
	return Question{}, false
}
