package entity

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"kist/vault"
	"kist/vault/catalog"
	"kist/vault/markdown"
	"kist/vault/obsidian"
)

// PlanAppendDaily plans to add text at the end of a day's note, which lies where
// Obsidian's settings have it, else at the top of the vault. One that isn't there is made at
// the time of day that it is now, from the template that the settings name, or without it where that is gone; without a text it is
// the template alone.
func PlanAppendDaily(v *vault.Vault, day time.Time, text string) (vault.Step, error) {
	now, daily := v.Now(), catalog.Settings(v).Daily
	at := time.Date(day.Year(), day.Month(), day.Day(), now.Hour(), now.Minute(), now.Second(), 0, now.Location())
	p, err := v.WritablePath(daily.Path(at))
	if err != nil {
		return vault.Step{}, fmt.Errorf("the note of the day: %w", err)
	}
	if v.Exists(p) {
		return PlanAppendNote(v, p, text)
	}
	var head []byte
	if daily.Template != "" {
		template := strings.TrimSuffix(daily.Template, ".md") + ".md"
		if head, err = v.Read(template); err == nil {
			err = vault.CheckText(template, head)
		}
		if err != nil && !errors.Is(err, vault.ErrNotFound) {
			return vault.Step{}, fmt.Errorf("read the template of daily notes: %w", err)
		}
		head = []byte(obsidian.Fill(string(head), strings.TrimSuffix(path.Base(p), ".md"), at))
	}
	change := vault.Change{Path: p, After: head}
	switch blank := strings.TrimSpace(text) == ""; {
	case blank && len(head) == 0:
		return vault.Step{}, vault.Hinted(fmt.Errorf("%w: nothing to append", vault.ErrInvalid), "give the text that is to be added")
	case !blank:
		change.After = markdown.Parse(head).AppendText([]byte(text)).Apply(head)
	}
	return vault.Step{Type: vault.OpCreate, Entity: vault.Entity{Type: "note", Path: p}, Changes: []vault.Change{change}}, nil
}
