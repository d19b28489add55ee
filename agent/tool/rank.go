package tool

import "slices"

// daily are the tools that most messages need, the most needed first.
var daily = []string{"create_task", "search", "create_note", "remember", "switch_project", "create_project", "list_tasks", "complete_task", "update_task", "read_document", "append_note", "undo", "show_project", "list_projects", "update_project", "add_decision"}

// Rank orders tools by how likely they are needed, where a request has room for few: what
// the context has put on offer first, then what is needed daily.
func (t Tool) Rank() int {
	if i := slices.Index(daily, t.Name); i >= 0 {
		return len(daily) - i
	}
	if t.tier.on != nil {
		return len(daily) + 1
	}
	return 0
}
