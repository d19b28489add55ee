package dated

import (
	"errors"
	"slices"
	"strings"
	"time"

	"kist/agent/language"
	"kist/vault"
	"kist/vault/entity"
)

// maxListed is how many lines are listed, and longestTold how many bytes of each.
const (
	maxListed   = 30
	longestTold = 300
)

// List lists what was told, wherever, that names a day of days, "FROM/TO" or "FROM/" without an end:
// lines of inboxes, of the decisions of one project, and of memories. The nearest day is first.
// seen are the documents that those stand in.
func List(v *vault.Vault, projects []entity.Project, memories []entity.Memory, slug, days string) (list []map[string]any, seen []string, err error) {
	first, last, _ := strings.Cut(days, "/")
	for _, day := range []string{first, last} {
		if _, err := time.Parse(time.DateOnly, day); err != nil && (day != "" || first == "") {
			return nil, nil, errors.New("“" + days + "” are no days")
		}
	}
	files := []string{entity.InboxPath(v, "")}
	for _, p := range projects {
		if p.Status != "archived" {
			files = append(files, entity.InboxPath(v, p.Slug))
		}
		if p.Slug == slug {
			files = append(files, p.Path)
		}
	}
	slices.Sort(files) // a project that is a note alone has the vault's
	var lines []Line
	for _, p := range slices.Compact(files) {
		if text, _, err := v.ReadHead(p, 1<<20); err == nil { // most have none
			lines = append(lines, Lines(p, string(text))...)
		}
	}
	for _, m := range memories {
		lines = append(lines, Line{Told: m.Created.Format(time.DateOnly), Text: m.Content, Path: m.Path})
	}
	hits := Within(lines, first, last)
	list = []map[string]any{}
	for _, h := range hits[:min(len(hits), maxListed)] {
		list = append(list, told(v, h))
		seen = append(seen, h.Path)
	}
	return list, seen, nil
}

// told is what a list says of a line.
func told(v *vault.Vault, h Hit) map[string]any {
	out := map[string]any{"day": h.Day, "content": language.Limit(h.Text, longestTold), "path": h.Place(), "project": v.ProjectOf(h.Path)}
	if len(h.Also) > 0 {
		out["also_on"] = h.Also
	}
	if h.Later != "" {
		out["later"] = language.Limit(h.Later, longestTold)
	}
	return out
}
