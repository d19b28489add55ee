package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"kist/daemon/sync/copies"
	"kist/daemon/sync/credit"
	"kist/daemon/sync/emptied"
	"kist/daemon/sync/git"
	"kist/daemon/sync/names"
	"kist/vault"
	"kist/vault/merge/kinds"
)

// A batch of documents that is written under one hold of the vault's lock.
const (
	batchFiles = 100
	batchBytes = vault.MaxLogged / 8
)

// An arrival is what one file becomes by a checkout. Paths are below the vault's folder.
type arrival struct {
	path    string
	from    string       // where the file is as yet; empty: at path
	before  []byte       // what it is expected to hold; nil: no file
	after   []byte       // nil: no file
	commits []git.Commit // that brought it, the one to be named first
}

// checkout takes the files on the disk from one commit (empty: none) to another one. What
// somebody edited since stays, merged by lines where that can be, and else with what the
// other commit has beside it. It can be done again after it was broken off.
func (r *round) checkout(ctx context.Context, j *journal) error {
	c, err := r.coming(ctx, j.From, j.To)
	if err != nil {
		return err
	}
	arrivals := c.arrivals
	if !j.Import {
		r.yield(arrivals, j.Beside)
	}
	if arrivals, err = r.attribute(ctx, j, arrivals); err != nil {
		return err
	}
	if arrivals, err = r.prepare(ctx, arrivals); err != nil {
		return err
	}
	if err := r.place(ctx, c, false); err != nil {
		return err
	}
	r.step("rest")
	var documents []arrival
	for _, a := range arrivals {
		if j.Import || r.isRecord(a.path) || a.from != "" && r.isRecord(a.from) {
			if err := r.writeRecord(ctx, a); err != nil {
				return err
			}
			r.step("file")
			continue
		}
		documents = append(documents, a)
	}
	for len(documents) > 0 {
		n, size := 0, 0
		for n < len(documents) && n < batchFiles && (n == 0 || size < batchBytes) && documents[n].device() == documents[0].device() && comes(documents[n]) == comes(documents[0]) {
			size += len(documents[n].before) + len(documents[n].after)
			n++
		}
		if err := r.writeDocuments(ctx, documents[:n]); err != nil {
			return err
		}
		r.step("batch")
		documents = documents[n:]
	}
	if err := r.putBeside(ctx, j); err != nil {
		return err
	}
	var taken []string
	for _, a := range arrivals {
		if a.from != "" {
			taken = append(taken, a.from)
		} else if a.after == nil {
			taken = append(taken, a.path)
		}
	}
	return emptied.Folders(r.vault.Dir(), taken, r.isOwn, sync.OnceFunc(func() { r.vault.WaitSettled(ctx, settles) }))
}

// yield notes of which files another machine kept this one's version beside its own.
func (r *round) yield(arrivals []arrival, beside map[string]string) {
	come := sorted(beside)
	for _, a := range arrivals {
		if a.before == nil && a.from == "" {
			come = append(come, a.path)
		}
	}
	for _, name := range come {
		if !r.isOurs(name) {
			continue
		}
		of, ok := copies.Of(name, func(string) bool { return true })
		if p := path.Join(r.repo.Prefix, of.Of); ok && !slices.Contains(r.outcome.Upheld, p) {
			r.outcome.Yielded = append(r.outcome.Yielded, p)
		}
	}
}

// A comparison is what a round knows already of two commits.
type comparison struct {
	from, to string
	diff     []git.Difference
}

// news are the commits of theirs that ours hasn't got, newest first, as far as anybody wants to know.
func (r *round) news(ctx context.Context, theirs, ours string) ([]git.Commit, error) {
	const enough = 1000
	if r.logged.theirs != theirs || r.logged.ours != ours {
		log, err := r.store.Log(ctx, theirs, ours, enough)
		if err != nil {
			return nil, err
		}
		r.logged = logged{theirs, ours, log}
	}
	return r.logged.log, nil
}

// logged is what news found last.
type logged struct {
	theirs, ours string
	log          []git.Commit
}

// differences is what two commits have of the vault, as far as sync handles it.
func (r *round) differences(ctx context.Context, from, to string) ([]git.Difference, error) {
	if r.compared.from != from || r.compared.to != to {
		diff, err := r.store.Diff(ctx, cmp.Or(from, r.store.EmptyTree()), to)
		if err != nil {
			return nil, err
		}
		r.compared = comparison{from, to, diff}
	}
	// A move is made where nothing else is in its way; else, as when two files exchange their
	// names, one goes and one comes.
	var out []git.Difference
	for _, d := range r.compared.diff {
		if d.From != "" && (d.Before.Mode != d.After.Mode || r.taken(d.Path) || !r.repo.Stands(d.From)) {
			come := git.Difference{Path: d.Path, After: d.After}
			if r.broken.placed != nil && !r.repo.Stands(d.From) { // it was moved, or somebody moved it on, and is to be changed yet
				come.Before = d.Before
			}
			out = append(out, git.Difference{Path: d.From, Before: d.Before}, come)
			continue
		}
		out = append(out, d)
	}
	return out, nil
}

// taken: something has a path, or a file stands where it needs a folder.
func (r *round) taken(p string) bool { return r.repo.Exists(p) || names.FileAbove(r.repo.Top, p) != "" }

// arrivals reads what files become. What kist doesn't write itself is for c.
func (r *round) arrivals(ctx context.Context, diff []git.Difference, c *coming) error {
	var ids []string
	for _, d := range diff {
		for _, f := range []git.File{d.Before, d.After} {
			if isFile(f) {
				ids = append(ids, f.ID)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	texts := map[string][]byte{}
	if len(ids) > 0 {
		var err error
		if texts, err = r.store.Blobs(ctx, ids, r.largest); err != nil {
			return err
		}
	}
	for _, d := range diff {
		p, ok := r.below(d.Path)
		from, fromOK := r.below(d.From)
		fromOK = fromOK || d.From == ""
		if d.From == "" {
			from = ""
		} else if fromOK && isLog(r, from) { // it only looks like one that was renamed
			d, from, r.whole = git.Difference{Path: d.Path, After: d.After}, "", true
		}
		a := arrival{path: p, from: from, before: texts[d.Before.ID], after: texts[d.After.ID]}
		switch {
		case !ok || !fromOK || !names.Handled(p) || from != "" && !names.Handled(from) || r.vault.Layout().Unsent(p):
			c.other(d)
		case d.After.ID != "" && (!isFile(d.After) || a.after == nil), d.Before.ID != "" && (!isFile(d.Before) || a.before == nil):
			c.other(d)
		case r.isOwnLog(p):
			// Nobody else writes it; what is here is the newest.
			r.whole = r.whole || d.Before.ID != ""
		case isLog(r, p) && a.after == nil: // what was in the log stays
			r.whole = true
		default:
			if isLog(r, p) && a.before != nil {
				all := withAll(p, a.before, a.after)
				r.whole = r.whole || len(all) > len(a.after)
				a.after = all
			}
			c.arrivals, c.of = append(c.arrivals, a), append(c.of, d)
		}
	}
	return nil
}

// prepare puts files of attributes in place, which tell how git would write the others, and gives the rest the line ends that they
// have here.
func (r *round) prepare(ctx context.Context, arrivals []arrival) ([]arrival, error) {
	var attributes, rest []arrival
	for _, a := range arrivals {
		if path.Base(a.path) == attributesFile {
			attributes = append(attributes, a)
			continue
		}
		rest = append(rest, a)
	}
	if err := r.lineEnds(ctx, attributes); err != nil {
		return nil, err
	}
	for _, a := range attributes {
		if err := r.writeRecord(ctx, a); err != nil {
			return nil, err
		}
	}
	return rest, r.lineEnds(ctx, rest)
}

// comes orders arrivals: what goes is first, since it makes room for what comes, and so does what moves.
func comes(a arrival) int {
	switch {
	case a.after == nil:
		return 0
	case a.from != "":
		return 1
	}
	return 2
}

// attribute says of each arrival which commits brought it, and puts them in the order in
// which they are written: what goes, what moves, then what comes, each by device. What one commit moved and another one
// wrote is two.
func (r *round) attribute(ctx context.Context, j *journal, arrivals []arrival) ([]arrival, error) {
	log, err := r.news(ctx, j.There, j.From)
	if err != nil {
		return nil, err
	}
	ledger := credit.New(log, r.own)
	var out []arrival
	for _, a := range arrivals {
		f := credit.File{Path: path.Join(r.repo.Prefix, a.path), ID: r.store.BlobID(a.after)}
		if a.after == nil {
			f.ID = ""
		}
		if f.Others = append(f.Others, r.names[f.Path]); a.from != "" {
			f.Others = append(f.Others, path.Join(r.repo.Prefix, a.from))
		}
		text, name := ledger.Of(f)
		if same := vault.HashOf(a.before) == vault.HashOf(a.after); a.from != "" && name.ID != "" && (same || !r.isRecord(a.path) && !r.isRecord(a.from)) {
			moved := a
			moved.after, moved.commits = a.before, []git.Commit{name}
			if out = append(out, moved); same {
				continue
			}
			a.from = ""
		}
		a.commits = text
		out = append(out, a)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return cmp.Or(cmp.Compare(comes(a), comes(b)), strings.Compare(a.device(), b.device())) < 0
	})
	return out, nil
}

// own reports whether one of the user's own devices made a commit.
func (r *round) own(c git.Commit) bool {
	return c.Device != "" && slices.Contains(r.settings.Own, c.Device)
}

// device is the one that an arrival is of; empty: none that is known.
func (a arrival) device() string {
	if len(a.commits) == 0 {
		return ""
	}
	return a.commits[0].Device
}

// reason is what an operation says of where it came from: each commit of another author, at most three.
func reason(commits []git.Commit) string {
	var from, authors []string
	for _, c := range commits {
		if author := vault.OneLine(c.Author); !slices.Contains(authors, author) && len(from) < 3 {
			authors = append(authors, author)
			from = append(from, fmt.Sprintf("%s: %s (commit %.10s)", author, short(vault.OneLine(c.Subject)), c.ID))
		}
	}
	if len(from) == 0 {
		return "synced"
	}
	return "synced from " + strings.Join(from, "; and from ")
}

// now returns what a file holds; nil: there is none.
func (r *round) now(p string) ([]byte, error) {
	text, err := r.vault.Read(p)
	if errors.Is(err, vault.ErrNotFound) {
		return nil, nil
	}
	return text, err
}

// settles is how long makeRoom waits until it is known that no program writes any more to what was deleted.
const settles = 2 * time.Second

// makeRoom takes a folder away in which no file is left, and reports whether it could.
func (r *round) makeRoom(ctx context.Context, p string) bool {
	r.vault.WaitSettled(ctx, settles)
	root, err := os.OpenRoot(r.vault.Dir())
	if err != nil {
		return false
	}
	defer root.Close()
	var folders []string
	err = fs.WalkDir(root.FS(), p, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			err = fs.ErrExist
		}
		folders = append(folders, p)
		return err
	})
	for _, p := range slices.Backward(folders) {
		if err == nil {
			err = root.Remove(filepath.FromSlash(p))
		}
	}
	return err == nil
}

// steps are what is left to do for one document.
func (r *round) steps(ctx context.Context, a arrival) ([]vault.Step, error) {
	text := a.after
	if text == nil {
		text = a.before
	}
	e := r.vault.EntityOf(a.path, text)
	step := func(t vault.OpType, c ...vault.Change) []vault.Step {
		return []vault.Step{{Type: t, Entity: e, Reason: reason(a.commits), Changes: c}}
	}
	if a.from != "" {
		was, err := r.now(a.from)
		if err != nil {
			return nil, err
		}
		if was != nil {
			moved := step(vault.OpMove, vault.Change{Path: a.path, From: a.from})
			if vault.HashOf(a.before) != vault.HashOf(a.after) && vault.HashOf(was) != vault.HashOf(a.after) {
				moved[0].Changes = append(moved[0].Changes, vault.Change{Path: a.path, Before: a.before, After: a.after})
			}
			return moved, nil
		}
	}
	now, err := r.now(a.path)
	if errors.Is(err, vault.ErrNotRegular) {
		switch {
		case a.after == nil:
			return nil, nil // another thing is there by now, and what goes has gone
		case r.makeRoom(ctx, a.path):
			now, err = r.now(a.path)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case vault.HashOf(now) == vault.HashOf(a.after):
		return nil, nil
	case a.after == nil:
		return step(vault.OpDelete, vault.Change{Path: a.path, Before: a.before}), nil
	case now == nil && a.before != nil && r.broken.went[vault.HashOf(a.before)] != "":
		to := r.broken.went[vault.HashOf(a.before)]
		if now, err = r.now(to); err != nil || vault.HashOf(now) == vault.HashOf(a.after) {
			return nil, err
		}
		return step(vault.OpUpdate, vault.Change{Path: to, Before: a.before, After: a.after}), nil
	case r.broken.placed[vault.FileChange{Path: a.path, After: vault.HashOf(a.after)}] && (now == nil || vault.HashOf(now) != vault.HashOf(a.before)):
		return nil, nil // he moved, deleted or changed what the merge made of it
	case now == nil:
		return step(vault.OpCreate, vault.Change{Path: a.path, After: a.after}), nil
	}
	return step(vault.OpUpdate, vault.Change{Path: a.path, Before: a.before, After: a.after}), nil
}

// writeDocuments writes documents as operations of the actor sync, all at once, or one by
// one where somebody edited one of them meanwhile.
func (r *round) writeDocuments(ctx context.Context, part []arrival) error {
	origin := vault.Origin{Actor: vault.ActorSync, Client: "git"}
	if len(part[0].commits) > 0 && r.own(part[0].commits[0]) {
		origin.Client = vault.OwnDevice
	}
	var steps []vault.Step
	var writable []arrival
	for _, a := range part {
		more, err := r.steps(ctx, a)
		if errors.Is(err, vault.ErrNotRegular) { // somebody put a folder or a link there at this moment
			if err = r.setAside(ctx, a); err == nil {
				continue
			}
		}
		if err != nil {
			return err
		}
		steps, writable = append(steps, more...), append(writable, a)
	}
	if part = writable; len(steps) == 0 {
		return nil
	}
	_, err := r.vault.Apply(ctx, vault.Batch{Origin: origin, Steps: steps})
	if err == nil {
		r.outcome.Brought += len(steps)
		return nil
	}
	if ctx.Err() != nil || errors.Is(err, vault.ErrReadOnly) || errors.Is(err, vault.ErrClosed) {
		return err
	}
	for _, a := range part {
		steps, err := r.steps(ctx, a)
		if err != nil {
			return err
		}
		if len(steps) == 0 {
			continue
		}
		_, err = r.vault.Apply(ctx, vault.Batch{Origin: origin, Steps: steps})
		switch {
		case err == nil:
			r.outcome.Brought++
		case names.FileAbove(r.repo.Top, path.Join(r.repo.Prefix, a.path)) != "": // it was to go, and was edited meanwhile
			if err := r.setAside(ctx, a); err != nil {
				return err
			}
		case errors.Is(err, vault.ErrNoChange): // an edit of this moment has it
		case errors.Is(err, vault.ErrConflict), errors.Is(err, vault.ErrExists), errors.Is(err, vault.ErrProtected), errors.Is(err, vault.ErrNotRegular), errors.Is(err, vault.ErrTooLarge), errors.Is(err, vault.ErrNotDownloaded):
			if err := r.setAside(ctx, a); err != nil {
				return err
			}
		default:
			return err
		}
	}
	return nil
}

// setAside keeps what a commit has of a file beside it, since the file was edited at this
// moment or can't be written. The file stays, and the next round commits it as it is.
func (r *round) setAside(ctx context.Context, a arrival) error {
	r.log.Info("kept what came of a file beside it", "path", a.path)
	if a.after == nil {
		return nil // it was edited and isn't deleted
	}
	author := "remote"
	if len(a.commits) > 0 {
		author = vault.Slug(cmp.Or(a.device(), a.commits[0].Author, author))
	}
	m, p := &merger{round: r}, path.Join(r.repo.Prefix, a.path)
	at := cmp.Or(names.FileAbove(r.repo.Top, p), p)
	// Where a file stands in place of the folder it is put beside that file, under a name that says where it belongs.
	name, _ := r.below(m.copyName(at+strings.ReplaceAll(strings.TrimPrefix(p, at), "/", "-"), author))
	r.outcome.Upheld = append(r.outcome.Upheld, path.Join(r.repo.Prefix, a.path))
	return r.writeRecord(ctx, arrival{path: name, after: a.after})
}

// errAsItIs ends the writing of a record that needs none.
var errAsItIs = errors.New("nothing to write")

// writeRecord writes a file that is no document, or one of an import, without an operation.
func (r *round) writeRecord(ctx context.Context, a arrival) error {
	if a.from != "" { // a record isn't moved: others append to it by its name
		if err := r.writeRecord(ctx, arrival{path: a.path, after: a.after, commits: a.commits}); err != nil {
			return err
		}
		return r.writeRecord(ctx, arrival{path: a.from, before: a.before, commits: a.commits})
	}
	edited := false
	err := r.vault.WriteRecord(ctx, a.path, func(now []byte) ([]byte, error) {
		switch vault.HashOf(now) {
		case vault.HashOf(a.after):
			return nil, errAsItIs
		case vault.HashOf(a.before):
			return a.after, nil
		}
		edited = true
		return nil, errAsItIs
	})
	switch {
	case edited && kinds.IsMachines(a.path): // a program writes it all the time, and its own is the one that counts
		return nil
	case err != nil && !errors.Is(err, errAsItIs) && a.after != nil && names.FileAbove(r.repo.Top, path.Join(r.repo.Prefix, a.path)) != "":
		return r.setAside(ctx, a)
	case edited, errors.Is(err, vault.ErrNotRegular), errors.Is(err, vault.ErrTooLarge), errors.Is(err, vault.ErrProtected), errors.Is(err, vault.ErrNotDownloaded):
		return r.setAside(ctx, a)
	case errors.Is(err, errAsItIs):
		return nil
	case err == nil:
		r.outcome.Brought++
	}
	return err
}
