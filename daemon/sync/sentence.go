package sync

import (
	"fmt"
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
	Large   []Large   // files of this disk that aren't sent, since they are too large
}

// A Large is a file that is too large to be sent.
type Large struct {
	Path string `json:"path"` // in the vault
	Size int64  `json:"size"` // in bytes
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
	if len(s.Large) > 0 {
		out += "; " + tooLarge(s.Large)
	}
	return out
}

// LargeHint says what can be done about files that are too large to be sent.
const LargeHint = "git lfs track sends such files, with a commit and push of your git; a line in .gitignore, or in sync.leave_out of kist.yaml, says that they are to stay"

// tooLarge says that files aren't sent.
func tooLarge(all []Large) string {
	first := fmt.Sprintf("%s (%d MB)", vault.OneLine(all[0].Path), all[0].Size>>20)
	if len(all) > 1 {
		return fmt.Sprintf("%d files are too large to be sent, and lie on this machine alone: %s and others", len(all), first)
	}
	return first + " is too large to be sent, and lies on this machine alone"
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
