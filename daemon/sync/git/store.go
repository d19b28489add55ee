package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Store is a git directory of kist's own beside a [Repo], with its objects. Commands in
// it read the config that kist wrote and the user's global one, never the repository's.
// Its methods may not be called concurrently, and nobody else has it until [Store.Close].
type Store struct {
	repo  *Repo
	dir   string
	held  *os.File    // its lock; nil: there is none
	blobs *blobReader // nil: none is running
	moves *mover      // nil: none is running

	told       told
	attributes bool // a file of attributes isn't what the private index has
}

// settings that are copied from the repository's config, where they say true or false: they
// tell what the file system can.
func settings() []string {
	return []string{"core.filemode", "core.ignorecase", "core.precomposeunicode", "core.symlinks", "core.protecthfs", "core.protectntfs"}
}

// fsckSettings are faults of old repositories that harm nobody; all others are refused.
func fsckSettings() []string {
	return []string{"zeroPaddedFilemode", "missingSpaceBeforeDate", "badTimezone", "missingEmail", "missingNameBeforeEmail", "missingSpaceBeforeEmail", "badDate", "multipleAuthors"}
}

// OpenStore makes the store of a repository in the folder dir, which must be in no vault,
// and writes its config anew. Texts that a partial clone lacks git brings from the remote at url, which has to
// be that which it was cloned from: else it returns ErrUnsupported. It returns ErrLocked where a git is at work in it that a process which was
// killed had started, for longer than some seconds.
func OpenStore(repo *Repo, dir, url string) (*Store, error) {
	if repo.promisor != "" && (repo.promisor != url || CheckURL(url) != nil) {
		return nil, fmt.Errorf("%w: a partial clone of %s, which alone has the texts that are missing here, while another remote is synced", ErrUnsupported, Show(repo.promisor))
	}
	s := &Store{repo: repo, dir: dir}
	for _, sub := range []string{"refs/kist", "objects", "info", "hooks"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o700); err != nil {
			return nil, fmt.Errorf("make the store for sync: %w", err)
		}
	}
	held, err := hold(dir)
	if err != nil {
		return nil, err
	}
	s.held = held
	if err := s.furnish(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// furnish writes what the store consists of beside objects and references.
func (s *Store) furnish() error {
	repo, dir := s.repo, s.dir
	files := map[string]string{"config": s.config(), "info/exclude": s.info("exclude") + "\n.kist/\n.kist-*.tmp\n", "info/attributes": s.info("attributes")}
	// Whoever was killed while it was written may have left it empty, which git takes for no repository.
	if head, err := os.ReadFile(filepath.Join(dir, "HEAD")); err != nil || len(head) == 0 {
		files["HEAD"] = unborn
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if is, err := os.ReadFile(name); err == nil && string(is) == text {
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return fmt.Errorf("make the store for sync: %w", err)
		}
	}
	shallow, err := os.ReadFile(filepath.Join(repo.Common, "shallow"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "shallow"), shallow, 0o600)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = os.Remove(filepath.Join(dir, "shallow"))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("make the store for sync: %w", err)
	}
	_ = os.Remove(filepath.Join(dir, "index.lock")) // of a process that was killed: this folder has one user
	s.unlock()
	return nil
}

// oldLock is an age at which no git holds a lock of a reference any more: it does for milliseconds.
const oldLock = 10 * time.Second

// unlock removes the locks that a git left which was killed itself, or with the machine: with
// them no reference could be changed ever after. A fetch may still be at work.
func (s *Store) unlock() {
	for _, pattern := range []string{"*.lock", "refs/kist/*.lock"} {
		locks, _ := filepath.Glob(filepath.Join(s.dir, filepath.FromSlash(pattern)))
		for _, p := range locks {
			if fi, err := os.Lstat(p); err == nil && time.Since(fi.ModTime()).Abs() > oldLock {
				_ = os.Remove(p)
			}
		}
	}
}

// promised is the store's name of the remote that a partial clone has its texts from. What is fetched from it comes
// with its texts, but for the very large.
const promised = "kist"

func (s *Store) config() string {
	var b strings.Builder
	version, format := 0, ""
	if s.repo.Format != "sha1" {
		version, format = 1, "[extensions]\n\tobjectFormat = "+s.repo.Format+"\n"
	}
	if url := s.repo.promisor; url != "" {
		version = 1
		format += "[extensions]\n\tpartialClone = " + promised + "\n[remote \"" + promised + "\"]\n\tpromisor = true\n\tpartialCloneFilter = blob:limit=1g\n\turl = " + strconv.Quote(url) + "\n"
		if Local(url) != "" {
			format += "\tuploadpack = " + plain + "upload-pack\n"
		}
	}
	fmt.Fprintf(&b, "[core]\n\trepositoryFormatVersion = %d\n\tbare = false\n\tsafecrlf = false\n\tlogAllRefUpdates = false\n", version)
	fmt.Fprintf(&b, "\thooksPath = %s\n", strconv.Quote(os.DevNull))
	// Line ends are as the user's git would have them.
	for key, values := range lineEndSettings() {
		if v := s.setting(key); slices.Contains(values, v) {
			_, name, _ := strings.Cut(key, ".")
			fmt.Fprintf(&b, "\t%s = %s\n", name, v)
		}
	}
	// What was committed survives a power cut: git's own default doesn't see to that.
	b.WriteString("\tfsync = committed,reference\n\tfsyncObjectFiles = true\n")
	for _, key := range settings() {
		if v, ok := s.repo.own[key]; ok {
			_, name, _ := strings.Cut(key, ".")
			fmt.Fprintf(&b, "\t%s = %t\n", name, isTrue(v))
		}
	}
	b.WriteString(format)
	b.WriteString("[transfer]\n\tfsckObjects = true\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[protocol]\n\tversion = 2\n[advice]\n\tdetachedHead = false\n[http]\n\tlowSpeedLimit = 1\n\tlowSpeedTime = 60\n[push]\n\tgpgSign = false\n\trecurseSubmodules = no\n")
	for _, part := range []string{"fetch", "receive"} {
		fmt.Fprintf(&b, "[%s \"fsck\"]\n", part)
		for _, f := range fsckSettings() {
			fmt.Fprintf(&b, "\t%s = ignore\n", f)
		}
	}
	return b.String()
}

// setting is what the user's git goes by, in small letters: what the repository says, or else the user's own config.
func (s *Store) setting(key string) string {
	return strings.ToLower(cmp.Or(s.repo.own[key], s.repo.wider[key]))
}

// lineEndSettings are the settings by which git changes line ends, and what they may say.
func lineEndSettings() map[string][]string {
	return map[string][]string{"core.autocrlf": {"true", "false", "input"}, "core.eol": {"lf", "crlf", "native"}}
}

// unborn is the HEAD of a store that no commit is known of.
const unborn = "ref: refs/kist/none\n"

// info is what the user says in this repository alone: of files that are left out, and of
// attributes, which can name filters, but none that the store knows.
func (s *Store) info(name string) string {
	own, err := os.ReadFile(filepath.Join(s.repo.Common, "info", name))
	if err != nil || len(own) > 1<<20 {
		return ""
	}
	return string(own)
}

// index is the file of the private index.
func (s *Store) index() string { return filepath.Join(s.dir, "index") }

func (s *Store) environment(index string) []string {
	env := []string{"GIT_DIR=" + s.dir, "GIT_WORK_TREE=" + s.repo.Top, "GIT_OBJECT_DIRECTORY=" + s.repo.Objects, "GIT_INDEX_FILE=" + index}
	if s.repo.promisor != "" {
		env = append(env, s.asks(s.repo.promisor)...)
	}
	return env
}

// git runs a command in the store.
func (s *Store) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return s.gitWith(ctx, s.index(), stdin, args...)
}

// gitWith is git with another index.
func (s *Store) gitWith(ctx context.Context, index string, stdin []byte, args ...string) ([]byte, error) {
	return run(ctx, command{dir: s.repo.Top, env: s.environment(index), config: storeConfig(), args: args, stdin: bytes.NewReader(stdin), hold: s.held})
}

// storeConfig overrides what even the user's global config shouldn't say here.
func storeConfig() []string {
	return []string{"core.askPass=", "core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "core.quotePath=false", "status.relativePaths=false", "submodule.recurse=false", "safe.bareRepository=explicit"}
}

// line runs a command that answers with a line.
func (s *Store) line(ctx context.Context, args ...string) (string, error) {
	out, err := s.git(ctx, nil, args...)
	return strings.TrimSpace(string(out)), err
}
