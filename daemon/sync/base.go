package sync

import (
	"context"
	"path"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/git"
	"kist/vault"
)

// maxVersions is how many versions of a document are looked at for the one that a copy was made from.
const maxVersions = 200

// madeFrom is what another program's conflict copy and its document were made from, by [copies.Base] and the history that is synced; nil:
// it isn't known.
func (e *Engine) madeFrom(ctx context.Context, c Conflict, theirs []byte) ([]byte, error) {
	if c.From != copies.Kist && copies.Hidden(c.Path) {
		return nil, nil
	}
	select {
	case <-e.turn:
		defer func() { e.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s, err := e.files.load()
	if err != nil {
		return nil, nil // no git is asked about a vault that isn't synced
	}
	r := &round{vault: e.opts.Vault, repo: e.repo, files: e.files, settings: s, log: e.opts.Log}
	defer e.close(r)
	versions, err := r.past(ctx, c)
	if err != nil {
		e.opts.Log.Info("sync: a conflict copy is merged without git's versions of its document", "path", c.Path, "err", err)
		return nil, ctx.Err()
	}
	if c.From == copies.Kist && len(versions) > 0 {
		return versions[0].Text, nil
	}
	return copies.Base(theirs, versions), nil
}

// past are the versions that a document has had before a copy of it was there, by the branch that is synced, newest first. The copy is there
// since the commit that brought it; of one that is in none the time in its name counts. Of a copy that a merge made it is the one that both sides had.
func (r *round) past(ctx context.Context, c Conflict) (all []copies.Version, err error) {
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	head, err := r.head(ctx)
	if err != nil || head == "" {
		return nil, err
	}
	if was, ok := copies.Of(c.Path, func(string) bool { return true }); ok && c.From == copies.Kist {
		text, err := git.Parted(ctx, r.store, head, path.Join(r.repo.Prefix, c.Path), path.Join(r.repo.Prefix, was.Of), vault.MaxDocument)
		if err != nil || text == nil {
			return nil, err
		}
		return []copies.Version{{Text: text}}, nil
	}
	came, err := git.Versions(ctx, r.store, head, path.Join(r.repo.Prefix, c.Path), maxVersions)
	if err != nil {
		return nil, err
	}
	if len(came) > 0 {
		head = came[len(came)-1].Commit
	}
	found, err := git.Versions(ctx, r.store, head, path.Join(r.repo.Prefix, c.Of), maxVersions)
	if err != nil {
		return nil, err
	}
	for _, v := range found {
		texts, err := r.store.Blobs(ctx, []string{v.ID}, vault.MaxDocument)
		if err != nil {
			return nil, err
		}
		if text := texts[v.ID]; text != nil && (len(came) == 0 || v.Commit != head) {
			all = append(all, copies.Version{Text: text, At: v.At})
		}
	}
	if len(came) == 0 {
		all = c.Earlier(all)
	}
	return all, nil
}
