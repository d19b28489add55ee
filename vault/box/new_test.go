package box_test

import (
	"errors"
	"testing"

	"kist/vault"
	"kist/vault/box"
	"kist/vault/taskline"
)

// TestNewText: a new task is written in either form, each part once, and read back as it was meant.
func TestNewText(t *testing.T) {
	task := box.New{
		Title: "Water the plants #home", Priority: "high", Repeat: "every 3 days", Start: "2026-12-01",
		Scheduled: "2026-12-02", Due: "2026-12-03", Tags: []string{"#home", "garden/back"},
	}
	for style, want := range map[taskline.Style]string{
		taskline.Emoji:  "Water the plants #home #garden/back ⏫ 🔁 every 3 days 🛫 2026-12-01 ⏳ 2026-12-02 📅 2026-12-03",
		taskline.Inline: "Water the plants #home #garden/back [priority:: high] [repeat:: every 3 days] [start:: 2026-12-01] [scheduled:: 2026-12-02] [due:: 2026-12-03]",
	} {
		got, err := task.Text(style)
		if err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		l := taskline.Parse(got)
		if l.Title != "Water the plants #home #garden/back" || l.Value(taskline.Repeat) != "every 3 days" || l.Value(taskline.Due) != "2026-12-03" || len(l.Tags) != 2 {
			t.Errorf("%q is read as %+v", got, l)
		}
	}
}

// TestNewCheck: what a checkbox can't hold is refused before anything is planned.
func TestNewCheck(t *testing.T) {
	for _, bad := range []box.New{
		{}, {Title: " \n"}, {Title: "a", Due: "tomorrow"}, {Title: "a", Scheduled: "2026-13-01"}, {Title: "a", Priority: "huge"},
		{Title: "a", Repeat: "now and then"}, {Title: "a", Repeat: "every day] [due:: 2026-01-01"}, {Title: "a", Repeat: " "},
		{Title: "a", Tags: []string{"two words"}}, {Title: "a", Tags: []string{"#"}}, {Title: "a", Tags: []string{"2026"}}, {Title: "a", Tags: []string{"home\n- [ ] b"}},
		{Title: "a", Children: []box.New{{Title: "b", Repeat: "often"}}},
	} {
		if err := bad.Check(); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if err := (box.New{Title: "a", Repeat: "every month on the last", Tags: []string{"#a", "b/c", "Küche"}, Due: "2026-12-31"}).Check(); err != nil {
		t.Error(err)
	}
}
