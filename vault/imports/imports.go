/*
Package imports plans notes of conversations that were had elsewhere.

A note says in its front matter which conversation it is of, and has a mark of the text that was
imported: what was edited here since is told from what the export has more, also after the note was
moved or brought to another machine. Messages stand in quotes and their checkboxes are escaped, so
that no heading or task of theirs is one of the vault's.
*/
package imports

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"kist/vault"
	"kist/vault/imports/export"
	"kist/vault/markdown"
)

const (
	maxNote  = 8 << 20   // bytes of a note's text
	maxTotal = 128 << 20 // bytes of all texts of an import, which are held at a time
	maxSteps = 20_000    // notes that one import writes
	maxHead  = 65 << 10  // bytes of a file that hold its front matter
)

// The keys of the front matter.
const (
	keySource = "source"
	keyID     = "source_id"
	keyMark   = "source_hash"
)

// A Plan says what an import would do.
type Plan struct {
	Steps     []vault.Step
	Created   int
	Updated   int
	Unchanged int
	Empty     int      // conversations without a message
	Edited    []string // notes that changed on both sides, which are left alone
	TooLong   []string // titles of conversations
}

// planner makes a plan.
type planner struct {
	Plan
	vault  *vault.Vault
	source export.Source
	notes  map[string]string // the paths of what was imported before, by id
	taken  map[string]bool
	seen   map[string]bool // ids in this export
	size   int
}

// New plans the import of an export's file. Besides what stands in the way of reading and
// writing it returns export.ErrFile.
func New(ctx context.Context, v *vault.Vault, source export.Source, file string) (Plan, error) {
	p := &planner{vault: v, source: source, notes: map[string]string{}, taken: map[string]bool{}, seen: map[string]bool{}}
	if err := v.Walk(ctx, func(i vault.Info) error { p.known(i.Path); return nil }, nil); err != nil {
		return Plan{}, err
	}
	err := export.Read(ctx, source, file, p.add)
	return p.Plan, err
}

// known notes a document that was imported.
func (p *planner) known(at string) {
	head, _, err := p.vault.ReadHead(at, maxHead)
	if err != nil || !bytes.Contains(head, []byte(keyID)) {
		return
	}
	front, err := markdown.Parse(head).FrontMatter()
	if err != nil || front == nil || front.String(keySource) != string(p.source) {
		return
	}
	if id := front.String(keyID); p.notes[id] == "" {
		p.notes[id] = at
	}
}

// add plans what is to be done with a conversation.
func (p *planner) add(c export.Conversation) error {
	c.Title = cmp.Or(vault.OneLine(c.Title), "Untitled conversation")
	if len(c.Messages) == 0 {
		p.Empty++
		return nil
	}
	if p.seen[c.ID] {
		return nil
	}
	p.seen[c.ID] = true
	text := body(p.source, c)
	if len(text) > maxNote {
		p.TooLong = append(p.TooLong, c.Title)
		return nil
	}
	before := len(p.Steps)
	plan := p.create
	if p.notes[c.ID] != "" {
		plan = p.update
	}
	if err := plan(c, text); err != nil {
		return err
	}
	if len(p.Steps) > before {
		p.size += len(text)
	}
	if p.size > maxTotal || len(p.Steps) > maxSteps {
		return fmt.Errorf("%w: it has more than %d MiB of text, or more than %d conversations", export.ErrFile, maxTotal>>20, maxSteps)
	}
	return nil
}

func (p *planner) create(c export.Conversation, text []byte) error {
	day, created := "undated", ""
	if !c.Created.IsZero() {
		day, created = c.Created.Format(time.DateOnly), "created: "+c.Created.Format(time.RFC3339)+"\n"
	}
	at, err := p.vault.FreeName(vault.ImportsDir+"/"+string(p.source), day+"-"+vault.Slug(c.Title), ".md", p.taken)
	if err != nil {
		return err
	}
	id := p.vault.NewID()
	head := fmt.Sprintf("---\nid: %s\ntype: note\n%s%s: %s\n%s: %s\n%s: %s\n---\n",
		id, created, keySource, p.source, keyID, markdown.Quote(c.ID), keyMark, markdown.Quote(mark(text)))
	p.Created++
	p.Steps = append(p.Steps, vault.Step{
		Type: vault.OpCreate, Entity: vault.Entity{Type: "note", ID: id, Path: at}, Reason: p.reason(),
		Changes: []vault.Change{{Path: at, After: append([]byte(head), text...)}},
	})
	return nil
}

// update makes a note what its conversation is by now. What the user wrote into its front
// matter stays.
func (p *planner) update(c export.Conversation, text []byte) error {
	at := p.notes[c.ID]
	doc, err := p.vault.Document(at)
	if err != nil {
		return err
	}
	front, err := doc.FrontMatter()
	if err != nil || front == nil {
		return fmt.Errorf("%w: %s was changed just now", vault.ErrConflict, at)
	}
	was, now := front.String(keyMark), mark(text)
	if was == now {
		p.Unchanged++
		return nil
	}
	if mark(doc.Source()[doc.BodyStart():]) != was {
		p.Edited = append(p.Edited, at)
		return nil
	}
	edit, err := doc.SetProperty(keyMark, markdown.Quote(now))
	if err != nil {
		return fmt.Errorf("edit %s: %w", at, err)
	}
	after := edit.Apply(doc.Source())
	after = append(bytes.Clone(after[:markdown.Parse(after).BodyStart()]), text...)
	p.Updated++
	p.Steps = append(p.Steps, vault.Step{
		Type: vault.OpUpdate, Entity: p.vault.EntityOf(at, doc.Source()), Reason: p.reason(),
		Changes: []vault.Change{{Path: at, Before: doc.Source(), After: after}},
	})
	return nil
}

func (p *planner) reason() string { return "imported from an export of " + p.source.Name() }

// mark tells texts apart.
func mark(text []byte) string { return string(vault.HashOf(text))[:16] }
