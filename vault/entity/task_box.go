package entity

import (
	"errors"
	"fmt"

	"kist/vault"
	"kist/vault/box"
	"kist/vault/markdown"
	"kist/vault/taskline"
)

// Recurs is how the reason of a step goes on that makes a recurring task's next one.
const Recurs = "the task recurs: the next one is made"

// planBox plans to change a checkbox: its mark, its title, and the fields beside it. All
// other bytes of the line stay. A recurring task that is done gets the next one above it.
func planBox(v *vault.Vault, t Task, u TaskUpdate) (vault.Step, error) {
	next := ""
	step, err := PlanSplice(v, vault.Entity{Type: "task", Path: t.Path}, func(doc *markdown.Document) (markdown.Edit, error) {
		b, ok := box.At(doc, t.Line)
		if !ok {
			return markdown.Edit{}, &vault.NotFoundError{Kind: "checkbox", Ref: t.Ref()}
		}
		if err := b.Update(u, v.Now()); err != nil {
			if !errors.Is(err, vault.ErrInvalid) && !errors.Is(err, vault.ErrNoChange) {
				err = fmt.Errorf("%w: %w", vault.ErrInvalid, err)
			}
			return markdown.Edit{}, err
		}
		next = b.How.Above
		return doc.RewriteItem(t.Line, b.How)
	})
	step.Reason = u.Reason(t.Title)
	if next != "" && err == nil {
		step.Reason += "; " + Recurs
		if due := taskline.Parse(next).Value(taskline.Due); due != "" {
			step.Reason += ", due " + due
		}
	}
	return step, err
}
