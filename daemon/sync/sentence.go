package sync

import (
	"fmt"
	"strings"
	"time"

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
	State   State
	URL     string    // without secrets
	Branch  string    // of the remote
	Local   string    // branch here
	Phase   string    // while syncing: commit, fetch, merge, push
	Synced  time.Time // when a round last ended well; zero: never
	Failing time.Time // since when it fails; zero: it doesn't
	Err     error     // why
	Copies  int       // conflict copies that wait
	Own     []string  // devices whose changes are the user's own
	Left    []string  // files of the last commit that aren't put on this disk
	Hooks   []string  // in the repository's own folder, of the kinds that kist asks; it asks none of these
	Unsent  []Unsent  // files of this disk that sync doesn't send
	Logged  int       // while it is off: operations that the first round would send, on what sync.leave_out names
}

// An Unsent is a file that sync doesn't send: it is too large, git runs a filter over it, or its conflict markers stand in it; or a folder
// with a git repository of its own.
type Unsent struct {
	Path   string `json:"path"`             // in the vault; a folder's ends with a slash
	Size   int64  `json:"size"`             // in bytes
	Filter string `json:"filter,omitempty"` // the filter; empty: none

	Unresolved bool `json:"unresolved,omitempty"`
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
	case s.Copies == 1:
		out += "; a file was changed in two places in ways that contradict each other, and the other version lies beside it until you choose"
	case s.Copies > 1:
		out += fmt.Sprintf("; %d conflict copies wait for your choice", s.Copies)
	}
	if len(s.Unsent) > 0 {
		out += "; " + notSent(s.Unsent)
	}
	return out
}

// Hint says what can be done about files that aren't sent, and about operations that would be; empty: there are none.
func (s Status) Hint() string {
	switch {
	case s.Logged > 0:
		n := "an operation"
		if s.Logged > 1 {
			n = fmt.Sprintf("%d operations", s.Logged)
		}
		return "the log has " + n + " on what sync.leave_out names, from before it did, and would be sent with the texts; operations/ in sync.leave_out of kist.yaml keeps the log here"
	case len(s.Unsent) == 0:
		return ""
	case s.Unsent[0].Filter != "":
		return filterHint
	case s.Unsent[0].Unresolved:
		return unresolvedHint
	case s.Unsent[0].repository():
		return repositoryHint
	}
	return largeHint
}

const filterHint = "git add, commit and push such files with your own git, which runs the filter; sync runs none"

const unresolvedHint = "choose what is to stay between <<<<<<< and >>>>>>>, and take these lines out; an example of them is sent in a fenced code block (```)"

const repositoryHint = "git push in such a folder sends it; a line in .gitignore, or in sync.leave_out of kist.yaml, says that it is to stay; without its .git folder it is part of the vault"

func (f Unsent) repository() bool { return strings.HasSuffix(f.Path, "/") }

const largeHint = "git lfs track sends such files, with a commit and push of your git; a line in .gitignore, or in sync.leave_out of kist.yaml, says that they are to stay"

// notSent says that files aren't sent.
func notSent(all []Unsent) string {
	first := all[0]
	name := vault.OneLine(first.Path)
	switch {
	case first.repository() && len(all) == 1:
		return name + " isn't sent: it is a git repository of its own"
	case first.repository():
		return fmt.Sprintf("%d files and folders aren't sent: %s (a git repository of its own) and others", len(all), name)
	case first.Unresolved && len(all) == 1:
		return name + " isn't sent: it has git's conflict markers"
	case first.Unresolved:
		return fmt.Sprintf("%d files aren't sent: %s (it has git's conflict markers) and others", len(all), name)
	case first.Filter == "" && len(all) == 1:
		return fmt.Sprintf("%s (%d MB) is too large to be sent, and lies on this machine alone", name, first.Size>>20)
	case first.Filter == "":
		return fmt.Sprintf("%d files aren't sent, and lie as they are on this machine alone: %s (%d MB, too large) and others", len(all), name, first.Size>>20)
	case len(all) == 1:
		return fmt.Sprintf("%s isn't sent as it is here: git runs the filter %q over it", name, first.Filter)
	}
	return fmt.Sprintf("%d files aren't sent as they are here: %s (git runs the filter %q over it) and others", len(all), name, first.Filter)
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
