package tool

import (
	"context"
	"fmt"

	"kist/vault"
	"kist/vault/entity"
)

type proposeActionArgs struct {
	Kind    string `json:"kind" jsonschema:"such as email, issue or page" limit:"min=1,max=60"`
	Target  string `json:"target" jsonschema:"an address, a repository" limit:"min=1,max=200"`
	Title   string `json:"title" limit:"min=1,max=200"`
	Text    string `json:"text" jsonschema:"as Markdown" limit:"min=1,max=32000,lines"`
	Project string `json:"project,omitempty" jsonschema:"slug; else active" limit:"max=200"`
	Reason  string `json:"reason" limit:"min=1,max=300"`
}

func actionTools(c *catalogue) {
	define(c, "propose_action", External, "Draft something for a system outside the vault; the user edits and approves it first.", proposeAction)
	c.when(externalTier())
}

// proposeAction drafts an artifact as a document. Approving writes it; there is
// nothing yet that carries it out.
func proposeAction(ctx context.Context, e *Env, a proposeActionArgs) (Result, error) {
	slug := ""
	if a.Project != "" || e.Project != "" {
		p, res, err := target(ctx, e, a.Project)
		if err != nil || res.Fault != nil {
			return res, err
		}
		slug = p.Slug
	}
	step, err := entity.PlanExternal(ctx, e.Vault, entity.NewAction{Kind: a.Kind, Target: a.Target, Title: a.Title, Text: a.Text, Project: slug})
	if err != nil {
		return faultOf(err)
	}
	step.Reason = a.Reason
	return Result{
		Value: map[string]any{
			"path": step.Entity.Path, "title": a.Title,
			"notice": fmt.Sprintf("approving keeps the draft in %s; nothing on this machine carries it out yet, so the user does that", step.Entity.Path),
		},
		Steps: []vault.Step{step}, Project: slug,
	}, nil
}
