package draft

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"kist/agent/extract"
	"kist/agent/guide"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/naming"
	"kist/agent/offline/turn"
	"kist/vault/pattern"
)

// What a project in the making is called.

var (
	beforeName = pattern.Lazy(`(?i)^(?:(?:hm+|well|maybe|perhaps|oh|ok(?:ay)?|um+|uh+|er+|so|say|let'?s say|i'?d say|i think|i guess|how about|what about|something like|(?:let'?s |we(?:'ll| could| can)? |i(?:'d|'ll)? |please )?(?:call|name|title) it|it(?:'s| is| should be| could be) called|(?:the |its )?(?:name|title)(?: is| could be|:)|just)(?:[,.:]?\s+|$))+`)
	afterName  = pattern.Lazy(`(?i)(?:[,.]?\s+(?:for now|maybe|perhaps|please|or so|or something(?: like that)?|i think|i guess|will do))*[?!.…]*$`)
	callIt     = pattern.Lazy(`(?i)^(?:(?:ok(?:ay)?|please|actually|oh|and|well|by the way|wait)[,.]?\s+)*(?:let'?s |i(?:'d| would) like to |can (?:we|you) |we(?:'ll| could| can)? |i want to |you can )?(?:(?:re)?name|call|title) (?:it|this|the (?:project|draft))(?: to)?\s+(.+)$`)
	theName    = pattern.Lazy(`(?i)^(?:the (?:name|title) (?:is|should be|will be)|it(?:'s| is| should be) called)\s+(.+)$`)
)

// workingTitle stands in until the user has a name. It is one that no other draft has.
func workingTitle(drafts []model.Draft) string {
	title := guide.WorkingTitle
	taken := func(d model.Draft) bool { return strings.EqualFold(d.Name, title) }
	for n := 2; slices.ContainsFunc(drafts, taken); n++ {
		title = fmt.Sprintf("%s %d", guide.WorkingTitle, n)
	}
	return title
}

// named reads the answer to what the project is called. What goes on telling is kept, and
// is a name only where it says one: what was said must not hang on it.
func (t *Session) named(d *model.Draft) bool {
	name, told := plainName(t.Text), ""
	kind := guide.ReadAnswer(t.Text, guide.Question{}).Kind
	switch {
	case kind == guide.Asks:
		t.Say("A few words that you'd know it by. They can change later.")
		t.Question = new(t.Situation.Question)
		return true
	case interpret.IsFinished(t.Text), kind == guide.DontKnow, kind == guide.Skip, kind == guide.Later, kind == guide.Enough, noName(t.Text):
		name = ""
	case !extract.IsName(name) || utf8.RuneCountInString(name) > 80:
		name = t.projectName(t.Read(t.Text))
		told = t.Text
	}
	if name == "" {
		t.Say("I'll call it **%s** until you say “call it ...”.", d.Name)
	}
	a := t.Act(nil)
	var w *turn.Want
	if name != "" {
		w = a.Want("update_draft_dimension", map[string]any{"name": name})
		d.Name = name
	}
	a.Then = func() {
		if w != nil && t.Failed(w) {
			return
		}
		if name != "" {
			t.Say("It's called **%s**.", name)
		}
	}
	if told == "" {
		t.Act(func() { t.askNext(d) })
		return true
	}
	t.keepDraft(d, told, false)
	return true
}

// noName leaves the name to kist.
func noName(text string) bool {
	n, ok := language.MatchAny(language.TrimMarks(language.SkipOpeners(language.Tokenize(text))), "you choose|decide|pick one?|something?", "up to you", "whatever *? *?", "anything", "no name *?", "i do not care|mind", "it does not matter", "surprise me", "no|none", "any name")
	return ok && n > 0
}

// plainName is a name without what people say around it.
func plainName(text string) string {
	name := beforeName().ReplaceAllString(language.OneLine(text), "")
	name = strings.TrimSpace(afterName().ReplaceAllString(name, ""))
	return language.Capital(language.Unwrap(strings.Trim(name, "\"“”'‘’ ")))
}

// renamesDraft is the name that the draft is to have from now on.
func renamesDraft(text string) string {
	line := language.OneLine(text)
	for _, said := range []func() *regexp.Regexp{callIt, theName} {
		if m := said().FindStringSubmatch(line); m != nil {
			if name := plainName(m[1]); name != "" && len(strings.Fields(name)) <= 9 && utf8.RuneCountInString(name) <= 80 && !noName(m[1]) && !language.Class("<wh>", strings.ToLower(strings.Fields(name)[0])) {
				return name
			}
		}
	}
	return ""
}

// rename gives the draft another name and asks again what was asked.
func (t *Session) rename(d *model.Draft, asked guide.Question, name string) {
	a := t.Act(nil)
	w := a.Want("update_draft_dimension", map[string]any{"name": name})
	d.Name = name
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		t.Say("It's called **%s** now.", name)
		switch {
		case t.Situation.Question.Kind == guide.KindFinalize:
			t.askFinalize(d)
		case asked.ID != "":
			if q, ok := guide.QuestionByID(asked.ID, guide.Spoken(name)); ok {
				asked = q
			}
			t.Question = new(asked.Ask())
		default:
			t.askNext(d)
		}
	}
}

// projectName finds what the project is called in a first message.
func (t *Session) projectName(meanings []interpret.Meaning) string {
	kept := naming.Kept(t.Text)
	return cmp.Or(kept, nameAmong(meanings, true), t.Undertaking(t.Text), nameAmong(meanings, false))
}

// nameAmong is the name of a project that one of several meanings is to make. sure: only
// where that leaves no doubt.
func nameAmong(meanings []interpret.Meaning, sure bool) string {
	for _, m := range meanings {
		if m.Intent == intent.CreateProject && (m.Sure || !sure) && m.Name != "" {
			return language.Limit(m.Name, 80)
		}
	}
	return ""
}
