package forecast

import (
	"strings"
	"testing"
	"time"
)

// A delay moves the end by as much as the task holds it up, and no more.
func TestDelay(t *testing.T) {
	today := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	in := Input{Slug: "boat", Name: "Boat", Today: today, Hours: 10, Typical: 8, Tasks: []Task{
		{Title: "Order", Status: "todo", Hours: 8, At: Evidence{"order.md", 1, "Order"}},
		{Title: "Paint", Status: "todo", Hours: 40, At: Evidence{"paint.md", 1, "Paint"}},
		{Title: "Old", Status: "done", Hours: 8, At: Evidence{"old.md", 1, "Old"}},
	}}
	before := Run(in, Options{})
	for by, moves := range map[int]bool{1: false, 300: true} {
		late, task, ok := in.Delay("order.md", by)
		if !ok || task.Title != "Order" {
			t.Fatalf("delayed %+v", task)
		}
		after := Run(late, Options{Seed: before.Seed})
		moved := after.Scenarios[2].Date.After(before.Scenarios[2].Date)
		if moved != moves {
			t.Errorf("%d days: %v, before %v", by, after.Scenarios, before.Scenarios)
		}
		if text := FormatDelay(before, after, task, by); strings.Contains(text, "changes no date") == moves {
			t.Errorf("%d days: %s", by, text)
		}
	}
	if !in.Tasks[0].Start.IsZero() {
		t.Error("the input was changed")
	}
	for _, ref := range []string{"old.md", "orde", ""} {
		if _, _, ok := in.Delay(ref, 5); ok {
			t.Errorf("%q was found", ref)
		}
	}
}
