package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/vault"
)

// Status tells how sync stands.
func (e *Engine) Status(ctx context.Context) Status {
	s, err := e.files.load()
	if errors.Is(err, ErrNotSetUp) {
		return Status{State: Off, Logged: e.wouldSend(ctx)}
	}
	if err != nil {
		return Status{State: Failing, Err: err}
	}
	out := Status{State: Ready, URL: git.Show(s.URL), Branch: s.Branch, Local: s.Local, Synced: s.Synced, Own: s.Own, Left: s.Absent, Unsent: s.Unsent}
	e.mu.Lock()
	out.Phase, out.Err = e.doing, e.failed
	if e.unsent != nil {
		out.Unsent = e.unsent
	}
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
	out.Hooks = git.Dormant(git.Dir(e.opts.Vault.Dir()))
	if err := e.elsewhere(s.Local); err != nil && out.State != Paused && out.State != Syncing {
		out.State, out.Err = Failing, err
	}
	if found, err := e.Conflicts(ctx); err == nil {
		out.Copies = len(found)
	}
	return out
}

// wouldSend counts the operations on what the vault's settings leave out whose texts are in files of the log that are sent.
func (e *Engine) wouldSend(ctx context.Context) (n int) {
	if e.opts.LeaveOut == nil {
		return 0
	}
	patterns, err := e.opts.LeaveOut()
	out, l := leaving(patterns), e.opts.Vault.Layout()
	if err != nil || len(patterns) == 0 || out.Match(l.Operations+"/a.yaml", false) {
		return 0 // a round says what is wrong
	}
	ops, err := e.opts.Vault.Operations(ctx, vault.Filter{Sent: true})
	if err != nil {
		return 0
	}
	for _, op := range ops {
		if slices.ContainsFunc(op.Changes, func(c vault.FileChange) bool {
			return out.Match(c.Path, false) || c.From != "" && out.Match(c.From, false)
		}) {
			n++
		}
	}
	return n
}

// elsewhere is an error where the user is in the middle of something, or another branch is checked out than the one that is synced.
func (e *Engine) elsewhere(local string) error {
	dir := git.Dir(e.opts.Vault.Dir())
	if dir == "" {
		return nil
	}
	if what := git.Underway(dir); what != "" {
		return fmt.Errorf("%w: %s", ErrBusy, what)
	}
	branch, known := git.Branch(dir)
	if !known || branch == local || git.Renamed(dir, local, branch) {
		return nil
	}
	return detached(branch, local)
}

// News says, once for each, of which files a round has kept another version beside them, and which it doesn't send.
func (e *Engine) News() string {
	e.mu.Lock()
	stand, yielded, unsent := e.untold, e.yielded, e.stay
	e.untold, e.yielded, e.stay = nil, nil, nil
	e.mu.Unlock()
	if found, err := e.Conflicts(context.Background()); err == nil {
		stand, yielded = copies.Unsettled(found, stand), copies.Unsettled(found, yielded)
	}
	var news []string
	for _, kind := range []struct {
		files     []string
		one, more string
	}{
		{stand, "Yours stands, the other version lies beside it", "Yours stand, the other versions lie beside them"},
		{yielded, "The other machine's version stands here, yours lies beside it", "The other machine's versions stand here, yours lie beside them"},
	} {
		slices.Sort(kind.files)
		switch files := slices.Compact(kind.files); len(files) {
		case 0:
		case 1:
			news = append(news, fmt.Sprintf("Sync: %s was changed in two places in ways that contradict each other. %s; "+
				"`kist sync conflicts` shows both, `kist sync resolve` settles it.", vault.OneLine(files[0]), kind.one))
		default:
			news = append(news, fmt.Sprintf("Sync: %d files were changed in two places in ways that contradict each other, %s first. %s; "+
				"`kist sync conflicts` shows them, `kist sync resolve` settles each.", len(files), vault.OneLine(files[0]), kind.more))
		}
	}
	if len(unsent) > 0 {
		why := ""
		if unsent[0].Size > 0 {
			why = "; files over 100 MB are refused by many git hosts"
		}
		news = append(news, "Sync: "+notSent(unsent)+why+". "+Status{Unsent: unsent}.Hint()+".")
	}
	return strings.Join(news, "\n\n")
}
