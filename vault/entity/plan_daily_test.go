package entity_test

import (
	"errors"
	"strings"
	"testing"

	"kist/vault"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

func TestAppendDaily(t *testing.T) {
	const settings = "-- .obsidian/daily-notes.json --\n{\"folder\": \"Journal\", \"format\": \"YYYY/YYYY-MM-DD\", \"template\": \"Meta/Day\"}\n"
	for name, row := range map[string]struct{ vault, path, want string }{
		"without settings":  {"-- a.md --\nA\n", "2026-11-20.md", "Called Bo.\n"},
		"from the template": {settings + "-- Meta/Day.md --\n# {{title}}\n\n## Log\n", "Journal/2026/2026-11-20.md", "# 2026-11-20\n\n## Log\n\nCalled Bo.\n"},
		"tomorrow":          {settings + "-- Meta/Day.md --\n# {{title}} {{date:dddd}}\n", "Journal/2026/2026-11-21.md", "# 2026-11-21 Saturday\n\nCalled Bo.\n"},
		"template gone":     {settings, "Journal/2026/2026-11-20.md", "Called Bo.\n"},
		"that there is":     {settings + "-- Journal/2026/2026-11-20.md --\nMorning.\n", "Journal/2026/2026-11-20.md", "Morning.\n\nCalled Bo.\n"},
		"hostile settings":  {"-- .obsidian/daily-notes.json --\n{\"folder\": \"../..\", \"format\": \"[../x]\"}\n", "2026-11-20.md", "Called Bo.\n"},
	} {
		v := vaulttest.New(t, row.vault)
		day := v.Now()
		if strings.HasPrefix(name, "tomorrow") {
			day = day.AddDate(0, 0, 1)
		}
		step, err := entity.PlanAppendDaily(v, day, "Called Bo.")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c := step.Changes[0]; c.Path != row.path || string(c.After) != row.want {
			t.Errorf("%s: %s: %q", name, c.Path, c.After)
		}
	}
	v := vaulttest.New(t, "-- .obsidian/daily-notes.json --\n{\"folder\": \".git\"}\n")
	if _, err := entity.PlanAppendDaily(v, v.Now(), "x"); !errors.Is(err, vault.ErrInvalidPath) {
		t.Errorf("a hidden folder: %v", err)
	}
}
