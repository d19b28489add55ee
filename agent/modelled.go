package agent

import (
	"fmt"
	"slices"

	"kist/agent/model"
	"kist/vault"
)

// What a model, or a message, needs of the vault's things.

func asModel(p vault.Project) model.Project {
	by := string(vault.ActorUser)
	if madeByAgent(p) {
		by = string(vault.ActorAgent)
	}
	return model.Project{Slug: p.Slug, Name: oneLine(p.Name, 100), Description: oneLine(p.Description, 300), Status: p.Status, CreatedBy: by}
}

// madeByAgent: what nobody signed belongs to the user.
func madeByAgent(p vault.Project) bool { return p.CreatedBy == string(vault.ActorAgent) }

func draftForModel(d vault.Draft) model.Draft {
	return model.Draft{
		Slug: d.Slug, Name: oneLine(d.Name, 100), Description: oneLine(d.Description, 300), Status: d.Status,
		Dimensions: d.Dimensions, FollowUp: d.FollowUp, Questions: d.Questions, Tasks: d.Tasks, Edited: d.Modified,
	}
}

func checkMode(mode string) error {
	if mode != "" && !slices.Contains(model.Modes(), mode) {
		return fmt.Errorf("unknown mode %q: %w", mode, vault.ErrInvalid)
	}
	return nil
}

// needsProject: what these look at is a project.
func needsProject(mode string) bool {
	return mode == "project_update" || mode == "project_audit" || mode == "project_forecast"
}

func eachDraft(drafts []vault.Draft) []model.Draft {
	var out []model.Draft
	for _, d := range drafts {
		out = append(out, draftForModel(d))
	}
	return out
}
