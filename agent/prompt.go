package agent

import (
	"embed"
	"slices"
	"strings"
	"text/template"

	"kist/agent/guide"
	"kist/agent/model"
)

//go:embed prompts/*.md
var promptFiles embed.FS

// promptBudget bounds the instructions, in tokens: a local model with a window
// of 8,192 keeps most of it for the conversation. shownBudget bounds the passages
// of the vault in it.
const (
	promptBudget = 3500
	shownBudget  = 1200
)

// promptData is what the prompts' templates see.
type promptData struct {
	model.Situation
	Weekday, Date string
	Back          string // slug
	Projects      []model.Project
	More          int    // projects that the budget left out
	Guide         string // what the session's mode adds
	Next          string // a question that a guided session may ask
	Shown         []model.Passage
}

func parsePrompt() (*template.Template, error) {
	t, err := template.ParseFS(promptFiles, "prompts/*.md")
	return t, wrap("parse prompts", err)
}

// system returns the instructions of a request.
func (a *Agent) system(s model.Situation) string { return assemble(a.prompt, s, promptBudget) }

// assemble is a pure function of the situation: passages of the vault are shown, and
// projects listed, until the budget of tokens is used up.
func assemble(t *template.Template, s model.Situation, budget int) string {
	s = bounded(s)
	data := promptData{Situation: s, Weekday: s.Now.Weekday().String(), Date: s.Now.Format("2 January 2006"), Next: nextQuestion(s)}
	if n := len(s.Stack); n > 0 {
		data.Back = s.Stack[n-1].Slug
	}
	if t.Lookup(s.Mode+".md") != nil && s.Mode != "system" {
		data.Guide = strings.TrimSpace(execute(t, s.Mode+".md", data))
	}
	left := shownBudget
	for _, p := range s.Passages {
		p.Path, p.Heading, p.Text = oneLine(p.Path, 300), oneLine(p.Heading, 120), quoted(shorten(p.Text, passageText))
		if left -= tokens(p.Path+p.Heading+p.Text) + 8; left < 0 {
			break
		}
		data.Shown = append(data.Shown, p)
	}
	left = budget - tokens(execute(t, "system.md", data))
	for _, p := range s.Projects {
		p.Description = oneLine(p.Description, 120)
		left -= tokens(p.Slug+p.Name+p.Description) + 4
		if left < 0 {
			break
		}
		data.Projects = append(data.Projects, p)
	}
	data.More = len(s.Projects) - len(data.Projects)
	return execute(t, "system.md", data)
}

// What else of a situation is listed, at most.
const (
	draftsListed  = 5
	settledListed = 5
	openListed    = 12
)

// bounded keeps what comes from files within the budget, and in its place: a session,
// a draft or an operation may be anybody's, and of any size. Text of several lines is
// quoted, so that none of it looks like the instructions around it.
func bounded(s model.Situation) model.Situation {
	s.Summary = quoted(shorten(s.Summary, summaryRunes))
	s.Question.Text = oneLine(s.Question.Text, 500)
	s.Memories = slices.Clone(s.Memories[:min(len(s.Memories), memoriesShown)])
	for i := range s.Memories {
		s.Memories[i] = oneLine(s.Memories[i], 300)
	}
	s.Settled = slices.Clone(s.Settled[:min(len(s.Settled), settledListed)])
	for i := range s.Settled {
		s.Settled[i].Reason, s.Settled[i].Error = oneLine(s.Settled[i].Reason, 160), oneLine(s.Settled[i].Error, 160)
	}
	s.Drafts = slices.Clone(s.Drafts[:min(len(s.Drafts), draftsListed)])
	for i := range s.Drafts {
		s.Drafts[i].Name = oneLine(s.Drafts[i].Name, 100)
	}
	s.Idle = s.Idle[:min(len(s.Idle), idleShown)]
	if s.Draft != nil {
		d := *s.Draft
		d.FollowUp = slices.Clone(d.FollowUp[:min(len(d.FollowUp), openListed)])
		for i := range d.FollowUp {
			d.FollowUp[i] = oneLine(d.FollowUp[i], 60)
		}
		s.Draft = &d
	}
	return s
}

// quoted marks each line of a text as such; one line stays as it is.
func quoted(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "\n\r\u2028") {
		return text
	}
	return "> " + strings.NewReplacer("\r\n", "\n> ", "\n", "\n> ", "\r", "\n> ", "\u2028", "\n> ").Replace(text)
}

// execute can't fail on these types; if a template is broken, a test says so.
func execute(t *template.Template, name string, data promptData) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return "You are kist. Help the user with their projects; change things only through the tools."
	}
	return b.String()
}

// nextQuestion is what the guide would ask now; empty: nothing.
func nextQuestion(s model.Situation) string {
	if s.Mode != "project_create" || s.Draft == nil {
		return ""
	}
	q, ok := guide.Next(guide.StateOf(s))
	if !ok {
		return ""
	}
	return q.Text
}

// tokens estimates how many tokens a text is: about four bytes of English each.
func tokens(text string) int { return (len(text) + 3) / 4 }
