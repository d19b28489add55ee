package suggest

import (
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	names := []string{"Houseboat Renovation", "Coffee Shop", "Fitness App"}
	for asked, want := range map[string]string{
		"houseboat": "Houseboat Renovation", "cofee shop": "Coffee Shop", "fitness": "Fitness App", "garden": "",
	} {
		if got := Near(asked, names, 1); strings.Join(got, ",") != want {
			t.Errorf("Near(%q) = %q, want %q", asked, got, want)
		}
	}
}

// Of tools that there aren't, the one is named that does what was asked for.
func TestTools(t *testing.T) {
	names := strings.Fields("create_project show_project list_projects update_project rename_project delete_project create_task list_tasks complete_task update_task move_task delete_task list_memories search_memories create_note search undo")
	for asked, want := range map[string]string{
		"add_task": "create_task", "create_tasks": "create_task", "make_project": "create_project", "remove_task": "delete_task", "task.complete": "complete_task", "edit_task": "update_task",
		"CreateTask": "create_task", "get_project": "show_project", "find_memories": "search_memories", "send_mail": "", "x": "",
	} {
		got := Tools(asked, names)
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0] != want) {
			t.Errorf("%s: %q, want %q", asked, got, want)
		}
	}
}
