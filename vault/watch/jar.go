package watch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

const cookiePrefix = "cookie-"

// errJarGone means that the folder of cookies was removed: a new session has to
// make it again.
var errJarGone = errors.New("the folder of cookies is gone")

// A jar makes cookies: empty files whose events tell how far the queue is read.
type jar struct {
	dir    string // relative to the vault's root, with forward slashes
	prefix string // of this jar's cookies
	root   *os.Root
	made   int // the number of the newest
	gone   int // those up to here are removed
}

// openJar makes the folder dir below root and removes cookies that a crash left.
// It goes through an os.Root, since dir may be a link in a hostile vault. The
// folder above must be there: where a disk is no longer mounted, kist must not
// write into the empty folder that is left.
func openJar(root, dir string) (*jar, error) {
	above, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer above.Close()
	if err := above.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	r, err := above.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	// The name is new each time so that no event of another session is mistaken.
	j := &jar{dir: dir, prefix: cookiePrefix + rand.Text()[:8] + "-", root: r}
	j.sweep()
	return j, nil
}

// sweep removes all cookies. What it can't remove, the next session tries again.
func (j *jar) sweep() {
	entries, err := fs.ReadDir(j.root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), cookiePrefix) && e.Type().IsRegular() {
			_ = j.root.Remove(e.Name())
		}
	}
}

func (j *jar) name(n int) string { return j.prefix + strconv.Itoa(n) }

// bake makes a cookie. It returns errJarGone or an error that is ErrNoBarrier.
func (j *jar) bake() (int, error) {
	f, err := j.root.OpenFile(j.name(j.made+1), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, errJarGone
	case err != nil:
		return 0, noBarrier(err)
	}
	j.made++
	_ = f.Close() // it is empty: nothing can be lost
	return j.made, nil
}

// number returns which of this jar's cookies a path is.
func (j *jar) number(path string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(path, j.dir+"/"+j.prefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil
}

// eat removes the cookies up to one.
func (j *jar) eat(n int) {
	for ; j.gone < min(n, j.made); j.gone++ {
		_ = j.root.Remove(j.name(j.gone + 1)) // swept later
	}
}

func (j *jar) close() error {
	j.eat(j.made)
	return j.root.Close()
}

func noBarrier(err error) error { return fmt.Errorf("%w: %w", ErrNoBarrier, err) }
