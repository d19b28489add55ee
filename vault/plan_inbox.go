package vault

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"
)

const inboxFile = "inbox.md"

// InboxPath is the note that keeps what was said in a project, or outside of any, and
// belongs nowhere else.
func InboxPath(v *Vault, project string) string {
	if project == "" {
		return inboxFile
	}
	return path.Join(v.layout.Projects, project, notesDir, inboxFile)
}

// PlanAddToInbox plans to write sentences down in the inbox note of a project, or of
// the vault where it is empty: each on a line, with the day. The note is made where
// there is none.
func PlanAddToInbox(ctx context.Context, v *Vault, project string, sentences []string, day time.Time) (Step, error) {
	if project != "" {
		p, err := v.Project(ctx, project)
		if err != nil {
			return Step{}, err
		}
		project = p.Slug
	}
	p := InboxPath(v, project)
	lines := inboxLines(sentences, day)
	if now, err := v.readOrNil(p); err != nil {
		return Step{}, err
	} else if now != nil {
		return v.PlanAppendNote(p, lines)
	}
	if lines == "" {
		return Step{}, fmt.Errorf("%w: nothing to keep", ErrInvalid)
	}
	id := v.NewID()
	head := frontMatter([]property{{"id", id}, {"type", "note"}, {"created", v.stamp()}, {"created_by", string(ActorAgent)}}, nil)
	return Step{
		Type:    OpCreate,
		Entity:  Entity{Type: "note", ID: id, Path: p},
		Changes: []Change{{Path: p, After: []byte(head + "\n# Inbox\n\n" + lines)}},
	}, nil
}

func inboxLines(sentences []string, day time.Time) string {
	return listOf(sentences, day.Format(time.DateOnly)+": ")
}

// listOf writes sentences as a list, each on one line.
func listOf(sentences []string, before string) string {
	var b strings.Builder
	for _, s := range sentences {
		if s = oneLine(plainText(s)); s != "" {
			b.WriteString("- " + before + s + "\n")
		}
	}
	return b.String()
}
