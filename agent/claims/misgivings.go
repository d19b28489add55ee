package claims

import (
	"slices"
	"strings"

	"kist/agent/model"
)

// Misgivings are what the user should know of a language model's reply: that it cites what it
// can't have read, or tells of a report figures that stand nowhere in it, or of none in a mode
// that is for one. looked are the documents that were looked at, there tells whether one is in
// the vault, made are the lines of what was done, brief what the model was told.
func Misgivings(reply, mode string, looked map[string]bool, there func(string) bool, made []string, req model.Request, brief string) (out []string) {
	known := func(file string) bool {
		return looked[file] || slices.ContainsFunc(made, func(line string) bool { return strings.Contains(line, " "+file+":") })
	}
	missing := Unread(reply, func(file string) bool { return known(file) || there(file) })
	unread := slices.DeleteFunc(Unread(reply, known), func(file string) bool { return slices.Contains(missing, file) })
	if len(missing) > 0 {
		out = append(out, "Cited, but not there: "+strings.Join(missing, ", ")+".")
	}
	if len(unread) > 0 {
		out = append(out, "Cited, but not looked at: "+strings.Join(unread, ", ")+".")
	}
	evidence, studied := []string{brief}, mode == "project_audit" || mode == "project_forecast"
	for i, m := range req.Messages {
		if i <= req.Said || m.Role != model.Assistant { // its own words found nothing
			evidence = append(evidence, m.Text)
		}
		for _, c := range m.Calls {
			evidence = append(evidence, string(c.Arguments))
			studied = studied || i > req.Said && (c.Name == "audit" || c.Name == "forecast")
		}
	}
	if !studied {
		return out
	}
	if unfounded := Unfounded(reply, evidence...); len(unfounded) > 0 {
		out = append(out, "Not in what was looked at: "+strings.Join(unfounded, ", ")+".")
	}
	return out
}
