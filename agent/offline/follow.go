package offline

import (
	"slices"
	"strings"

	"kist/agent/consent"
	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
	"kist/agent/model"
	"kist/agent/offline/apart"
	"kist/agent/offline/interpret"
	"kist/agent/offline/turn"
)

// answerAtMost is how many words a message has that may only answer what was asked.
const answerAtMost = 5

// follow goes to the project of the session that a message is about by its words, or out of any, as if
// that had been said first.
func follow(t *talk, req model.Request) *talk {
	to, ok := leads(t)
	if !ok {
		return t
	}
	req.Situation.Project, req.Situation.Elsewhere, req.Situation.Leads = nil, nil, ""
	if i := slices.IndexFunc(req.Situation.Projects, func(p model.Project) bool { return p.Slug == to }); i >= 0 {
		req.Situation.Project = &req.Situation.Projects[i]
	}
	moved := newTalk(req)
	moved.Trained = t.Trained
	w := moved.Act(nil).Want("switch_project", map[string]any{"project": to})
	moved.Act(func() { moved.Failed(w) })
	return moved
}

// leads is where a message leads that is about a matter: it is no order that says where to go, what to
// undo or what to make, and no word on what waits.
func leads(t *talk) (to string, ok bool) {
	to = threadOf(t)
	s := t.Situation
	if to == "" || s.Mode != "general" && !looksOnly(s.Mode) || len(s.Settled) > 0 || consent.Read(t.Text) != consent.Other || consent.Doubts(t.Text) ||
		s.Question.Kind != "" && len(strings.Fields(t.Text)) <= answerAtMost || apart.Beside(language.Tokenize(t.Text)) {
		return "", false
	}
	if _, _, opens := t.Opened(); opens {
		return "", false
	}
	return to, !slices.ContainsFunc(t.Read(t.Text), func(m interpret.Meaning) bool {
		named, one := m.Project.One()
		moves := len(m.Known) > 0 && m.Known[0].Intent == interpret.MoveTask // "that belongs to the orchard"
		return moves || one && named.Slug != to || !one && (m.Project.Phrase != "" || len(m.Project.Found) > 0) || !aboutMatter(m.Intent)
	})
}

// threadOf is the project that a message is about where it isn't the one at hand. What is told behind
// something that is none of that goes on with it.
func threadOf(t *talk) string {
	s, here := t.Situation, turn.NoProject
	if s.Project != nil {
		here = s.Project.Slug
	}
	to := s.Leads
	if to == "" && s.Question.Kind == turn.AskCreate && s.Question.Args["on"] == "apart" && extract.Plain(t.Text) {
		to = turn.NoProject
	}
	if to == here {
		return ""
	}
	return to
}

// looksOnly: a session of that mode changes nothing by itself.
func looksOnly(mode string) bool { return mode == "project_audit" || mode == "project_forecast" }

// aboutMatter: a message with that intent is about what somebody has to do with, not about projects
// or what kist did.
func aboutMatter(i intent.Name) bool {
	switch i {
	case intent.None, intent.News, intent.Elsewhere, intent.Ask, intent.Status, intent.AddTask, intent.UpdateTask, intent.CompleteTask, intent.DeleteTask,
		intent.ListTasks, intent.AddNote, intent.AddDecision, intent.Remember, intent.ForgetMemory, intent.ListMemories, intent.Thanks, intent.Greet:
		return true
	}
	return false
}
