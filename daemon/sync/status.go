package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kist/daemon/sync/git"
	"kist/vault"
)

// A State is where sync stands.
type State string

// The states.
const (
	Off     State = "off" // no remote was named
	Paused  State = "paused"
	Ready   State = "ready"
	Syncing State = "syncing"
	Failing State = "failing"
)

// A Status is how sync stands.
type Status struct {
	State     State
	URL       string    // without secrets
	Branch    string    // of the remote
	Local     string    // branch here
	Phase     string    // while syncing: commit, fetch, merge, push
	Synced    time.Time // when a round last ended well; zero: never
	Failing   time.Time // since when it fails; zero: it doesn't
	Err       error     // why
	Conflicts int       // conflict copies that wait
	Own       []string  // devices whose changes are the user's own
	Left      []string  // files of the last commit that aren't put on this disk
}

// Status tells how sync stands.
func (e *Engine) Status(ctx context.Context) Status {
	s, err := e.files.load()
	if errors.Is(err, ErrNotSetUp) {
		return Status{State: Off}
	}
	if err != nil {
		return Status{State: Failing, Err: err}
	}
	out := Status{State: Ready, URL: git.Show(s.URL), Branch: s.Branch, Local: s.Local, Synced: s.Synced, Own: s.Own, Left: s.Absent}
	e.mu.Lock()
	out.Phase, out.Err = e.doing, e.failed
	if e.failed != nil {
		out.Failing = e.since
	}
	e.mu.Unlock()
	switch {
	case out.Phase != "":
		out.State = Syncing
	case s.Paused:
		out.State = Paused
	case out.Err != nil:
		out.State = Failing
	}
	if err := e.elsewhere(s.Local); err != nil && out.State != Paused && out.State != Syncing {
		out.State, out.Err = Failing, err
	}
	if found, err := e.Conflicts(ctx); err == nil {
		out.Conflicts = len(found)
	}
	return out
}

// elsewhere is an error where another branch is checked out than the one that is synced. That is
// known before a round is made.
func (e *Engine) elsewhere(local string) error {
	dir := git.Dir(e.opts.Vault.Dir())
	if dir == "" {
		return nil
	}
	branch, known := git.Branch(dir)
	if !known || branch == local || git.Renamed(dir, local, branch) {
		return nil
	}
	return detached(branch, local)
}

// detached says that no branch (empty) or another one is checked out than the one that is synced.
func detached(branch, local string) error {
	if branch == "" {
		return fmt.Errorf("%w: no branch is, while %s is synced", ErrDetached, local)
	}
	return fmt.Errorf("%w: %s is, while %s is synced; until then nothing is synced, and edits by hand are left to git and not logged", ErrDetached, branch, local)
}

// Sentence says for a person how sync stands.
func (s Status) Sentence(now time.Time) string {
	last := "it has never worked yet"
	if !s.Synced.IsZero() {
		last = "it last worked " + ago(now.Sub(s.Synced))
	}
	out := ""
	switch s.State {
	case Off:
		return "off: no remote is set up on this machine"
	case Paused:
		out = "paused; " + last
	case Syncing:
		out = "syncing with " + s.URL + ": " + s.Phase
	case Failing:
		out = "not syncing; " + last
		if s.Err != nil {
			out = fmt.Sprintf("not syncing: %v; %s", s.Err, last)
		}
	default:
		out = "syncs with " + s.URL + "; " + last
	}
	switch {
	case s.Conflicts == 1:
		out += "; a file was changed in two places in ways that contradict each other, and the other version lies beside it until you choose"
	case s.Conflicts > 1:
		out += fmt.Sprintf("; %d conflict copies wait for your choice", s.Conflicts)
	}
	return out
}

// News says, once for each, of which files a round has kept another version beside them; mostly it is empty.
func (e *Engine) News() string {
	e.mu.Lock()
	files := e.untold
	e.untold = nil
	e.mu.Unlock()
	slices.Sort(files)
	files = slices.Compact(files)
	switch len(files) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("Sync: %s was changed in two places in ways that contradict each other. Yours stands, the other version lies beside it; "+
			"`kist sync conflicts` shows both, `kist sync resolve` settles it.", vault.OneLine(files[0]))
	}
	return fmt.Sprintf("Sync: %d files were changed in two places in ways that contradict each other, %s first. Yours stand, the other versions lie beside them; "+
		"`kist sync conflicts` shows them, `kist sync resolve` settles each.", len(files), vault.OneLine(files[0]))
}

// ago says how long something is past.
func ago(d time.Duration) string {
	n, unit := 0, ""
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		n, unit = int(d.Minutes()), "minute"
	case d < 48*time.Hour:
		n, unit = int(d.Hours()), "hour"
	default:
		n, unit = int(d.Hours()/24), "day"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s ago", n, unit)
}
