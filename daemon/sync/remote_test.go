package sync

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"kist/daemon/sync/git"
)

// TestTheUsersRemoteIsFollowed has the user's git give the remote another address and another name, and set up sync where it has one.
func TestTheUsersRemoteIsFollowed(t *testing.T) {
	t.Parallel()
	a, b, old := pair(t)
	remote := bare(t)
	a.git("remote", "set-url", "origin", remote)
	a.git("remote", "set-url", "--add", "origin", old) // for git push alone
	a.write("new.md", "new\n")
	a.sync()
	if s := a.engine.Status(t.Context()); s.URL != remote || !a.sent(remote)["new.md"] || a.sent(old)["new.md"] {
		t.Errorf("the status is %+v", s)
	}
	a.git("remote", "rename", "origin", "stick")
	a.write("more.md", "more\n")
	a.sync()
	if got := a.git("status", "-sb"); got != "## main...stick/main" {
		t.Errorf("git status says %q", got)
	}
	b.git("remote", "set-url", "origin", "ext::sh -c false")
	if _, err := b.engine.Now(t.Context(), Request{}, nil); !errors.Is(err, git.ErrUnsafe) || !strings.Contains(err.Error(), "origin") {
		t.Errorf("%v, want ErrUnsafe", err)
	}
	c := newMachine(t, "cedar")
	run(t, filepath.Dir(c.dir), "init", "-q", c.dir)
	c.git("remote", "add", "gh", remote)
	c.setUp(remote)
	if got := c.git("remote") + c.git("status", "-sb"); got != "gh## main...gh/main" {
		t.Errorf("the remotes and the status are %q", got)
	}
}
