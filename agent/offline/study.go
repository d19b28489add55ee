package offline

import (
	"strings"

	"kist/agent/consent"
	"kist/agent/guide"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
)

// The sessions that look at a project as a whole: audit and forecast.

// auditing reads the files critically, and offers to do something about it.
func (t *talk) auditing() bool {
	if t.Here == nil {
		return false
	}
	if t.finished() {
		t.leave("All right, enough of the audit.")
		return true
	}
	if t.ofFindings() {
		return true
	}
	if t.Situation.Phase != "gathering_info" || t.commanded() {
		return false
	}
	a := t.Act(nil)
	w := a.Want("audit", map[string]any{})
	a.Then = func() { t.speakStudy(w) }
	return true
}

// finished: the user has had enough of a session that only looks.
func (t *talk) finished() bool {
	return interpret.IsFinished(t.Text) || t.Situation.Turns > 0 && guide.ReadAnswer(t.Text, guide.Question{}).Kind == guide.Enough && consent.Read(t.Text) == consent.Other
}

// speakStudy tells what an audit or a forecast found.
func (t *talk) speakStudy(w *turn.Want) {
	if t.Failed(w) {
		return
	}
	t.Say("%s", turn.Str(w.Result.Result, "text"))
	if list := turn.Objects(w.Result.Result, "findings"); len(list) > 0 {
		t.Offer(func() { t.fix(list, 0) })
	}
}

// ofFindings deals with a word on one of the findings: "fix the first one", "what's
// the worst?".
func (t *talk) ofFindings() bool {
	toks := language.TrimMarks(language.SkipOpeners(language.Tokenize(t.Text)))
	n := 0
	if k, ok := language.MatchAny(toks, "please? fix|address|tackle|resolve|solve|handle|add|do only|just? the? finding|point|number|task? * one|finding|point|problem|issue?", "please? deal with only|just? the? finding|point|number? * one|finding|point|problem|issue?", "please? make a task of|for|from the? finding|point|number? * one|finding|point|problem|issue?"); ok && k == len(toks) {
		for _, tok := range toks {
			if w := tok.Norm; language.In("worst|gravest|biggest|top", w) {
				n = 1
			} else if at := max(language.DayNumber(w), language.Count(w)); at > 0 && w != "a" && w != "one" {
				n = at
			}
		}
	}
	if n > 0 {
		a := t.Act(nil)
		w := a.Want("audit", map[string]any{})
		a.Then = func() {
			if !t.Failed(w) {
				t.fix(turn.Objects(w.Result.Result, "findings"), n)
			}
		}
		return true
	}
	if k, ok := language.MatchAny(toks, "what|which one? is the? worst|gravest|biggest|important|urgent of|about|here? these|those|them|all|it?", "what|which is the? most important|urgent|serious|pressing one?", "what should i|we fix|do|tackle|address first"); !ok || k < len(toks) {
		return false
	}
	a := t.Act(nil)
	w := a.Want("audit", map[string]any{})
	a.Then = func() {
		found := turn.Objects(w.Result.Result, "findings")
		if t.Failed(w) {
			return
		}
		if len(found) == 0 {
			t.Say("I found nothing to deal with.")
			return
		}
		t.Say("The gravest is: **%s** (%d of 10). %s", turn.Str(found[0], "title"), turn.Num(found[0], "severity"), turn.Str(found[0], "suggestion"))
		t.Offer(func() { t.fix(found, 1) })
	}
	return true
}

// fix makes tasks of the gravest findings, or of the nth alone.
func (t *talk) fix(findings []map[string]any, nth int) {
	var tasks []map[string]any
	for i, f := range findings {
		if nth > 0 && i != nth-1 || nth == 0 && (len(tasks) == 5 || turn.Num(f, "severity") < 5) {
			continue
		}
		task := map[string]any{"title": language.Limit(remedy(turn.Str(f, "title")), 200)}
		if hint := language.OneLine(turn.Str(f, "suggestion")); hint != "" {
			task["children"] = []string{language.Limit(hint, 200)}
		}
		tasks = append(tasks, task)
	}
	if len(tasks) == 0 {
		if !t.Offering {
			t.Say("There is nothing that calls for a task.")
		}
		return
	}
	res, ok := t.More("build_subtree", map[string]any{"tasks": tasks})
	if !ok {
		return
	}
	done := &turn.Want{Result: res, Answered: true}
	if t.Failed(done) {
		return
	}
	t.Waits = t.Waits || res.Status == "proposed"
	if !t.Offering {
		t.Bullets(pastOr(t.Waits, "Added as tasks:", "I'd add as tasks:"), turn.Strs(res.Result, "tasks"))
	}
}

// remedy turns a finding into something to do.
func remedy(title string) string {
	title = strings.TrimRight(language.OneLine(title), ".")
	for _, end := range []string{" is empty", " is thin", " is open"} {
		if name, ok := strings.CutSuffix(title, end); ok {
			return "Write more under " + name
		}
	}
	return "Deal with this: " + title
}

func pastOr(proposed bool, past, would string) string {
	if proposed {
		return would
	}
	return past
}

// forecasting simulates, whatever was asked; the question is in the files.
func (t *talk) forecasting() bool {
	if t.Here == nil {
		return false
	}
	if t.finished() {
		t.leave("All right.")
		return true
	}
	future := interpret.Probable(t.Readings(t.Text), intent.ProjectForecast) >= interpret.Choice
	if t.Situation.Phase != "gathering_info" && !future || t.commanded() || t.Situation.Turns > 0 && !future {
		return false
	}
	a := t.Act(nil)
	w := a.Want("forecast", map[string]any{})
	a.Then = func() {
		t.speakStudy(w)
		if t.Situation.Turns == 0 {
			t.Told = true
			t.Say("I can work out dates from the project's own files. What a choice would change needs a language model.")
		}
		if len(turn.Objects(w.Result.Result, "scenarios")) > 0 {
			t.Offer(func() { t.keepForecast(turn.Str(w.Result.Result, "text")) })
		}
	}
	return true
}

// keepForecast writes a forecast down as a note.
func (t *talk) keepForecast(text string) {
	res, ok := t.More("create_note", map[string]any{
		"title": "Forecast of " + language.ISODay(t.Situation.Now), "text": language.Limit(text, 7000) + "\n", "reason": "keep the forecast as a note",
	})
	t.Waits = t.Waits || ok && res.OK
}
