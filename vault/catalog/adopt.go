package catalog

import (
	"fmt"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/markdown"
)

// Refusal says why a note can't be made a project where it lies; empty: it can.
func Refusal(v *vault.Vault, p string, doc *markdown.Document) string {
	if !mayLie(v, p) || !HasTasks(v, p) {
		return "it lies where kist keeps something else, or is a copy that a conflict left"
	}
	if v.Ignored(p) {
		return ".gitignore or .kistignore leave it out"
	}
	if Settings(v).LeavesOut(p) {
		return "it is a template, or excluded by Obsidian's settings"
	}
	fm, err := doc.FrontMatter()
	if err != nil {
		return "its front matter can't be read: " + err.Error()
	}
	switch kind := says(fm); {
	case kind == "project":
		return "it says so already"
	case kind != "":
		return fmt.Sprintf("its type is %q, which is yours to change", kind)
	case fm != nil && len(fm.Strings(FrontKey(fm, "type"))) > 0:
		return "it has types of its own, to which project can be added by hand"
	}
	return ""
}

// With names the notes that are projects where they lie, and those that are to be. [Place]
// has to come before it.
func With(v *vault.Vault, more []string) (*documents.Places, error) {
	taken, err := v.Names(v.Layout().Projects, true)
	if err != nil {
		return nil, err
	}
	paths := documents.PlacesOf(v.Folder).Paths()
	for _, p := range more {
		if _, ok := v.PlacedAt(p); !ok {
			paths = append(paths, p)
		}
	}
	return lying(v.Layout().Projects, paths, taken), nil
}
