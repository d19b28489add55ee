package project

import (
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
)

// Some people want no folders beyond those they make. Who says so once is heeded
// from then on: it is a memory, and is looked up before a project is begun unasked.

var flatWords = language.Pattern(`(?i)\bkeep (?:it|this|that|things|everything|my (?:vault|notes)|the vault)(?: all)? flat\b|\bflat organi[sz]ation\b|\bno (?:new|more|extra) projects\b|\b(?:don't|do not|never|stop) (?:creat|mak|start|open)(?:e|ing)?(?: me)?(?: any| new| more)* projects?\b`)

// Wishes keeps the wish for a flat vault. false: the message isn't one.
func (t *Navigator) Wishes() bool {
	if !flatWords().MatchString(t.Text) || len(strings.Fields(t.Text)) > 25 || strings.HasSuffix(strings.TrimSpace(t.Text), "?") {
		return false
	}
	a := t.Act(nil)
	text := "Keep it flat: no new projects unless asked for"
	w := a.Want("remember", map[string]any{"content": text, "scope": "user", "reason": "remember how you like your vault organised"})
	a.Then = func() {
		if t.Failed(w) {
			return
		}
		t.Waits = t.Waits || w.Result.Status == "proposed"
		t.Say("All right: I'll start no projects unless you ask for one in so many words.")
	}
	return true
}

// LikesFlat looks whether the user wants no projects but those asked for; known is
// false until the answer is there.
func (t *Navigator) LikesFlat() (flat, known bool) {
	if t.flat == nil {
		t.flat = t.NewWant("list_memories", map[string]any{})
		t.Fetch(t.flat)
	}
	if !t.flat.Answered {
		return false, false
	}
	return slices.ContainsFunc(turn.Objects(t.flat.Result.Result, "memories"), func(m map[string]any) bool {
		return flatWords().MatchString(turn.Str(m, "content"))
	}), true
}

// Unasked reports whether a project would be begun that nobody asked for in words.
func Unasked(m interpret.Meaning) bool { return m.Intent == intent.CreateProject && why(m) != byWish }
