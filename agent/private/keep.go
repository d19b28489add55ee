package private

import (
	"slices"

	"kist/vault"
	"kist/vault/disk"
	"kist/vault/markdown"
)

// Keep is what becomes of steps that draw on something private, so that what they write stays
// private: each new document says so itself. open are the documents that are there already and
// aren't private, into which something would be written: only the user can say that it may.
func (s *Sight) Keep(steps []vault.Step) (kept []vault.Step, open []string) {
	kept = slices.Clone(steps)
	for i := range kept {
		changes := slices.Clone(kept[i].Changes)
		for n, c := range changes {
			switch {
			case c.After == nil || !disk.IsMarkdown(c.Path) || s.Hides(c.Path):
			case s.vault.Exists(c.Path) || c.From != "" || c.Before != nil:
				open = append(open, c.Path)
			default:
				doc := markdown.Parse(c.After)
				edit, err := doc.SetProperty("private", "true")
				if err != nil {
					open = append(open, c.Path)
					continue
				}
				changes[n].After = edit.Apply(c.After)
			}
		}
		kept[i].Changes = changes
	}
	return kept, open
}
