package agent

import (
	_ "embed"
	"strings"
	"text/template"

	"kist/agent/model"
)

//go:embed prompts/system.md
var systemPrompt string

// promptBudget bounds the instructions, in tokens: a local model with a window
// of 8,192 keeps most of it for the conversation.
const promptBudget = 2000

// promptData is what the prompt's template sees.
type promptData struct {
	model.Situation
	Weekday, Date string
	Back          string // slug
	Projects      []model.Project
	More          int // projects that the budget left out
}

func parsePrompt() (*template.Template, error) {
	t, err := template.New("system.md").Parse(systemPrompt)
	return t, wrap("parse prompt", err)
}

// system returns the instructions of a request. It is a pure function of the
// situation: projects are listed until the budget is used up.
func (a *Agent) system(s model.Situation) string { return assemble(a.prompt, s, promptBudget) }

func assemble(t *template.Template, s model.Situation, budget int) string {
	data := promptData{Situation: s, Weekday: s.Now.Weekday().String(), Date: s.Now.Format("2 January 2006")}
	if n := len(s.Stack); n > 0 {
		data.Back = s.Stack[n-1].Slug
	}
	base := execute(t, data)
	left := budget - tokens(base)
	for _, p := range s.Projects {
		p.Description = oneLine(p.Description, 120)
		left -= tokens(p.Slug+p.Name+p.Description) + 4
		if left < 0 {
			break
		}
		data.Projects = append(data.Projects, p)
	}
	data.More = len(s.Projects) - len(data.Projects)
	return execute(t, data)
}

// execute can't fail on these types; if the template is broken, a test says so.
func execute(t *template.Template, data promptData) string {
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return systemPrompt
	}
	return b.String()
}

// tokens estimates how many tokens a text is: about four bytes of English each.
func tokens(text string) int { return (len(text) + 3) / 4 }

func oneLine(s string, n int) string {
	return shorten(strings.Join(strings.Fields(s), " "), n)
}
