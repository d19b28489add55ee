package tool

import "slices"

// daily are the tools that most messages need, the most needed first.
var daily = []string{"create_task", "search", "create_note", "remember", "switch_project", "create_project", "list_tasks", "complete_task", "update_task", "read_document", "append_note", "undo", "show_project", "list_projects", "update_project", "add_decision"}

// modal are those that a session of a mode is about.
var modal = map[string][]string{
	"project_create": {"update_draft_dimension", "show_draft"}, "project_update": {"update_project_dimension"},
	"project_audit": {"audit"}, "project_forecast": {"forecast"},
}

// rankIn orders tools on offer by how likely they are needed: first what the message asks for
// or the session's mode is about, then what is needed daily.
func rankIn(mode, tool string, asked bool) int {
	if asked || slices.Contains(modal[mode], tool) {
		return len(daily) + 1
	}
	if i := slices.Index(daily, tool); i >= 0 {
		return len(daily) - i
	}
	return 0
}
