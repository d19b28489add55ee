package agenttest

import (
	"testing"

	"kist/agent/model"
	"kist/agent/model/modeltest"
)

// The script is a model like the others. With a choice of none it says what it was told to.
func TestScriptConforms(t *testing.T) {
	words := model.Request{Messages: []model.Message{{Role: model.User, Text: "hello"}}}
	calls := words
	calls.Tools = []model.Tool{{Name: "list_projects"}}
	open := func(t *testing.T) model.Model {
		return Answer(func(req model.Request) Step {
			if len(req.Tools) > 0 && req.Choice != model.None {
				return Call("list_projects", `{}`)
			}
			return Say("Hello.")
		})
	}
	modeltest.Test(t, open, words, calls)
}
