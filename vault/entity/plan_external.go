package entity

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/documents"
)

// A NewAction is something to be done in a system outside the vault.
type NewAction struct {
	Kind    string // email, issue, page
	Target  string // the system and place
	Title   string
	Text    string // Markdown
	Project string // slug; empty: none
}

// PlanExternal plans to keep the artifact of an action as a document, in actions/ of
// its project or of the vault. What executes it reads it there; until then its
// status is drafted.
func PlanExternal(ctx context.Context, v *vault.Vault, a NewAction) (vault.Step, error) {
	title := vault.OneLine(a.Title)
	if title == "" {
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: an action needs a title", vault.ErrInvalid), "say in a few words what it does")
	}
	dir := documents.ActionsDir
	if a.Project != "" {
		p, err := FindProject(ctx, v, a.Project)
		if err != nil {
			return vault.Step{}, err
		}
		dir = v.RecordDir(p.Slug, documents.ActionsDir, documents.ActionsDir)
	}
	p, err := v.FreePath(dir, vault.Slug(title))
	if err != nil {
		return vault.Step{}, err
	}
	id := v.NewID()
	var b strings.Builder
	fmt.Fprintf(&b, "---\nid: %s\ntype: action\ntitle: %s\nkind: %s\ntarget: %s\nstatus: drafted\ncreated: %s\ncreated_by: agent\n---\n\n%s\n",
		id, strconv.Quote(title), strconv.Quote(vault.OneLine(a.Kind)), strconv.Quote(vault.OneLine(a.Target)), v.Now().Format(time.RFC3339), strings.TrimSpace(vault.PlainText(a.Text)))
	return vault.Step{
		Type: vault.OpExternal, Entity: vault.Entity{Type: "action", ID: id, Path: p},
		Changes: []vault.Change{{Path: p, After: []byte(b.String())}},
	}, nil
}
