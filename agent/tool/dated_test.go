package tool

import (
	"fmt"
	"strings"
	"testing"

	"kist/vault/vaulttest"
)

func TestToldOfDays(t *testing.T) {
	b := bench{newRegistry(t), &Env{Now: vaulttest.Now, Vault: vaulttest.New(t, `
-- inbox.md --
# Inbox

- 2026-11-20: the dentist is on the 3rd at 2
- [ ] call on 3 December
-- projects/boat/project.md --
---
type: project
name: Boat
---

## Decisions

- 2026-11-19: the mast is lifted on 4 December
-- projects/boat/notes/inbox.md --
- 2026-11-18: survey weds
-- projects/old/project.md --
---
type: project
name: Old
status: archived
---
-- projects/old/notes/inbox.md --
- 2026-11-18: demolition weds
-- memories/ada.md --
---
id: 01ADA000000000000000000000
type: memory
created: 2026-11-16
---

Ada arrives on 5 December
`)}}
	for args, want := range map[string]string{
		`{"days":"2026-11-20/"}`:                            "2026-11-25 projects/boat/notes/inbox.md:1|2026-12-03 inbox.md:3|2026-12-05 memories/ada.md",
		`{"days":"2026-12-01/2026-12-04","project":"boat"}`: "2026-12-03 inbox.md:3|2026-12-04 projects/boat/project.md:8",
	} {
		res, _ := b.ok(t, "list_memories", args)
		var got []string
		for _, told := range res.Value["told"].([]map[string]any) {
			got = append(got, fmt.Sprint(told["day"], " ", told["path"]))
		}
		if s := strings.Join(got, "|"); s != want || len(res.Seen) != len(got) {
			t.Errorf("%s: %q, want %q; seen %v", args, s, want, res.Seen)
		}
	}
}
