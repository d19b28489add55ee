package documents

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"kist/vault/disk"
	"kist/vault/fsys"
	"kist/vault/markdown"
)

// MaxDocument is the largest document that kist reads whole and edits, in bytes. Larger
// files are searched, as far as the index goes, but are hardly notes.
const MaxDocument = fsys.MaxWhole

// Read returns a file's bytes, also of one that links inside the vault lead to. It
// returns disk.ErrInvalidPath, also for hidden files, disk.ErrNotFound, disk.ErrNotRegular,
// disk.ErrNotDownloaded, ErrTooLarge for one of more than 16 MiB, or what the file system
// says.
func (f *Folder) Read(p string) ([]byte, error) {
	text, _, err := f.ReadHead(p, -1)
	return text, err
}

// ReadHead returns at most limit bytes of a file (all of it, as Read does, when limit is
// negative) and what the file system says of it, with the path that is its own.
// Errors are as in [Folder.Read].
func (f *Folder) ReadHead(p string, limit int64) ([]byte, disk.Info, error) {
	c, err := visiblePath(p)
	if err != nil {
		return nil, disk.Info{}, err
	}
	if err := f.hidden(c); err != nil {
		return nil, disk.Info{}, err
	}
	if text, info, ok := f.tree.ReadPlain(c, limit); ok && info.Links < 2 {
		return text, info, nil // no link led there, and it has no other name
	}
	if c, err = f.Locate(p); err != nil {
		return nil, disk.Info{}, err
	}
	if err := f.hidden(c); err != nil {
		return nil, disk.Info{}, err
	}
	return f.tree.ReadHead(c, limit)
}

// Stat describes a regular file, and follows no link: a document has one path. Errors
// are as in [Folder.Read]; for a hard link that isn't the document's name it returns one
// that wraps ErrNotRegular.
func (f *Folder) Stat(p string) (disk.Info, error) {
	c, err := disk.Clean(p)
	if err != nil {
		return disk.Info{}, err
	}
	if err := f.hidden(c); err != nil {
		return disk.Info{}, err
	}
	fi, err := f.tree.Lstat(c)
	if err != nil {
		return disk.Info{}, f.tree.PathError("file", c, err)
	}
	if !fi.Mode().IsRegular() {
		return disk.Info{}, fmt.Errorf("%w: %s", disk.ErrNotRegular, c)
	}
	if l, several := hardLinkOf(c, fi); several {
		if name := f.standing(l); name != c {
			return disk.Info{}, &OtherName{c, name}
		}
	}
	return disk.InfoOf(c, fi), nil
}

// Exists reports whether anything has that name, be it a placeholder for what a cloud
// service keeps.
func (f *Folder) Exists(p string) bool { return f.hidden(p) == nil && f.tree.Exists(p) }

// OtherCase returns what is there under a name on the way of a path that differs in the case of
// its letters alone: many systems take both for one, and no other device could have both.
func (f *Folder) OtherCase(p string) (there string, ok bool) {
	dir := "."
	for name := range strings.SplitSeq(p, "/") {
		if f.tree.Exists(path.Join(dir, name)) {
			dir = path.Join(dir, name)
			continue
		}
		entries, _ := f.tree.Root.ReadDir(dir) // what can't be read has nothing that could be meant
		for _, e := range entries {
			if strings.EqualFold(e.Name(), name) {
				return path.Join(dir, e.Name()), true
			}
		}
		return "", false
	}
	return "", false
}

// ReadTail reads at most limit bytes of the end of a file of kist's own; whole says that
// it is all. Errors are as in [Folder.Read].
func (f *Folder) ReadTail(p string, limit int64) (text []byte, whole bool, err error) {
	if err := f.hidden(p); err != nil {
		return nil, false, err
	}
	return f.tree.ReadTail(p, limit)
}

// Document reads and parses a file, whatever its bytes are. It returns the
// errors of [Folder.Read].
func (f *Folder) Document(p string) (*markdown.Document, error) {
	text, err := f.Read(p)
	if err != nil {
		return nil, err
	}
	return markdown.Parse(text), nil
}

// maxSettings is how much of an editor's settings is read.
const maxSettings = 64 << 10

// HasEditor reports whether there is a folder of an editor's settings, such as .obsidian.
func (f *Folder) HasEditor(folder string) bool {
	_, err := f.tree.Root.Lstat(folder)
	return err == nil
}

// EditorSettings reads a file in the hidden folder of an editor's settings, such as
// .obsidian/app.json, but no more than 64 KiB of it; nil: there is none.
func (f *Folder) EditorSettings(p string) []byte {
	text, _, err := f.tree.ReadHead(p, maxSettings)
	if err != nil {
		return nil
	}
	return text
}

// Ignored reports whether [Folder.Walk] passes a file over because it is hidden or
// because .gitignore or .kistignore leave it out, be it there or not.
func (f *Folder) Ignored(p string) bool { return disk.Hidden(p) || f.rules.Match(p, false) }

// ReadDir lists a folder, "." for the whole vault, in no order, with what is hidden in it. Errors
// are as in [Folder.Read].
func (f *Folder) ReadDir(dir string) ([]fs.DirEntry, error) {
	c := dir
	if dir != "." {
		var err error
		if c, err = visiblePath(dir); err != nil {
			return nil, err
		}
	}
	if err := f.hidden(c); err != nil {
		return nil, err
	}
	entries, err := f.tree.Root.ReadDir(c)
	if err != nil {
		return nil, f.tree.PathError("folder", c, err)
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return f.hidden(path.Join(c, e.Name())) != nil }), nil
}

// StatFolder describes a folder; false: it is none, or a link, behind which nothing is
// watched.
func (f *Folder) StatFolder(dir string) (disk.Info, bool) {
	fi, err := f.tree.Root.Lstat(dir)
	if err != nil || !fi.IsDir() || f.hidden(dir) != nil {
		return disk.Info{}, false
	}
	return disk.InfoOf(dir, fi), true
}

// StatIn returns [Folder.Stat] for the files below a folder, which saves the way from the
// vault's root to it each time. It holds until done is called.
func (f *Folder) StatIn(dir string) (stat func(p string) (disk.Info, error), done func()) {
	folder, err := f.tree.Root.Sub(dir)
	if err != nil {
		return f.Stat, func() {}
	}
	return func(p string) (disk.Info, error) {
		fi, err := folder.Lstat(strings.TrimPrefix(p, dir+"/"))
		if f.hides != nil || err != nil || !fi.Mode().IsRegular() || fsys.Links(fi) > 1 || f.tree.Options.Elsewhere(fi) {
			return f.Stat(p)
		}
		return disk.InfoOf(p, fi), nil
	}, func() { folder.Close() }
}
