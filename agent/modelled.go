package agent

import (
	"fmt"
	"slices"

	"kist/agent/model"
	"kist/agent/prose"
	"kist/vault"
	"kist/vault/entity"
)

// What a model, or a message, needs of the vault's things.

func asModel(p entity.Project) model.Project {
	by := string(vault.ActorUser)
	if madeByAgent(p) {
		by = string(vault.ActorAgent)
	}
	return model.Project{Slug: p.Slug, Path: p.Path, Name: prose.OneLine(p.Name, 100), Aliases: p.Aliases, Description: prose.OneLine(p.Description, 300), Status: p.Status, CreatedBy: by}
}

// madeByAgent: what nobody signed belongs to the user.
func madeByAgent(p entity.Project) bool { return p.CreatedBy == string(vault.ActorAgent) }

func draftForModel(d entity.Draft) model.Draft {
	return model.Draft{
		Slug: d.Slug, Name: prose.OneLine(d.Name, 100), Description: prose.OneLine(d.Description, 300), Status: d.Status,
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

func eachDraft(drafts []entity.Draft) []model.Draft {
	var out []model.Draft
	for _, d := range drafts {
		out = append(out, draftForModel(d))
	}
	return out
}
