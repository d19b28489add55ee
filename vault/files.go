package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"kist/vault/fsys"
	"kist/vault/markdown"
)

// Read returns a file's bytes. It returns ErrInvalidPath, ErrNotFound,
// ErrNotRegular or ErrNotDownloaded, or what the file system says.
func (v *Vault) Read(p string) ([]byte, error) {
	text, _, err := v.ReadHead(p, -1)
	return text, err
}

// ReadHead returns at most limit bytes of a file (all of it when limit is
// negative) and what the file system says of it. Errors are as in [Vault.Read].
func (v *Vault) ReadHead(p string, limit int64) ([]byte, Info, error) {
	c, err := cleanPath(p)
	if err != nil {
		return nil, Info{}, err
	}
	if v.folder != nil {
		if text, st, ok := fsys.ReadPlain(v.folder, c, limit); ok {
			return text, infoWith(c, st), nil
		}
	}
	f, info, err := v.open(c)
	if err != nil {
		return nil, Info{}, err
	}
	defer f.Close()
	n := info.Size
	if limit >= 0 && limit < n {
		n = limit
	}
	// Room for one byte more than expected: one read then finds the end.
	text := make([]byte, 0, n+1)
	var r io.Reader = f
	if limit >= 0 {
		r = io.LimitReader(f, limit)
	}
	for {
		m, err := r.Read(text[len(text):cap(text)])
		text = text[:len(text)+m]
		if err == io.EOF {
			return text, info, nil
		}
		if err != nil {
			return nil, info, fmt.Errorf("read %s: %w", c, err)
		}
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
	}
}

// open opens a regular file. The Lstat comes first because opening a pipe would
// block and opening a device may do anything.
func (v *Vault) open(c string) (*os.File, Info, error) {
	fi, err := v.lstat(c)
	if err != nil {
		return nil, Info{}, v.pathError("file", c, err)
	}
	if fi.Mode()&fs.ModeSymlink != 0 {
		// A link is followed if it stays within the vault; os.Root sees to that.
		if fi, err = v.root.Stat(c); err != nil {
			return nil, Info{}, fmt.Errorf("%w: link %s leads out of the vault or to nothing", ErrNotRegular, c)
		}
		if v.elsewhere(fi) {
			return nil, Info{}, notDownloaded(c)
		}
	}
	if !fi.Mode().IsRegular() {
		return nil, Info{}, fmt.Errorf("%w: %s", ErrNotRegular, c)
	}
	f, err := v.root.OpenFile(c, os.O_RDONLY|fsys.OpenNonblock, 0)
	if err != nil {
		return nil, Info{}, v.pathError("file", c, err)
	}
	if fi, err = f.Stat(); err != nil || !fi.Mode().IsRegular() {
		f.Close()
		return nil, Info{}, errors.Join(fmt.Errorf("%w: %s", ErrNotRegular, c), err)
	}
	return f, infoOf(c, fi), nil
}

func infoOf(p string, fi fs.FileInfo) Info { return infoWith(p, fsys.StatOf(fi)) }

func infoWith(p string, st fsys.Stat) Info {
	return Info{Path: p, Size: st.Size, ModTime: st.ModTime, ChangeTime: st.ChangeTime, Inode: st.Inode}
}

// pathError turns the file system's error into one of ours.
func (v *Vault) pathError(kind, p string, err error) error {
	switch {
	case errors.Is(err, ErrNotDownloaded):
		return err
	case errors.Is(err, fs.ErrNotExist), fsys.IsNotDir(err):
		return &NotFoundError{Kind: kind, Ref: p}
	case strings.Contains(err.Error(), "path escapes from parent"):
		return fmt.Errorf("%w %q: it leads out of the vault", ErrInvalidPath, p)
	}
	return fmt.Errorf("open %s: %w", p, err)
}

// Stat describes a regular file. Errors are as in [Vault.Read].
func (v *Vault) Stat(p string) (Info, error) {
	c, err := cleanPath(p)
	if err != nil {
		return Info{}, err
	}
	fi, err := v.lstat(c)
	if err != nil {
		return Info{}, v.pathError("file", c, err)
	}
	if !fi.Mode().IsRegular() {
		return Info{}, fmt.Errorf("%w: %s", ErrNotRegular, c)
	}
	return infoOf(c, fi), nil
}

// Document reads and parses a file, whatever its bytes are. It returns
// ErrTooLarge for one that is too large to be edited, and the errors of [Vault.Read].
func (v *Vault) Document(p string) (*markdown.Document, error) {
	text, info, err := v.ReadHead(p, maxEdit)
	if err != nil {
		return nil, err
	}
	if info.Size > maxEdit {
		return nil, fmt.Errorf("%w: %s has %d MiB; kist parses up to %d MiB", ErrTooLarge, p, info.Size>>20, maxEdit>>20)
	}
	return markdown.Parse(text), nil
}

// Walk calls fn for every Markdown file, folder by folder, and problem for what
// is there but can't be used: unreadable folders, links, devices, what a cloud
// service keeps elsewhere. It passes over what is [Vault.Ignored]. It returns an
// error when the root can't be read, when fn returns one, and when ctx ends. A nil
// problem ignores problems.
func (v *Vault) Walk(ctx context.Context, fn func(Info) error, problem func(Problem)) error {
	w := walk{v: v, ctx: ctx, fn: fn, problem: problem}
	if problem == nil {
		w.problem = func(Problem) {}
	}
	defer func() { v.sweep(w.leftovers) }()
	return w.folder(".")
}

// Ignored reports whether [Vault.Walk] passes a file over because it is hidden or
// because .gitignore or .kistignore leave it out, be it there or not.
func (v *Vault) Ignored(p string) bool { return hidden(p) || v.rules.Match(p, false) }

// A walk is one call of [Vault.Walk].
type walk struct {
	v         *Vault
	ctx       context.Context // of that call
	fn        func(Info) error
	problem   func(Problem)
	leftovers []string // temporary files
}

func (w *walk) folder(dir string) error {
	v := w.v
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if fi, err := v.root.Lstat(dir); dir != "." && err == nil && v.elsewhere(fi) {
		w.problem(cloudProblem(dir)) // to list it would download it
		return nil
	}
	entries, err := v.readDir(dir)
	if err != nil && dir == "." {
		return fmt.Errorf("read vault %s: %w", v.dir, err)
	}
	if err != nil {
		w.problem(Problem{Path: dir, Message: "folder can't be read: " + errText(err), Hint: "check its permissions"})
		return nil
	}
	for _, e := range entries {
		if err := w.entry(path.Join(dir, e.Name()), e); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) entry(p string, e fs.DirEntry) error {
	v, name := w.v, e.Name()
	if isTemp(name) {
		w.leftovers = append(w.leftovers, p)
	}
	if file, ok := fsys.Stubbed(p); ok && v.unreadStub(file) {
		w.problem(cloudProblem(file))
	}
	switch {
	case strings.HasPrefix(name, "."), !e.IsDir() && !isMarkdown(name), v.rules.Match(p, e.IsDir()):
		return nil
	case e.IsDir():
		return w.folder(p)
	}
	return w.document(p, e)
}

func (w *walk) document(p string, e fs.DirEntry) error {
	switch t := e.Type(); {
	case t&fs.ModeSymlink != 0:
		if _, err := w.v.root.Stat(p); err != nil {
			w.problem(Problem{Path: p, Message: "link leads out of the vault or to nothing", Hint: "put the file itself into the vault; kist follows no link out of it"})
		}
		// A link to a file inside the vault: that file is found by itself.
		return nil
	case !t.IsRegular():
		w.problem(Problem{Path: p, Message: "not a regular file", Hint: "pipes, sockets and devices are not read"})
		return nil
	}
	fi, err := e.Info()
	if err != nil {
		return nil // gone since the folder was read
	}
	if w.v.elsewhere(fi) {
		w.problem(cloudProblem(p))
		return nil
	}
	return w.fn(infoOf(p, fi))
}

func (v *Vault) readDir(dir string) ([]fs.DirEntry, error) {
	f, err := v.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

func errText(err error) string { return fsys.BareError(err).Error() }
