package brief

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"kist/agent/model"
)

// rules is what stays from message to message, and the list of projects.
func (w *Writer) rules(d data) string {
	var lines []string
	for _, p := range d.Projects {
		name := "listed"
		if p.Description != "" {
			name = "described"
		}
		lines = append(lines, w.say(name, "{slug}", p.Slug, "{name}", p.Name, "{description}", p.Description))
	}
	switch {
	case d.More > 0:
		lines = append(lines, w.say("more", "{number}", strconv.Itoa(d.More)))
	case len(lines) == 0:
		lines = append(lines, w.say("none"))
	}
	return w.text("rules", "{projects}", strings.Join(lines, "\n")) + "\n"
}

// now is what holds at this message.
func (w *Writer) now(d data) string {
	lines := append([]string{w.say("day", "{weekday}", d.Weekday, "{date}", d.Date)}, w.place(d)...)
	if d.Question.Text != "" {
		lines = append(lines, w.say("asked", "{question}", d.Question.Text))
	}
	for _, draft := range d.Drafts {
		lines = append(lines, w.say("unfinished", "{slug}", draft.Slug, "{name}", draft.Name))
	}
	for _, p := range d.Idle {
		lines = append(lines, w.say("idle", "{slug}", p.Slug))
	}
	lines = append(lines, w.changes(d)...)
	if d.Summary != "" {
		lines = append(lines, "", w.say("summary"), d.Summary)
	}
	for _, memory := range d.Memories {
		lines = append(lines, w.say("memory", "{memory}", memory))
	}
	if d.Guide != "" {
		lines = append(lines, "", d.Guide)
	}
	if len(d.Shown) > 0 {
		lines = append(lines, "", w.say("shown"), "", w.say("data"))
		for _, p := range d.Shown {
			lines = append(lines, "", w.passage(p), p.Text)
		}
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n") + "\n"
}

// place says where the conversation is.
func (w *Writer) place(d data) []string {
	where := w.say("outside_projects")
	if p := d.Project; p != nil {
		name := "project_plain"
		if p.Description != "" {
			name = "project"
		}
		where = w.say(name, "{name}", p.Name, "{slug}", p.Slug, "{by}", p.CreatedBy, "{description}", p.Description)
	}
	if d.Back == "" {
		return []string{where}
	}
	return []string{where, w.say("back", "{slug}", d.Back)}
}

// changes says what waits, what was settled and what is to be done.
func (w *Writer) changes(d data) (lines []string) {
	if d.Pending != 0 {
		lines = append(lines, w.say("pending", "{number}", strconv.Itoa(d.Pending)))
	}
	for _, o := range d.Settled {
		name := "done"
		switch {
		case o.Error != "":
			name = "failed"
		case o.Rejected:
			name = "rejected"
		}
		lines = append(lines, w.say(name, "{reason}", o.Reason, "{error}", o.Error))
	}
	if d.Action {
		lines = append(lines, w.say("go"))
	}
	return lines
}

// passage says where a passage of the vault stands.
func (w *Writer) passage(p model.Passage) string {
	line := w.say("passage", "{path}", p.Path, "{line}", strconv.Itoa(p.Line))
	if p.Heading != "" {
		line += w.say("heading", "{heading}", p.Heading)
	}
	if p.Outside {
		line += w.say("elsewhere")
	}
	return line
}

// guide is what the session's mode adds, empty where it has nothing to add.
func (w *Writer) guide(d data) string {
	project, changed := w.say("the_project"), w.say("changed")
	if d.Project != nil {
		project, changed = d.Project.Name, w.say("changed_in", "{name}", d.Project.Name)
	}
	next := ""
	if d.Next != "" {
		next = w.say("next", "{question}", d.Next)
	}
	return strings.TrimSpace(w.text(d.Mode, "{project}", project, "{changed}", changed, "{phase}", d.Phase, "{draft}", w.draft(d.Draft), "{next}", next))
}

// draft says what a draft has, and what was left for later.
func (w *Writer) draft(d *model.Draft) string {
	if d == nil {
		return w.say("no_draft")
	}
	covered := w.say("nothing")
	if len(d.Dimensions) > 0 {
		covered = strings.Join(slices.Sorted(maps.Keys(d.Dimensions)), " ")
	}
	said := w.say("draft", "{slug}", d.Slug, "{name}", d.Name, "{covered}", covered)
	if len(d.FollowUp) > 0 {
		said += w.say("later", "{keys}", strings.Join(d.FollowUp, " "))
	}
	return said
}
