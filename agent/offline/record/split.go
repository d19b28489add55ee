package record

import (
	"fmt"

	"kist/agent/offline/title"
	"kist/agent/offline/turn"
)

// split proposes to make several tasks of one that names several things: it keeps the first,
// and each of the others has its day and priority.
func split(t *Keeper, task map[string]any) {
	old := turn.Str(task, "title")
	parts := title.Parts(old)
	if len(parts) < 2 {
		t.Say("“%s” names one thing only, so I can't split it. Tell me the parts, like “add a task to ...”.", old)
		return
	}
	a := t.Act(nil)
	var wants []*turn.Want
	for i, part := range parts {
		args := map[string]any{"title": part, "reason": fmt.Sprintf("split the task “%s”: “%s”", old, part)}
		if i == 0 {
			args["task"] = turn.Str(task, "task")
			wants = append(wants, a.Want("update_task", args))
			continue
		}
		for _, key := range []string{"project", "due", "priority"} {
			if value := turn.Str(task, key); value != "" {
				args[key] = value
			}
		}
		wants = append(wants, a.Want("create_task", args))
	}
	a.Then = func() {
		for i, w := range wants {
			t.SpeakChange(w, "Split:", "Ready to split “"+old+"” into:", "“"+parts[i]+"”")
		}
	}
}
