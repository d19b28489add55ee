package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A Repo is the user's repository around a folder.
type Repo struct {
	Top     string // of the work tree
	Prefix  string // of the folder below Top, with a slash at its end; empty: it is Top
	GitDir  string // of this work tree
	Common  string // of all work trees
	Objects string
	Format  string // of hashes: sha1 or sha256

	dir       string
	overrides []string          // key=value, one for each key of the repository's that could run something
	own       map[string]string // what its config says, keys in lower case but for their middle part
	wider     map[string]string // what the config of the user and the system says
	named     []string          // the keys behind overrides
	hooks     string            // folder of the user's own hooks, or the null device
	promisor  string            // address of the remote that has texts which are missing here; empty: none is

	before  []source // of what is known here
	found   string   // what [Dir] says, if it counts that nothing changed
	sources []source // before, or empty: they can't tell whether they change
	read    time.Time
	flags   flags
	clean   string // index and commit between which nothing is staged, as seen last
}

// Open finds the repository that dir is in. The errors are ErrNoRepository, ErrUnsupported
// (with the reason), ErrUnsafe, ErrNoGit, or what git says. Whether git is new enough, [Version] tells.
func Open(ctx context.Context, dir string) (*Repo, error) {
	r := &Repo{dir: dir}
	// The one command that runs before anything is overridden only reads config files.
	if err := r.list(ctx); err != nil {
		return nil, err
	}
	out, err := r.git(ctx, nil, "rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--absolute-git-dir", "--git-common-dir", "--git-path", "objects",
		"--show-object-format", "--show-prefix", "--show-toplevel")
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) > 1 && (lines[0] == "true" || lines[1] == "false") {
		return nil, fmt.Errorf("%w: it has no work tree here", ErrUnsupported)
	}
	var e *Error
	if errors.As(err, &e) && strings.Contains(e.Text, "not a git repository") {
		return nil, ErrNoRepository
	}
	if err != nil {
		return nil, err
	}
	if len(lines) != 8 {
		return nil, fmt.Errorf("%w: its folder has a line break in its name", ErrUnsupported)
	}
	abs := func(p string) string {
		if filepath.IsAbs(p) {
			return filepath.Clean(p)
		}
		return filepath.Join(dir, filepath.FromSlash(p))
	}
	r.GitDir, r.Common, r.Objects, r.Format, r.Prefix, r.Top = abs(lines[2]), abs(lines[3]), abs(lines[4]), lines[5], lines[6], abs(lines[7])
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, nil
}

// check refuses repositories that kist leaves alone.
func (r *Repo) check() error {
	switch {
	case r.own["core.worktree"] != "":
		return fmt.Errorf("%w: core.worktree puts its files elsewhere", ErrUnsupported)
	case isTrue(r.own["core.sparsecheckout"]):
		return fmt.Errorf("%w: a sparse checkout, of which files are missing on purpose; git sparse-checkout disable brings them", ErrUnsupported)
	}
	return r.promises()
}

// promises notes whence a partial clone has the texts that aren't here. All else has to be here: then only
// the store, which has a config of kist's own, ever asks for something that is missing.
func (r *Repo) promises() error {
	names := map[string]bool{}
	if name := r.own["extensions.partialclone"]; name != "" {
		names[name] = true
	}
	for key, value := range r.own {
		name, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".promisor")
		if ok && isTrue(value) {
			names[name] = true
		}
	}
	for name := range names {
		r.promisor = r.own["remote."+name+".url"]
		if len(names) > 1 || r.promisor == "" || !strings.HasPrefix(r.own["remote."+name+".partialclonefilter"], "blob:") {
			return fmt.Errorf("%w: a partial clone that lacks more than the texts of files, or of several remotes; one with --filter=blob:none, or without a filter, can be synced", ErrUnsupported)
		}
	}
	return nil
}

func isTrue(s string) bool {
	switch strings.ToLower(s) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// list reads the config and notes what of the repository's own is to be overridden. Hooks
// are those of the user's global config, or none: also where the repository's own config
// names none there may be some in its folder.
func (r *Repo) list(ctx context.Context) error {
	found, sources := watch(r.dir)
	r.before = sources
	out, err := run(ctx, command{dir: r.dir, args: []string{"config", "--list", "-z", "--show-scope", "--show-origin"}})
	if err != nil {
		var e *Error
		if errors.As(err, &e) && e.Kind == nil {
			return fmt.Errorf("%w: its config can't be read: %s", ErrUnsupported, e.Text)
		}
		return err
	}
	r.own, r.wider = map[string]string{}, map[string]string{}
	hooks := os.DevNull
	seen, origins, includes := map[string]bool{}, map[string]bool{}, false
	fields := bytes.Split(out, []byte{0})
	for i := 0; i+2 < len(fields); i += 3 {
		scope, origin, entry := string(fields[i]), string(fields[i+1]), string(fields[i+2])
		key, value, hasValue := strings.Cut(entry, "\n")
		if !hasValue {
			value = "true"
		}
		if file, ok := strings.CutPrefix(origin, "file:"); ok {
			origins[file] = true
		}
		includes = includes || strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif.")
		if scope != "local" && scope != "worktree" {
			r.wider[key] = value
			if key == "core.hookspath" && (scope == "global" || scope == "system") {
				hooks = r.hooksOf(value)
			}
			continue
		}
		if r.own[key] == "" || !strings.HasPrefix(key, "remote.") || !strings.HasSuffix(key, ".url") { // of several addresses git asks the first one
			r.own[key] = value
		}
		if !runs().MatchString(key) || seen[key] || key == "core.hookspath" {
			continue
		}
		seen[key] = true
		if strings.ContainsAny(key, "=\n") {
			return fmt.Errorf("%w: the repository's config has a key that can't be overridden, %q", ErrUnsafe, key)
		}
		r.named = append(r.named, key)
		r.overrides = append(r.overrides, key+"="+neutral(key))
	}
	r.hooks = hooks
	r.keep(found, sources, origins, includes)
	r.overrides = append(r.overrides, "core.hooksPath="+hooks, "core.fsmonitor=false", "core.alternateRefsCommand=", "core.pager=cat", "safe.bareRepository=explicit",
		"core.fsync=committed,reference") // a branch that was moved survives a power cut
	return nil
}

// hooksOf returns the folder of hooks that the user's global config names, unless that is one
// that the repository brings: a relative one is below its top.
func (r *Repo) hooksOf(value string) string {
	p := value
	if rest, ok := strings.CutPrefix(p, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return os.DevNull
		}
		p = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(p) {
		return os.DevNull
	}
	p = filepath.Clean(p)
	for dir := r.dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && strings.HasPrefix(p, dir+string(filepath.Separator)) {
			return os.DevNull
		}
		if dir == filepath.Dir(dir) {
			return p
		}
	}
}

// Overridden returns the keys of the repository's own config that could have something
// executed. They have no effect.
func (r *Repo) Overridden() []string { return r.named }

// Value returns what the repository's own config says of a key in lower case; empty: nothing.
func (r *Repo) Value(key string) string { return r.own[key] }

// git runs a command in the user's repository, under the overrides.
func (r *Repo) git(ctx context.Context, env []string, args ...string) ([]byte, error) {
	return run(ctx, command{dir: r.dir, env: env, config: r.overrides, args: append([]string{"--no-optional-locks"}, args...)})
}

// Head returns the branch that is checked out (without refs/heads/; empty: none, a
// detached head) and the commit that it is at (empty: none yet).
func (r *Repo) Head(ctx context.Context) (branch, commit string, err error) {
	if branch, known := Branch(r.GitDir); known && branch != "" && CheckRef(branch) == nil {
		if commit := readRef(r.Common, "refs/heads/"+branch); commit != "" {
			return branch, commit, nil
		}
	}
	out, err := r.git(ctx, nil, "symbolic-ref", "-q", "HEAD")
	if err != nil && status(err) != 1 {
		return "", "", err
	}
	branch, isBranch := strings.CutPrefix(strings.TrimSuffix(string(out), "\n"), "refs/heads/")
	if !isBranch {
		branch = ""
	}
	out, err = r.git(ctx, nil, "rev-parse", "-q", "--verify", "HEAD^{commit}")
	if err != nil && status(err) != 1 {
		return "", "", err
	}
	return branch, strings.TrimSuffix(string(out), "\n"), nil
}

// readRef returns the commit of a reference that has a file of its own in a git directory;
// empty: it has none, or one that git has to read.
func readRef(dir, name string) string {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if id := trimLine(string(text)); err == nil && isID(id) {
		return id
	}
	return ""
}

func trimLine(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") }

// Init makes a repository of a folder that is in none, without templates and their hooks.
func Init(ctx context.Context, dir string) error {
	_, err := run(ctx, command{dir: dir, args: []string{"init", "-q", "--template="}})
	return err
}

// AddRemote gives the user's repository a remote, with the branch there that belongs to
// one here, so that plain git knows them as well, and the driver that .gitattributes may name
// for documents (*.md merge=kist). What there is of that stays as it is.
func (r *Repo) AddRemote(ctx context.Context, name, address, local, branch string) error {
	if err := errors.Join(CheckURL(address), CheckRef(name), CheckRef(local), CheckRef(branch)); err != nil {
		return err
	}
	set := [][2]string{{"remote." + name + ".url", address}, {"remote." + name + ".fetch", "+refs/heads/*:refs/remotes/" + name + "/*"}}
	if r.own["remote."+name+".url"] != "" {
		set = nil
	}
	if r.own["branch."+local+".remote"] == "" {
		set = append(set, [2]string{"branch." + local + ".remote", name}, [2]string{"branch." + local + ".merge", "refs/heads/" + branch})
	}
	if r.own["merge.kist.driver"] == "" {
		set = append(set, [2]string{"merge.kist.name", "merge documents by meaning"}, [2]string{"merge.kist.driver", driver()})
	}
	for _, kv := range set {
		if _, err := r.git(ctx, nil, "config", "--local", kv[0], kv[1]); err != nil {
			return err
		}
		r.own[kv[0]] = kv[1]
	}
	return nil
}

// driver is the command by which git has kist merge: as the PATH has it, or else this very program. The PATH of a
// program with windows, from which git is started, need not have what that of a shell has.
func driver() string {
	const command = "kist merge %O %A %B %P"
	exe, err := os.Executable()
	dir := filepath.Dir(exe)
	if err != nil || runtime.GOOS == "windows" || strings.ContainsAny(dir, "'%:\n") {
		return command
	}
	return `PATH="$PATH":'` + dir + "' " + command
}

// Name gives the branch that is checked out, and has no commit yet, another name.
func (r *Repo) Name(ctx context.Context, branch string) error {
	if err := CheckRef(branch); err != nil {
		return err
	}
	_, err := r.git(ctx, nil, "symbolic-ref", "HEAD", "refs/heads/"+branch)
	return err
}

// Exists reports whether anything has a path below the repository's top.
func (r *Repo) Exists(path string) bool {
	_, err := os.Lstat(r.Abs(path))
	return err == nil
}

// Stands is Exists, of what isn't a folder.
func (r *Repo) Stands(path string) bool {
	fi, err := os.Lstat(r.Abs(path))
	return err == nil && !fi.IsDir()
}
