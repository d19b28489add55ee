package vault

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
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
func (v *Vault) PlanExternal(ctx context.Context, a NewAction) (Step, error) {
	title := oneLine(a.Title)
	if title == "" {
		return Step{}, fmt.Errorf("%w: an action needs a title", ErrInvalid)
	}
	dir := "actions"
	if a.Project != "" {
		if _, err := v.Project(ctx, a.Project); err != nil {
			return Step{}, err
		}
		dir = path.Join(v.layout.Projects, a.Project, "actions")
	}
	p, err := v.freePath(dir, Slug(title))
	if err != nil {
		return Step{}, err
	}
	id := v.NewID()
	var b strings.Builder
	fmt.Fprintf(&b, "---\nid: %s\ntype: action\ntitle: %s\nkind: %s\ntarget: %s\nstatus: drafted\ncreated: %s\ncreated_by: agent\n---\n\n%s\n",
		id, strconv.Quote(title), strconv.Quote(oneLine(a.Kind)), strconv.Quote(oneLine(a.Target)), v.now().Format(time.RFC3339), strings.TrimSpace(plainText(a.Text)))
	return Step{
		Type: OpExternal, Entity: Entity{Type: "action", ID: id, Path: p},
		Changes: []Change{{Path: p, After: []byte(b.String())}},
	}, nil
}
