package git

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A victim is a repository that somebody prepared, with a remote, and the file that is made
// when something of it is executed.
type victim struct {
	t           *testing.T
	dir, remote string
	url         string // that is synced with; empty: remote
	branch      string
	marker      string
	run         string // shell command that makes the marker
	script      string // program that does
	wantRefused bool   // it isn't opened, or not synced, at all
}

// template makes a repository with two branches that have both changed a.md, and a bare
// remote, once for all victims, and sees to it that git has no config but the one of Ann.
func template(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	v := &victim{t: t, dir: filepath.Join(top, "vault"), remote: filepath.Join(top, "remote.git")}
	home := filepath.Join(top, "home")
	v.file(filepath.Join(home, "global"), "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n", 0o600)
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "global"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	v.file(filepath.Join(v.dir, "a.md"), "one\ntwo\nthree\n", 0o644)
	v.file(filepath.Join(v.dir, "sub", "b.md"), "b\n", 0o644)
	v.must("git", "init", "-q", "--template=", "--bare", v.remote)
	v.must("git", "init", "-q", "--template=")
	v.must("git", "add", ".")
	v.must("git", "commit", "-qm", "first")
	v.must("git", "remote", "add", "origin", v.remote)
	v.must("git", "push", "-q", "origin", "main")
	v.must("git", "checkout", "-qb", "theirs")
	v.file(filepath.Join(v.dir, "a.md"), "one\ntwo\nTHREE\n", 0o644)
	v.must("git", "commit", "-qam", "theirs")
	v.must("git", "push", "-q", "origin", "theirs:main")
	v.must("git", "checkout", "-q", "main")
	v.file(filepath.Join(v.dir, "a.md"), "ONE\ntwo\nthree\n", 0o644)
	v.must("git", "commit", "-qam", "ours")
	other := filepath.Join(top, "other")
	v.must("git", "clone", "-q", v.remote, other)
	v.file(filepath.Join(other, "c.md"), "c\n", 0o644)
	v.must("git", "-C", other, "add", ".")
	v.must("git", "-C", other, "commit", "-qm", "not here yet")
	v.must("git", "-C", other, "push", "-q", "origin", "main")
	return top
}

// newVictim copies the template.
func newVictim(t *testing.T, template string) *victim {
	t.Helper()
	top := t.TempDir()
	v := &victim{t: t, dir: filepath.Join(top, "vault"), remote: filepath.Join(top, "remote.git"), marker: filepath.Join(top, "executed"), branch: "main"}
	v.run = "touch " + v.marker
	v.script = filepath.Join(top, "script")
	v.file(v.script, "#!/bin/sh\n"+v.run+"\nexit 0\n", 0o755)
	if err := os.CopyFS(top, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	v.config("remote.origin.url", v.remote)
	return v
}

func (v *victim) file(path, text string, mode os.FileMode) {
	v.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		v.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		v.t.Fatal(err)
	}
}

// plain runs a command as a user would, who is asked nothing.
func (v *victim) plain(args ...string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = v.dir
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "TERM=dumb", "TRAP="+v.run, "REMOTE="+v.remote)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%v: %w: %s", args, err, out)
	}
	return nil
}

func (v *victim) must(args ...string) {
	v.t.Helper()
	if err := v.plain(args...); err != nil {
		v.t.Fatal(err)
	}
}

func (v *victim) config(key, value string) { v.t.Helper(); v.must("git", "config", key, value) }

func (v *victim) attributes(text string) {
	v.t.Helper()
	v.file(filepath.Join(v.dir, ".gitattributes"), text, 0o644)
}

// edit changes the working copy, so that there is something to commit.
func (v *victim) edit() {
	v.t.Helper()
	v.file(filepath.Join(v.dir, "sub", "b.md"), "edited\n", 0o644)
	v.file(filepath.Join(v.dir, "new.md"), "new\n", 0o644)
}

func (v *victim) executed() bool { _, err := os.Stat(v.marker); return err == nil }

// kist does all that the package can do, as a sync would; what fails on the way doesn't
// matter here.
func (v *victim) kist() error {
	ctx := v.t.Context()
	url := v.remote
	if v.url != "" {
		url = v.url
	}
	r, err := Open(ctx, v.dir)
	if err != nil {
		return err
	}
	s, err := OpenStore(r, filepath.Join(v.t.TempDir(), "store"), url)
	if err != nil {
		return err
	}
	branch, head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	staged, err := r.Staged(ctx, head)
	if err != nil {
		return err
	}
	changes, err := s.Changes(ctx, head)
	if err != nil {
		return err
	}
	var paths []string
	for _, c := range changes {
		if !staged[c.Path] {
			paths = append(paths, c.Path)
		}
	}
	filtered, err := s.Filtered(ctx, append(paths, "a.md"), "")
	if err != nil {
		return err
	}
	_ = filtered // also what has a filter is hashed here
	tree, err := s.Stage(ctx, append(paths, "a.md"))
	if err != nil {
		return err
	}
	commit, err := s.Commit(ctx, tree, []string{head}, "kist\n\nKist-Device: x\n")
	if err != nil {
		return err
	}
	if err := r.Advance(ctx, s, branch, head, commit); err != nil {
		return err
	}
	_, _, remoteErr := s.Branches(ctx, url)
	there, _, err := s.Fetch(ctx, Remote{url, v.branch}, func(Progress) {})
	if err != nil || remoteErr != nil {
		return fmt.Errorf("%w %w", err, remoteErr)
	}
	base, err := s.MergeBase(ctx, commit, there)
	if err != nil {
		return err
	}
	diff, err := s.Diff(ctx, base, there)
	if err != nil || len(diff) == 0 {
		return fmt.Errorf("diff %v %w", diff, err)
	}
	if _, err := s.Blobs(ctx, []string{diff[0].After.ID}, 1<<20); err != nil {
		return err
	}
	if _, err := s.Log(ctx, there, commit, 100); err != nil {
		return err
	}
	id := s.BlobID([]byte("merged\n"))
	if err := s.WriteBlobs(ctx, map[string][]byte{id: []byte("merged\n")}); err != nil {
		return err
	}
	if tree, err = s.WriteTree(ctx, commit, map[string]File{"a.md": {ModeFile, id}}); err != nil {
		return err
	}
	merged, err := s.Commit(ctx, tree, []string{commit, there}, "merge")
	if err != nil {
		return err
	}
	if err := r.Advance(ctx, s, branch, commit, merged); err != nil {
		return err
	}
	if why, err := r.Place(ctx, s, map[string][2]File{"sub/placed.md": {{}, {ModeFile, id}}, "placed.md": {{}, {ModeLink, id}}}, false); err != nil || why != "" {
		return fmt.Errorf("place: %s %w", why, err)
	}
	if err := s.Push(ctx, Remote{url, v.branch}, there, merged, func(Progress) {}); err != nil {
		return err
	}
	if _, err := r.Put(ctx, Move{From: head, To: merged}); err != nil {
		return err
	}
	_ = r.Brought(ctx, Move{From: head, To: merged}, nil)
	return s.Track(ctx, "origin", "main", merged)
}

// A trap makes a victim's repository or remote hostile; fire are commands of which one runs
// what it names under plain git.
type trap struct {
	name string
	set  func(*victim)
	fire [][]string
}

func sh(script string) []string { return []string{"sh", "-c", script} }

func hook(name string, fire ...[]string) trap {
	return trap{"hook " + name, func(v *victim) { v.file(filepath.Join(v.dir, ".git", "hooks", name), "#!/bin/sh\n"+v.run+"\n", 0o755) }, fire}
}

func remoteHook(name string) trap {
	return trap{"hook of the remote " + name, func(v *victim) {
		v.file(filepath.Join(v.remote, "hooks", name), "#!/bin/sh\n"+v.run+"\n", 0o755)
	}, [][]string{sh("git push -q -f origin main")}}
}

func key(name string, value func(*victim) string, fire ...[]string) trap {
	return trap{name, func(v *victim) { v.config(name, value(v)) }, fire}
}

func program(v *victim) string { return v.script }
func shell(v *victim) string   { return v.run + "; :" }

// unauthorized is a remote that wants credentials.
func unauthorized(v *victim) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	v.t.Cleanup(s.Close)
	v.url = s.URL + "/r.git"
	v.config("remote.origin.url", v.url)
	v.wantRefused = true
}

// lacks makes the repository a partial clone without some object.
func (v *victim) lacks(name string) {
	v.t.Helper()
	v.must("git", "-C", v.remote, "config", "uploadpack.allowFilter", "true")
	v.must("git", "-C", v.remote, "config", "uploadpack.allowAnySHA1InWant", "true")
	v.config("core.repositoryFormatVersion", "1")
	v.config("extensions.partialClone", "origin")
	v.config("remote.origin.promisor", "true")
	v.config("remote.origin.partialCloneFilter", "blob:none")
	v.must("sh", "-c", `id=$(git rev-parse "$0") && rm -f ".git/objects/$(echo "$id" | sed 's,^..,&/,')"`, name)
}

func traps() []trap {
	add, commit := sh("git add ."), sh("git commit -qam x")
	merge := sh("git fetch -q && git merge -m m origin/main")
	fetch, push := sh("git fetch origin"), sh("git push -f origin main")
	all := []trap{
		key("core.fsmonitor", shell, sh("git status")),
		{"include.path", func(v *victim) {
			v.file(filepath.Join(v.dir, "conf"), "[core]\n\tfsmonitor = "+v.script+"\n", 0o644)
			v.config("include.path", "../conf")
		}, [][]string{sh("git status")}},
		{"includeIf", func(v *victim) {
			v.file(filepath.Join(v.dir, "conf"), "[core]\n\tfsmonitor = "+v.script+"\n", 0o644)
			v.config("includeIf.gitdir:**.path", "../conf")
		}, [][]string{sh("git status")}},
		{"config.worktree", func(v *victim) {
			v.config("extensions.worktreeConfig", "true")
			v.must("git", "config", "--worktree", "core.fsmonitor", v.script)
		}, [][]string{sh("git status")}},
		hook("post-index-change", add),
		hook("pre-commit", commit),
		hook("commit-msg", commit),
		hook("prepare-commit-msg", commit),
		hook("post-commit", commit),
		hook("reference-transaction", commit),
		hook("pre-push", push),
		hook("post-checkout", sh("git checkout -q -f theirs")),
		hook("post-merge", sh("git stash -q -u; git merge -q theirs -m m")),
		hook("pre-merge-commit", sh("git stash -q -u; git merge -q theirs -m m")),
		{"core.hooksPath", func(v *victim) {
			v.file(filepath.Join(v.dir, "h", "pre-commit"), "#!/bin/sh\n"+v.run+"\n", 0o755)
			v.file(filepath.Join(v.dir, "h", "reference-transaction"), "#!/bin/sh\n"+v.run+"\n", 0o755)
			v.config("core.hooksPath", "h")
		}, [][]string{commit}},
		{"filter clean", func(v *victim) { v.attributes("*.md filter=x\n"); v.config("filter.x.clean", v.run+"; cat") }, [][]string{add}},
		{"filter smudge", func(v *victim) { v.attributes("*.md filter=x\n"); v.config("filter.x.smudge", v.run+"; cat") }, [][]string{sh("git checkout -f theirs")}},
		{"filter process", func(v *victim) { v.attributes("*.md filter=x\n"); v.config("filter.x.process", v.script) }, [][]string{add}},
		{"required filter", func(v *victim) {
			v.attributes("*.md filter=x\n")
			v.config("filter.x.required", "true")
			v.config("filter.x.clean", v.run+"; cat")
		}, [][]string{add}},
		{"filter in info/attributes", func(v *victim) {
			v.file(filepath.Join(v.dir, ".git", "info", "attributes"), "*.md filter=x\n", 0o644)
			v.config("filter.x.clean", v.run+"; cat")
		}, [][]string{add}},
		{"filter in a folder's attributes", func(v *victim) {
			v.file(filepath.Join(v.dir, "sub", ".gitattributes"), "*.md filter=x\n", 0o644)
			v.config("filter.x.clean", v.run+"; cat")
		}, [][]string{add}},
		{"filter by core.attributesFile", func(v *victim) {
			v.file(filepath.Join(v.dir, "attrs"), "*.md filter=x\n", 0o644)
			v.config("core.attributesFile", filepath.Join(v.dir, "attrs"))
			v.config("filter.x.clean", v.run+"; cat")
		}, [][]string{add}},
		{"merge driver", func(v *victim) { v.attributes("*.md merge=x\n"); v.config("merge.x.driver", v.run) }, [][]string{sh("git stash -q; git fetch -q"), merge}},
		{"merge.default", func(v *victim) { v.config("merge.default", "x"); v.config("merge.x.driver", v.run) }, [][]string{sh("git stash -q -u; git fetch -q"), merge}},
		key("diff.external", program, sh("git diff")),
		{"diff command", func(v *victim) { v.attributes("*.md diff=x\n"); v.config("diff.x.command", v.script) }, [][]string{sh("git diff")}},
		{"diff textconv", func(v *victim) { v.attributes("*.md diff=x\n"); v.config("diff.x.textconv", v.script) }, [][]string{sh("git diff")}},
		{"core.sshCommand", func(v *victim) {
			v.config("core.sshCommand", v.run+"; :")
			v.config("remote.origin.url", "ssh://127.0.0.1:1/r.git")
			v.url, v.wantRefused = "ssh://127.0.0.1:1/r.git", true
		}, [][]string{fetch}},
		{"core.gitProxy", func(v *victim) {
			v.config("core.gitProxy", v.script)
			v.config("remote.origin.url", "git://127.0.0.1:1/r.git")
			v.url, v.wantRefused = "git://127.0.0.1:1/r.git", true
		}, [][]string{fetch}},
		{"credential helper", func(v *victim) { unauthorized(v); v.config("credential.helper", "!"+v.run+"; :") }, [][]string{fetch}},
		{"credential helper of a URL", func(v *victim) {
			unauthorized(v)
			v.config("credential."+strings.TrimSuffix(v.url, "/r.git")+".helper", "!"+v.run+"; :")
		}, [][]string{fetch}},
		{"core.askPass", func(v *victim) { unauthorized(v); v.config("core.askPass", v.script) }, [][]string{fetch}},
		key("remote.origin.uploadpack", func(v *victim) string { return v.run + "; git-upload-pack" }, fetch),
		key("remote.origin.receivepack", func(v *victim) string { return v.run + "; git-receive-pack" }, push),
		{"the remote that has missing texts", func(v *victim) {
			v.lacks("HEAD~1:a.md")
			v.config("remote.origin.uploadpack", v.run+"; git-upload-pack")
		}, [][]string{sh("git show HEAD~1:a.md")}},
		{"the remote that has missing trees", func(v *victim) {
			v.lacks("HEAD:sub")
			v.config("remote.origin.uploadpack", v.run+"; git-upload-pack")
		}, [][]string{sh("git ls-tree -r HEAD")}},
		{"another remote that has missing texts", func(v *victim) {
			v.lacks("HEAD~1:a.md")
			v.config("protocol.ext.allow", "always")
			v.config("remote.origin.url", "ext::"+v.script)
			v.wantRefused = true
		}, [][]string{sh("git show HEAD~1:a.md")}},
		{"ext URL", func(v *victim) {
			v.config("protocol.ext.allow", "always")
			v.url, v.wantRefused = "ext::"+v.script, true
			v.config("remote.origin.url", v.url)
		}, [][]string{fetch}},
		{"ext by insteadOf", func(v *victim) {
			v.config("protocol.ext.allow", "always")
			v.config("url.ext::"+v.script+" .insteadOf", "/")
		}, [][]string{fetch}},
		{"ext by pushInsteadOf", func(v *victim) {
			v.config("protocol.ext.allow", "always")
			v.config("url.ext::"+v.script+" .pushInsteadOf", "/")
		}, [][]string{push}},
		key("alias.st", func(v *victim) string { return "!" + v.run }, sh("git st")),
		key("core.editor", program, sh("git commit -a")),
		key("sequence.editor", program, sh("git stash -q -u; git rebase -i HEAD~1")),
		{"gpg.program", func(v *victim) {
			v.config("commit.gpgSign", "true")
			v.config("gpg.program", v.script)
			v.wantRefused = true
		}, [][]string{commit}},
		{"gpg.ssh.defaultKeyCommand", func(v *victim) {
			v.config("commit.gpgSign", "true")
			v.config("gpg.format", "ssh")
			v.config("gpg.ssh.defaultKeyCommand", v.script)
			v.wantRefused = true
		}, [][]string{commit}},
		key("trailer.x.command", func(v *victim) string { return v.run + "; echo" }, sh("git commit -qam x --trailer x=1")),
		{"submodule update", func(v *victim) {
			v.file(filepath.Join(v.dir, ".gitmodules"), "[submodule \"s\"]\n\tpath = s\n\turl = "+v.remote+"\n", 0o644)
			v.must("git", "-c", "protocol.file.allow=always", "clone", "-q", v.remote, "s")
			v.must("git", "add", ".gitmodules", "s")
			v.must("git", "commit", "-qm", "module")
			v.config("submodule.s.url", v.remote)
			v.config("submodule.s.update", "!"+v.run+"; :")
			v.config("submodule.recurse", "true")
			v.must("git", "-C", "s", "checkout", "-q", "--detach", "HEAD")
			v.must("git", "-C", "s", "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "other")
		}, [][]string{sh("git submodule update")}},
		key("difftool.x.cmd", func(v *victim) string { return v.run }, sh("git difftool -y -t x")),
		key("tar.x.command", func(v *victim) string { return v.run + "; cat" }, sh("git archive --format=x HEAD >/dev/null")),
		{"core.alternateRefsCommand", func(v *victim) {
			other := v.remote + ".other"
			v.must("git", "clone", "-q", "--bare", v.remote, other)
			v.file(filepath.Join(v.dir, ".git", "objects", "info", "alternates"), filepath.Join(other, "objects")+"\n", 0o644)
			v.config("core.alternateRefsCommand", v.run+"; :")
		}, [][]string{fetch}},
		remoteHook("pre-receive"),
		remoteHook("update"),
		remoteHook("post-receive"),
		remoteHook("post-update"),
		remoteHook("reference-transaction"),
		{"proc-receive of the remote", func(v *victim) {
			v.file(filepath.Join(v.remote, "hooks", "proc-receive"), "#!/bin/sh\n"+v.run+"\n", 0o755)
			v.must("git", "-C", v.remote, "config", "receive.procReceiveRefs", "refs/heads")
			v.wantRefused = true
		}, [][]string{push}},
		{"core.hooksPath of the remote", func(v *victim) {
			v.file(filepath.Join(v.remote, "h", "post-receive"), "#!/bin/sh\n"+v.run+"\n", 0o755)
			v.must("git", "-C", v.remote, "config", "core.hooksPath", "h")
		}, [][]string{push}},
		{"core.alternateRefsCommand of the remote", func(v *victim) {
			other := v.remote + ".other"
			v.must("git", "clone", "-q", "--bare", v.remote, other)
			v.file(filepath.Join(v.remote, "objects", "info", "alternates"), filepath.Join(other, "objects")+"\n", 0o644)
			v.must("git", "-C", v.remote, "config", "core.alternateRefsCommand", v.run+"; :")
		}, [][]string{push}},
		{"push-to-checkout of the remote", func(v *victim) {
			v.remote = filepath.Join(v.remote, "work")
			v.must("git", "clone", "-q", filepath.Dir(v.remote), v.remote)
			v.must("git", "-C", v.remote, "config", "receive.denyCurrentBranch", "updateInstead")
			v.file(filepath.Join(v.remote, ".git", "hooks", "push-to-checkout"), "#!/bin/sh\n"+v.run+"\n", 0o755)
			v.config("remote.origin.url", v.remote)
			v.wantRefused = true
		}, [][]string{push}},
		{"a bare repository as the folder", func(v *victim) {
			bare := filepath.Join(v.dir, "bare")
			v.must("git", "clone", "-q", "--bare", v.remote, bare)
			v.must("git", "-C", bare, "config", "core.bare", "false")
			v.must("git", "-C", bare, "config", "core.worktree", ".")
			v.must("git", "-C", bare, "config", "core.fsmonitor", v.script)
			v.dir, v.wantRefused = bare, true
		}, [][]string{sh("git status")}},
		{"a branch that is an option", func(v *victim) {
			v.branch, v.wantRefused = "--upload-pack="+v.run+";git-upload-pack", true
		}, [][]string{sh(`git fetch origin "--upload-pack=$TRAP;git-upload-pack"`)}},
		{"an address that is an option", func(v *victim) {
			v.url, v.wantRefused = "--upload-pack="+v.run+";git-upload-pack", true
		}, [][]string{sh(`git fetch "--upload-pack=$TRAP;git-upload-pack" "$REMOTE"`)}},
	}
	return all
}

// TestHostileRepositoriesExecuteNothing shows for each trap that kist does all of a sync, or
// refuses, without running what it names, and that plain git runs that. The latter depends
// on git and the table alone: the short form shows it for one trap in eight,
// KIST_TRAPS=all for each.
func TestHostileRepositoriesExecuteNothing(t *testing.T) {
	all := traps()
	if len(all) < 40 {
		t.Fatalf("only %d traps", len(all))
	}
	made := template(t)
	for i, trap := range all {
		sprung := i%8 == 0 || os.Getenv("KIST_TRAPS") == "all"
		t.Run(trap.name, func(t *testing.T) {
			t.Parallel()
			set := func() *victim {
				v := newVictim(t, made)
				trap.set(v)
				v.edit()
				_ = os.Remove(v.marker)
				return v
			}
			if sprung {
				v := set()
				var said []error
				for _, args := range trap.fire {
					said = append(said, v.plain(args...))
				}
				if !v.executed() {
					t.Fatalf("plain git executed nothing: %v", said)
				}
			}
			v := set()
			err := v.kist()
			if v.executed() {
				t.Errorf("executed; the sync ended with %v", err)
			}
			if err != nil && !v.wantRefused {
				t.Errorf("the sync ended with %v, and should go on without what the trap names", err)
			}
			if err == nil && v.wantRefused {
				t.Error("the sync ended well; is the trap set?")
			}
		})
	}
}

// TestHooksOfTheUserAreHisOwnAlone has a hooks path in the user's global config: one that is
// relative leads into the repository and counts for nothing, one of his own does.
func TestHooksOfTheUserAreHisOwnAlone(t *testing.T) {
	made := template(t)
	for _, own := range []bool{false, true} {
		v := newVictim(t, made)
		folder := ".githooks"
		at := filepath.Join(v.dir, folder)
		if own {
			folder = filepath.Join(t.TempDir(), "hooks")
			at = folder
		}
		v.must("git", "config", "--global", "core.hooksPath", folder)
		v.file(filepath.Join(at, "reference-transaction"), "#!/bin/sh\n"+v.run+"\n", 0o755)
		v.must("git", "commit", "-q", "--allow-empty", "-m", "x")
		if !v.executed() {
			t.Fatal("plain git executed nothing")
		}
		_ = os.Remove(v.marker)
		v.edit()
		if err := v.kist(); err != nil {
			t.Error(err)
		}
		if v.executed() != own {
			t.Errorf("executed is %t for a hook of the user's own: %t", v.executed(), own)
		}
	}
}
