package draft

import (
	"strings"

	"kist/agent/consent"
	"kist/agent/guide"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/turn"
)

// preview shows what the project would hold.
func (t *Session) preview(d *model.Draft) {
	var lines []string
	for _, key := range guide.Dimensions() {
		if said := d.Dimensions[key]; said != "" {
			lines = append(lines, guide.Title(key)+": "+language.Limit(paragraphs(said), 200))
		}
	}
	t.Say("This is the draft of **%s**:", d.Name)
	t.Bullets("What you said:", lines)
	t.Bullets("First tasks:", undated(d.Tasks))
	var open []string
	for _, key := range d.FollowUp {
		open = append(open, guide.Title(key))
	}
	if len(open) > 0 {
		t.Say("Left open for later: %s.", strings.Join(open, ", "))
	}
	t.askFinalize(d)
}

// paragraphs puts a text on one line, with each paragraph ended.
func paragraphs(text string) string {
	var out []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if p = language.OneLine(p); p != "" {
			out = append(out, ended(p))
		}
	}
	return strings.Join(out, " ")
}

func ended(s string) string {
	if s != "" && !strings.ContainsAny(s[len(s)-1:], ".!?:;…") {
		return s + "."
	}
	return s
}

// decideDraft reads the answer to the preview. done says that it was one.
func (t *Session) decideDraft(d *model.Draft) (done, ok bool) {
	switch consent.Read(t.Text) {
	case consent.Yes, consent.Go:
	case consent.No:
		t.Say("It stays a draft. Tell me what to change, or “give up the draft”.")
		return true, true
	default:
		if guide.ReadAnswer(t.Text, guide.Question{}).Kind != guide.Enough {
			return false, false
		}
	}
	a := t.Act(nil)
	w := a.Want("finalize_draft", map[string]any{})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		if w.Result.Status == "proposed" {
			t.Waits = true
			t.Say("I'd make the project **%s** of the draft.", d.Name)
			return
		}
		t.Say("**%s** is a project now%s. We're in it.", d.Name, withTasks(turn.Num(w.Result.Result, "tasks")))
		var open []string
		for _, key := range d.FollowUp {
			open = append(open, guide.Title(key))
		}
		if len(open) > 0 {
			t.Say("Still to find out: %s.", strings.Join(open, ", "))
		}
	}
	return true, true
}

// undated are the titles without what the tool reads as their dates.
func undated(tasks []string) []string {
	var out []string
	for _, title := range tasks {
		if i := strings.LastIndex(title, " @"); i > 0 {
			title = title[:i]
		}
		out = append(out, title)
	}
	return out
}

func withTasks(n int) string {
	if n == 0 {
		return ""
	}
	return " with " + turn.Plural(n, "first task")
}
