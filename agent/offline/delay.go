package offline

import (
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
)

// whatIfLate answers what a delay of one task would do to the end of the project.
func (t *talk) whatIfLate() bool {
	title, days := interpret.ReadDelay(language.Tokenize(t.text))
	if title == "" || t.here == nil {
		return false
	}
	a := t.act(nil)
	list := a.want("list_tasks", map[string]any{})
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
