package refer

import (
	"slices"
	"strings"

	"kist/agent/language"
)

// Tasks are found by what is said of them, which is rarely their title: in other forms
// of its words, in fewer, or among others. Memories are as well.

// Tasks finds the tasks that words mean, or whatever else has a title. sure: they can
// mean no other; else it is the likeliest, which is only ever proposed.
func Tasks(said string, tasks []map[string]any) (found []map[string]any, sure bool) {
	words := TaskWords(said)
	var exact, within, around []map[string]any
	for _, task := range tasks {
		title := TaskWords(text(task, "title"))
		switch {
		case strings.EqualFold(text(task, "title"), strings.TrimSpace(said)):
			exact = append(exact, task)
		case len(words) == 0 || len(title) == 0:
		case language.Covers(title, words):
			within = append(within, task)
		case language.Covers(words, title):
			around = append(around, task)
		}
	}
	for _, list := range [][]map[string]any{exact, within, around} {
		if len(list) > 0 {
			return openOnes(list), true
		}
	}
	return LikeliestTask(words, tasks), false
}

// TaskWords are the words by which a task is known.
func TaskWords(s string) []string {
	toks := language.Tokenize(s)
	for i := range toks[:max(0, len(toks)-1)] {
		if next := toks[i+1].Norm; language.Class("<verb>", toks[i].Norm) && language.In("up|out|off|in|down|over", next) {
			toks[i].Norm += next // "pick up the lights" is the lights' pickup
		}
	}
	return slices.DeleteFunc(language.ContentWords(toks), func(w string) bool {
		return language.Class("<taskword>", w) || language.In("one|thing|item|point|entry|rid|up|out|off|in|down|over", w)
	})
}

// openOnes leaves out those that are done where others are open.
func openOnes(tasks []map[string]any) []map[string]any {
	open := slices.DeleteFunc(slices.Clone(tasks), func(task map[string]any) bool {
		return language.In("done|cancelled", text(task, "status"))
	})
	if len(open) > 0 {
		return open
	}
	return tasks
}

// enough is how much of a title must be said of the task: the share of its words, of
// which those that stand in few titles count most.
const enough = 0.4

// LikeliestTask is the one of whose title most was said, typing errors forgiven; none
// where two are as good.
func LikeliestTask(words []string, tasks []map[string]any) []map[string]any {
	titles := make([][]string, len(tasks))
	for i, task := range tasks {
		titles[i] = TaskWords(text(task, "title"))
	}
	weight := func(w string) float64 {
		n := 0.0
		for _, title := range titles {
			if hasNearly(title, w) {
				n++
			}
		}
		return 1 / max(n, 1)
	}
	best, most, second := -1, 0.0, 0.0
	for i, title := range titles {
		shared, all := 0.0, 0.0
		for k, w := range title {
			u := weight(w)
			if len(title) > 1 && (language.Class("<verb>", w) || k == len(title)-1 && strings.HasSuffix(w, "en")) {
				u /= 2 // its verb, German ones at the end, which is often another one
			}
			if hasNearly(words, w) {
				shared += u
			}
			all += u
		}
		score := shared / max(all, 1e-9)
		if score > most {
			best, most, second = i, score, most
		} else {
			second = max(second, score)
		}
	}
	if best < 0 || most < enough || second > 0.8*most {
		return nil
	}
	return tasks[best : best+1]
}

func hasNearly(words []string, w string) bool {
	return slices.ContainsFunc(words, func(o string) bool {
		return language.Alike(w, o) > 0 || len(w) > 5 && language.OneApart(w, o) || language.Base(w) == language.Stem(o) || language.Base(o) == language.Stem(w)
	})
}

// text is a value of a task; empty: it has none.
func text(task map[string]any, key string) string {
	s, _ := task[key].(string)
	return s
}
