package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Remote is a repository elsewhere, and a branch of it.
type Remote struct {
	URL    string
	Branch string // without refs/heads/
}

// seen is where the store keeps the remote's branch as it was fetched last.
const seen = "refs/kist/remote"

// check refuses what could be an option or a program.
func (r Remote) check() error { return errors.Join(CheckURL(r.URL), CheckRef(r.Branch)) }

// network runs a command that talks with a remote. Repositories on this machine are spoken to
// by a git that runs none of their hooks.
func (s *Store) network(ctx context.Context, url string, progress func(Progress), args ...string) ([]byte, error) {
	if Local(url) != "" {
		side := "--upload-pack=" + plain + "upload-pack"
		if args[0] == "push" {
			side = "--receive-pack=" + plain + "receive-pack"
		}
		args = append([]string{args[0], side}, args[1:]...)
	}
	return run(ctx, command{dir: s.repo.Top, env: append(s.environment(s.index()), s.asks(url)...), config: storeConfig(), args: args, limit: netLimit,
		progress: progress, secrets: secretsOf(url)})
}

// plain is a git that serves a repository on this machine and runs none of its hooks.
const plain = "git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand= -c core.sshCommand=false" +
	" -c receive.denyCurrentBranch=refuse -c receive.autogc=false -c gc.auto=0 -c maintenance.auto=false "

// asks is the environment of a git that talks with a remote.
func (s *Store) asks(url string) []string {
	if strings.HasPrefix(url, "http") || Local(url) != "" {
		return []string{online}
	}
	return []string{online, "GIT_SSH_COMMAND=" + s.ssh()}
}

// ssh is the user's own ssh command, told to ask nothing.
func (s *Store) ssh() string {
	own := cmp.Or(s.repo.wider["core.sshcommand"], "ssh")
	if name, _, _ := strings.Cut(own, " "); strings.TrimSuffix(filepath.Base(name), ".exe") != "ssh" {
		return own // another program has other options
	}
	return own + " -oBatchMode=yes -oConnectTimeout=20 -oServerAliveInterval=15 -oServerAliveCountMax=4"
}

// Branches asks a remote for its branches, by name, and which of them it shows first; both
// are empty where it has no commits. It reads at most some thousands.
func (s *Store) Branches(ctx context.Context, url string) (first string, all map[string]string, err error) {
	if err := CheckURL(url); err != nil {
		return "", nil, err
	}
	out, err := s.network(ctx, url, nil, "ls-remote", "--symref", "--", url, "HEAD", "refs/heads/*")
	if err != nil {
		return "", nil, err
	}
	all = map[string]string{}
	for line := range strings.Lines(string(out)) {
		left, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if target, ok := strings.CutPrefix(left, "ref: refs/heads/"); ok && name == "HEAD" {
			first = target
		} else if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok && CheckRef(branch) == nil {
			all[branch] = left
		}
	}
	if all[first] == "" {
		first = ""
	}
	return first, all, nil
}

// Fetch brings the remote's branch and returns its commit (empty: it has no such branch)
// and the one that was fetched last (empty: none).
func (s *Store) Fetch(ctx context.Context, r Remote, progress func(Progress)) (now, last string, err error) {
	if err := r.check(); err != nil {
		return "", "", err
	}
	last = s.Seen()
	spec := "+refs/heads/" + r.Branch + ":" + seen + "-new"
	from := r.URL
	if s.repo.promisor == r.URL {
		// By its name git knows the remote as the one that has the texts which are missing here, and takes commits
		// beside such texts: by its address it would refuse them as not whole.
		from = promised
	}
	for wait := 100 * time.Millisecond; ; wait *= 3 {
		_, err = s.network(ctx, r.URL, progress, "fetch", "--progress", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance", "--end-of-options", from, spec)
		if !errors.Is(err, ErrMovedOn) || wait > time.Second {
			break
		}
		// A fetch of a kist that was killed is at its end. It isn't waited for by the store's lock, since what
		// git starts to keep credentials would have that for hours.
		select {
		case <-ctx.Done():
			return "", last, ctx.Err()
		case <-time.After(wait):
		}
	}
	var e *Error
	if errors.As(err, &e) && strings.Contains(e.Text, "couldn't find remote ref") {
		return "", last, nil
	}
	if err != nil {
		return "", last, err
	}
	if last != "" && readRef(s.dir, seen+"-new") == last {
		return last, last, nil
	}
	if now, err = s.named(ctx, seen+"-new^{commit}"); err == nil && now == "" {
		err = fmt.Errorf("%w: its branch is at no commit", ErrDamaged)
	}
	if err == nil && last != "" && last != now && !s.Has(ctx, last) { // it was another repository's
		last = ""
	}
	return now, last, err
}

// Seen returns the remote's commit that was last taken in; empty: none.
func (s *Store) Seen() string { return readRef(s.dir, seen) }

// See notes that a commit of the remote has been taken in. The store is nobody else's, so that its
// reference is a file to be replaced.
func (s *Store) See(commit string) error {
	if s.Seen() == commit {
		return nil
	}
	return replaceFile(filepath.Join(s.dir, filepath.FromSlash(seen)), commit+"\n")
}

// replaceFile replaces a file of the store by one that holds a text, durably.
func replaceFile(name, text string) error {
	f, err := os.OpenFile(name+".tmp", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

// Forget forgets the remote, for another one.
func (s *Store) Forget(ctx context.Context) error {
	for _, ref := range []string{seen, seen + "-new"} { // also where the repository with their objects is gone
		if _, err := s.git(ctx, nil, "update-ref", "-d", ref); err != nil {
			return err
		}
	}
	return nil
}

// Push makes a commit that of the remote's branch, where that only adds to it. It returns
// ErrBehind where the remote has moved on, and never overwrites what is there. Where there
// is given (a commit that the new one goes on from) the remote must have exactly that.
func (s *Store) Push(ctx context.Context, r Remote, there, commit string, progress func(Progress)) error {
	if err := r.check(); err != nil {
		return err
	}
	line := fmt.Sprintf("%s %s refs/heads/%s %s\n", commit, commit, r.Branch, cmp.Or(there, strings.Repeat("0", len(commit)))) // as git tells the hook
	if _, err := s.hook(ctx, "", "pre-push", line, Show(r.URL), r.URL); err != nil {
		return err
	}
	args := []string{"push", "--no-verify", "--progress", "--porcelain", "--no-follow-tags", "--no-signed", "--recurse-submodules=no"}
	if there != "" { // a lease only adds a condition here: the new commit is a descendant
		args = append(args, "--force-with-lease=refs/heads/"+r.Branch+":"+there)
	}
	out, err := s.network(ctx, r.URL, progress, append(args, "--", r.URL, commit+":refs/heads/"+r.Branch)...)
	if err == nil {
		return s.See(commit)
	}
	for line := range strings.Lines(string(out)) {
		flag, rest, _ := strings.Cut(line, "\t")
		if flag != "!" {
			continue
		}
		why := redact(strings.TrimSpace(rest[strings.LastIndex(rest, "\t")+1:]), secretsOf(r.URL))
		kind := ErrRefusedByRemote
		for _, words := range []string{"fetch first", "non-fast-forward", "failed to update ref", "cannot lock ref", "stale info", "incorrect old value"} {
			if strings.Contains(why, words) {
				kind = ErrBehind
			}
		}
		return &Error{Verb: "push", Status: status(err), Text: why, Kind: kind}
	}
	var e *Error
	if errors.As(err, &e) && (e.Kind == nil || e.Kind == ErrMovedOn) && strings.Contains(e.Text, "lock") {
		e.Kind = ErrBehind
	}
	return err
}

// waitUnlocked waits until no other git holds the user's index, for a time.
func (r *Repo) waitUnlocked(ctx context.Context, limit time.Duration) error {
	for deadline := time.Now().Add(limit); ; {
		since := r.Locked()
		if since.IsZero() {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%w: index.lock is there since %s", ErrLocked, since.Format(time.DateTime))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Track notes in the user's repository where a remote of his has its branch now.
func (s *Store) Track(ctx context.Context, remote, branch, commit string) error {
	if err := errors.Join(CheckRef(remote), CheckRef(branch)); err != nil {
		return err
	}
	return s.move(ctx, "update refs/remotes/"+remote+"/"+branch+" "+commit)
}
