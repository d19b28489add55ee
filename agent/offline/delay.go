package offline

import (
	_ "embed"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/agent/offline/manner"
	"kist/agent/offline/refer"
)

// delay/en.txt holds the words of a question what a delay would do.
//
//go:embed delay/en.txt
var delayText string

var delayWords = sync.OnceValue(func() manner.Table { return manner.Read(delayText) })

// readDelay reads "what if the painting is two weeks late?": the words of the task, and
// by how many days. A plain statement is news, and no such question.
func readDelay(toks []language.Token) (title string, days int) {
	words := delayWords()
	toks = language.SkipOpeners(toks)
	asked := words.Is(toks, "ask")
	if asked == 0 || len(toks) > maxCommand {
		return "", 0
	}
	late := false
	var rest []string
	for toks = toks[asked:]; len(toks) > 0; {
		n := 1
		k := language.Count(toks[0].Norm)
		switch {
		case !toks[0].Word:
		case len(toks) > 1 && k > 0 && language.Unit(toks[1].Norm) > 0:
			days, n = k*language.Unit(toks[1].Norm), 2
		case !toks[0].Quoted && words.Is(toks, "late") > 0:
			late, n = true, words.Is(toks, "late")
		case toks[0].Quoted || !words.List[toks[0].Norm] && !language.IsFiller(toks[0]):
			rest = append(rest, toks[0].Norm)
		}
		toks = toks[n:]
	}
	if !late || days == 0 {
		return "", 0
	}
	return strings.Join(rest, " "), days
}

// whatIfLate answers what a delay of one task would do to the end of the project.
func (t *talk) whatIfLate() bool {
	title, days := readDelay(language.Tokenize(t.text))
	if title == "" || t.here == nil {
		return false
	}
	a := t.act(nil)
	list := a.want(t, "list_tasks", map[string]any{})
	a.then = func() {
		if t.failed(list) {
			return
		}
		found, _ := refer.Tasks(title, objects(list.res.Result, "tasks"))
		if len(found) != 1 {
			t.notOne(found, title)
			return
		}
		res, ok := t.more("forecast", map[string]any{"task": str(found[0], "task"), "delay_days": min(days, 3650)})
		if !ok {
			return
		}
		if w := (&want{res: res, ok: true}); !t.failed(w) {
			t.say("%s", str(res.Result, "text"))
		}
	}
	return true
}
