package sync

import (
	"fmt"
	"strings"
	"testing"

	"kist/daemon/sync/copies"
)

// TestWhatSystemsLeaveIsNotSent has files of file managers and other synchronisers, of which one is tracked already.
func TestWhatSystemsLeaveIsNotSent(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t)
	for _, p := range []string{".stignore", "sub/.DS_Store"} {
		a.write(p, "x\n")
	}
	a.sync()
	if sent := a.sent(remote); sent[".stignore"] || sent["sub/.DS_Store"] {
		t.Errorf("sent is %v", sent)
	}
	a.write(".obsidian/workspace.json", "{}")
	b.write(".obsidian/workspace.json", `{"active": "b"}`)
	a.git("add", "-f", "sub/.DS_Store", ".obsidian/workspace.json")
	a.git("commit", "-qm", "by hand")
	a.sync()
	b.write("sub/.DS_Store", "y\n")
	b.write("note.md", "# Note\n\nnew\n")
	b.sync()
	settle(a, b)
	b.clean()
	b.wants(".obsidian/workspace.json", `{"active": "b"}`)
	b.wants("sub/.DS_Store", "y\n")
	a.wants("note.md", "# Note\n\nnew\n")
}

// TestSettingsHaveOneCopyOfEachMachine has a plugin write its settings on both machines all the time, in ways that contradict each other: of each
// machine the newest version lies beside them at most, whatever day it is.
func TestSettingsHaveOneCopyOfEachMachine(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t)
	const dir = ".obsidian/plugins/deck/"
	a.write(dir+"data.json", `{"last": "", "theme": "plain"}`)
	settle(a, b)
	for n := range 4 {
		a.write(dir+"data.json", fmt.Sprintf(`{"last": "ash %d", "theme": "plain"}`, n))
		b.write(dir+"data.json", fmt.Sprintf(`{"last": "birch %d", "theme": "plain"}`, n))
		a.sync()
		settle(b, a)
	}
	var found []string
	for p := range a.files() {
		if strings.HasPrefix(p, dir) && strings.Contains(p, copies.Mark) {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		t.Errorf("the copies are %q", found)
	}
	b.wants(dir+"data.json", `{"last": "birch 3", "theme": "plain"}`)
	for _, p := range found {
		b.wants(p, `{"last": "ash 3", "theme": "plain"}`)
	}
	list, err := a.engine.Conflicts(t.Context())
	if err != nil || len(list) != len(found) {
		t.Errorf("listed are %v: %v", list, err)
	}
	a.clean()
}
