package sync

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"kist/daemon/sync/git"
	"kist/vault"
)

// A Setup says what was set up.
type Setup struct {
	Made   bool   // a repository was made of the folder
	Remote string // the remote's name in the user's repository
	Branch string // of the remote
	Local  string // the branch here
	URL    string // without secrets

	Attributes []string // lines that were appended to .gitattributes
	Outcome
}

// Wanted is what is asked of [Engine.Setup].
type Wanted struct {
	URL        string
	Replace    bool // another remote that is set up
	Attributes bool // append to .gitattributes what [Engine.Attributes] says that it lacks
}

// Setup names the remote of the vault on this machine and makes the first round. Where the
// folder is in no repository one is made; where it is in one, that is used. The remote may
// be empty, or have a vault of its own: the two are merged, also where they have no commit in common. Its
// errors are those of a round, and ErrSetUp where there is another remote already that isn't to be replaced; nothing is kept of a setup that failed,
// but for a repository that was made.
func (e *Engine) Setup(ctx context.Context, want Wanted, progress func(Progress)) (Setup, error) {
	address := want.URL
	if err := git.CheckURL(address); err != nil {
		return Setup{}, err
	}
	select {
	case <-e.turn:
		defer func() { e.turn <- struct{}{} }()
	case <-ctx.Done():
		return Setup{}, ctx.Err()
	}
	s, err := e.files.load()
	switch {
	case err == nil && s.URL != address && !want.Replace:
		return Setup{}, fmt.Errorf("%w: %s", ErrSetUp, git.Show(s.URL))
	case err != nil && !errors.Is(err, ErrNotSetUp):
		return Setup{}, err
	}
	r, err := e.newRound(settings{URL: address, Own: s.Own}, progress)
	if err != nil {
		return Setup{}, err
	}
	r.first = true
	defer e.close(r)
	out, err := e.setUp(ctx, r)
	if err == nil && want.Attributes {
		out.Attributes, err = e.addAttributes(ctx) // the next round commits it
	}
	if err == nil || s.URL == "" { // else how the one stands that is set up is another matter
		e.ended(r.outcome, err)
	}
	if errors.Is(err, git.ErrUnreachable) {
		err = vault.Hinted(err, "see whether the network is there and the address is right; nothing was set up")
	}
	e.soon()
	return out, err
}

func (e *Engine) setUp(ctx context.Context, r *round) (out Setup, err error) {
	out.URL = git.Show(r.settings.URL)
	defer func() {
		if err != nil && out.Made {
			err = fmt.Errorf("%w; the git repository that was made of the vault's folder stays", err)
		}
	}()
	if _, err = git.Version(ctx); err != nil {
		return out, err
	}
	if _, err = git.Open(ctx, r.vault.Dir()); errors.Is(err, git.ErrNoRepository) {
		err = git.Init(ctx, r.vault.Dir())
		out.Made = err == nil
	}
	if err != nil {
		return out, err
	}
	if err := e.files.make(); err != nil {
		return out, err
	}
	if err := r.open(ctx); err != nil {
		return out, err
	}
	if err := r.branches(ctx); err != nil {
		return out, err
	}
	if r.settings.Remote, err = r.name(); err != nil {
		return out, err
	}
	out.Remote, out.Branch, out.Local = r.settings.Remote, r.settings.Branch, r.settings.Local
	if err := r.store.Forget(ctx); err != nil {
		return out, err
	}
	err = r.run(ctx)
	out.Outcome = r.outcome
	if err != nil {
		return out, err
	}
	if err := r.repo.AddRemote(ctx, r.settings.Remote, r.settings.URL, r.settings.Local, r.settings.Branch); err != nil {
		return out, err
	}
	return out, e.files.save(r.settings)
}

// branches finds out which branch here and which there belong together.
func (r *round) branches(ctx context.Context) error {
	r.tell("fetch")
	local, head, err := r.repo.Head(ctx)
	if err != nil {
		return err
	}
	if local == "" {
		return fmt.Errorf("%w: check out the one that is to be synced", ErrDetached)
	}
	first, all, err := r.store.Branches(ctx, r.settings.URL)
	if err != nil {
		return err
	}
	switch {
	case all[local] != "":
		first = local
	case len(all) == 0:
		first = local
	case first == "" && len(all) == 1:
		for first = range maps.Keys(all) {
		}
	case first == "":
		return fmt.Errorf("%w: the remote has the branches %v and shows none of them first; check out one of that name", ErrDetached, sorted(all)[:min(len(all), 10)])
	}
	if head == "" && first != local { // nothing is on it yet
		if err := r.repo.Name(ctx, first); err != nil {
			return err
		}
		local = first
	}
	r.settings.Local, r.settings.Branch = local, first
	return errors.Join(git.CheckRef(local), git.CheckRef(first))
}

// name is what the user's git calls the remote, or shall call it.
func (r *round) name() (string, error) {
	if name := git.Named(r.repo, r.settings.URL, r.settings.Local); name != "" {
		return name, nil
	}
	for _, name := range []string{"origin", "kist"} {
		if r.repo.Value("remote."+name+".url") == "" {
			return name, nil
		}
	}
	return "", fmt.Errorf("%w: the repository has other remotes named origin and kist", ErrSetUp)
}
