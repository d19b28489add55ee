package documents

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"kist/vault/disk"
	"kist/vault/fsys"
	"kist/vault/ignore"
)

// visiblePath is disk.Clean for documents: what is hidden belongs to kist, where it
// may be a secret, or to other programs. The rules of what to leave out may be looked at.
func visiblePath(p string) (string, error) {
	c, err := disk.Clean(p)
	if err != nil {
		return "", err
	}
	dir, name := path.Split(c)
	if disk.Hidden(c) && (disk.Hidden(dir) || !slices.Contains(ignore.Files, name)) {
		return "", fmt.Errorf("%w %q: kist does not open hidden files", disk.ErrInvalidPath, p)
	}
	return c, nil
}

// Locate returns the one path of the document that p names: links to files and folders
// inside the vault are followed, and of several names of a file (hard links) one counts. Whatever a document's path is kept for, or compared
// with, must be this one. The document need not be there. It returns disk.ErrInvalidPath,
// also for hidden files, and disk.ErrNotRegular for a link out of the vault.
func (f *Folder) Locate(p string) (string, error) { return f.locate(p, true) }

// locate is Locate; a link that is the document's own name is followed if last is true.
func (f *Folder) locate(p string, last bool) (string, error) {
	c, err := visiblePath(p)
	if err != nil {
		return "", err
	}
	to, err := f.tree.Root.Resolve(c, last)
	switch {
	case errors.Is(err, fsys.ErrEscapes):
		return "", fmt.Errorf("%w: a link in %s is absolute or leads out of the vault", disk.ErrNotRegular, c)
	case err != nil:
		return "", f.tree.PathError("file", c, err)
	}
	if fi, err := f.tree.Root.Lstat(to); err == nil {
		if l, several := hardLinkOf(to, fi); several {
			to = f.standing(l)
		}
	}
	if to == c {
		return c, nil
	}
	if to, err = visiblePath(to); err != nil {
		err = fmt.Errorf("a link in %s leads there: %w", c, err)
	}
	return to, err
}

// WritablePath is Locate for targets of a change: no hidden folder or file, nothing
// among kist's own records, and no path through a link: what is logged for one name of
// a file would be undone by that name.
func (f *Folder) WritablePath(p string) (string, error) {
	c, err := disk.Clean(p)
	if err != nil {
		return "", err
	}
	if disk.Hidden(c) {
		return "", fmt.Errorf("%w %q: kist does not write to hidden files", disk.ErrInvalidPath, p)
	}
	if to, err := f.locate(c, false); err != nil {
		return "", err
	} else if to != c {
		return "", fmt.Errorf("%w %q: a link leads there; the file's own path is %s", disk.ErrInvalidPath, p, to)
	}
	if top, _, ok := strings.Cut(c, "/"); ok && (top == f.layout.Operations || top == f.layout.Sessions) {
		return "", fmt.Errorf("%w %q: %s/ holds kist's own records", disk.ErrInvalidPath, p, top)
	}
	return c, nil
}

// IsMarkdown reports whether a file is a document by its name.
func IsMarkdown(p string) bool { return disk.IsMarkdown(p) }
