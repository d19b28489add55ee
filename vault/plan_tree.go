package vault

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"kist/vault/fsys"
)

// maxDeleted is how much of a project may be deleted at once, in bytes: all of it goes
// into the log, so that it can come back.
const maxDeleted = 64 << 20

// An obstacle is a file that keeps a folder from being moved or deleted whole.
type obstacle struct {
	path string
	err  error // the sentinel
	why  string
}

// maxObstacles is how many files an error names.
const maxObstacles = 5

// obstructed returns the error that names the obstacles; nil if there are none.
func obstructed(what string, found []obstacle) error {
	if len(found) == 0 {
		return nil
	}
	var names []string
	for _, o := range found[:min(len(found), maxObstacles)] {
		names = append(names, fmt.Sprintf("%s (%s)", o.path, o.why))
	}
	more := ""
	if n := len(found) - maxObstacles; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Errorf("%w: %s: %s%s", found[0].err, what, strings.Join(names, ", "), more)
}

// projectFiles lists all regular files of a project's folder, of any kind, and what
// else is in it that can't be moved.
func (v *Vault) projectFiles(slug string) (files []string, bad []obstacle, err error) {
	var walk func(dir string) error
	walk = func(dir string) error {
		entries, err := v.readDir(dir)
		if err != nil {
			return v.pathError("folder", dir, err)
		}
		for _, e := range entries {
			p := path.Join(dir, e.Name())
			switch why := v.unmovable(p, e); {
			case litterName(e.Name()):
			case why != "":
				bad = append(bad, obstacle{p, ErrNotRegular, why})
			case e.IsDir():
				if err := walk(p); err != nil {
					return err
				}
			default:
				files = append(files, p)
			}
		}
		return nil
	}
	err = walk(path.Join(v.layout.Projects, slug))
	return files, bad, err
}

// unmovable says why an entry of a folder can't be moved; "": it can.
func (v *Vault) unmovable(p string, e fs.DirEntry) string {
	switch {
	case strings.HasPrefix(e.Name(), "."):
		return "hidden"
	case e.Type()&fs.ModeSymlink != 0:
		return "a link"
	case e.IsDir():
		return ""
	case !e.Type().IsRegular():
		return "not a regular file"
	}
	if _, err := cleanPath(p); err != nil {
		return "a name kist can't write"
	}
	if fi, err := e.Info(); err == nil && fsys.Links(fi) > 1 {
		return "it has more than one name"
	}
	return ""
}

// litterName tells what systems leave in every folder and make anew, and kist's own
// temporary files, which go by themselves. They stay where they are.
func litterName(name string) bool {
	return name == ".DS_Store" || name == ".localized" || name == ".directory" || strings.HasPrefix(name, "._") || isTemp(name)
}

// unrestorable reads the files and finds those that the log couldn't bring back.
func (v *Vault) unrestorable(files []string) (texts map[string][]byte, bad []obstacle, err error) {
	texts, total := map[string][]byte{}, int64(0)
	for _, p := range files {
		text, info, err := v.ReadHead(p, maxEdit)
		if err != nil {
			return nil, nil, err
		}
		total += info.Size
		switch {
		case info.Size > maxEdit:
			bad = append(bad, obstacle{p, ErrTooLarge, fmt.Sprintf("%d MiB", info.Size>>20)})
		case checkText(p, text) != nil:
			bad = append(bad, obstacle{p, ErrNotText, "not text"})
		case total > maxDeleted:
			bad = append(bad, obstacle{p, ErrTooLarge, fmt.Sprintf("more than %d MiB in all", maxDeleted>>20)})
		default:
			texts[p] = text
		}
	}
	return texts, bad, nil
}
