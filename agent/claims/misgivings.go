package claims

import (
	"bytes"
	"slices"
	"strings"

	"kist/agent/model"
)

// Documents are where those of a vault are read.
type Documents interface {
	Exists(file string) bool
	Read(file string) ([]byte, error)
}

// lines counts those of a document, the last with or without an end; less than 0: it can't
// be read.
func lines(docs Documents, file string) int {
	text, err := docs.Read(file)
	if err != nil {
		return -1
	}
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// Misgivings are what the user should know of a language model's reply: that it cites what it
// can't have read, or a line that isn't there or wasn't among those that it read, or tells of a
// report figures that stand nowhere in it, or of none in a mode that is for one; or names beside
// what was done something else, or another day. looked are the
// documents that were looked at, made are the lines of what was done, brief what the model was
// told.
func Misgivings(reply, mode string, looked map[string]bool, docs Documents, made []string, req model.Request, brief string) (out []string) {
	changed := func(file string) bool {
		return slices.ContainsFunc(made, func(line string) bool { return strings.Contains(line, " "+file+":") })
	}
	known := func(file string) bool { return looked[file] || changed(file) }
	missing := Unread(reply, func(file string) bool { return known(file) || docs.Exists(file) })
	unread := slices.DeleteFunc(Unread(reply, known), func(file string) bool { return slices.Contains(missing, file) })
	if len(missing) > 0 {
		out = append(out, "Cited, but not there: "+strings.Join(missing, ", ")+".")
	}
	if len(unread) > 0 {
		out = append(out, "Cited, but not looked at: "+strings.Join(unread, ", ")+".")
	}
	beyond := Beyond(reply, func(file string) int {
		if !known(file) { // which is told already, and may be large or far away
			return -1
		}
		return lines(docs, file)
	})
	if len(beyond) > 0 {
		out = append(out, "Cited, but there is no such line: "+strings.Join(beyond, ", ")+".")
	}
	missed := readIn(req, brief).missed(reply, func(file string) bool { return looked[file] && !changed(file) })
	missed = slices.DeleteFunc(missed, func(line string) bool { return slices.Contains(beyond, line) })
	if len(missed) > 0 {
		out = append(out, "Cited, but not among the lines that were read: "+strings.Join(missed, ", ")+".")
	}
	return append(out, baseless(reply, mode, made, req, brief)...)
}

// baseless are those of them that are about what was read and done as a whole.
func baseless(reply, mode string, made []string, req model.Request, brief string) (out []string) {
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
	if len(made) > 0 && !studied {
		if invented := Invented(reply, append(evidence, made...)...); len(invented) > 0 {
			out = append(out, "Neither done nor read here: "+strings.Join(invented, ", ")+".")
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
