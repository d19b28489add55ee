package sync

import "testing"

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
