package effect

import (
	"slices"
	"testing"

	"kist/vault"
	"kist/vault/oplog"
)

// The checkboxes of an operation are those on the lines it wrote.
func TestBoxes(t *testing.T) {
	op := vault.Operation{Changes: []oplog.FileChange{{Path: "inbox.md", Patch: "--- a\n+++ b\n@@ -1,2 +1,3 @@\n-- [ ] Ring Bo\n+- [x] Ring Bo [completion:: 2026-11-20]\n - [ ] Oil\n+  1. [ ] Post the form ⏫\n+- no box\n"}}}
	if got := boxes(op); !slices.Equal(got, []string{"Ring Bo", "Post the form"}) {
		t.Errorf("boxes %q", got)
	}
}
