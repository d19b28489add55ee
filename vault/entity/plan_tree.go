package entity

import (
	"fmt"
	"path"
	"strings"

	"kist/vault"
	"kist/vault/documents"
)

// maxDeleted is how much of a project may be deleted at once, in bytes: all of it goes
// into the log, so that it can come back.
const maxDeleted = vault.MaxLogged

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
func projectFiles(v *vault.Vault, slug string) (files []string, bad []obstacle, err error) {
	var walk func(dir string) error
	walk = func(dir string) error {
		entries, err := v.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			p := path.Join(dir, e.Name())
			switch why := documents.Unmovable(p, e); {
			case documents.IsDisposable(e.Name()):
			case why != "":
				bad = append(bad, obstacle{p, vault.ErrNotRegular, why})
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
	err = walk(path.Join(v.Layout().Projects, slug))
	return files, bad, err
}

// unrestorable reads the files and finds those that the log couldn't bring back.
func unrestorable(v *vault.Vault, files []string) (texts map[string][]byte, bad []obstacle, err error) {
	texts, total := map[string][]byte{}, int64(0)
	for _, p := range files {
		text, info, err := v.ReadHead(p, vault.MaxDocument)
		if err != nil {
			return nil, nil, err
		}
		total += info.Size
		switch {
		case info.Size > vault.MaxDocument:
			bad = append(bad, obstacle{p, vault.ErrTooLarge, fmt.Sprintf("%d MiB", info.Size>>20)})
		case vault.CheckText(p, text) != nil:
			bad = append(bad, obstacle{p, vault.ErrNotText, "not text"})
		case total > maxDeleted:
			bad = append(bad, obstacle{p, vault.ErrTooLarge, fmt.Sprintf("more than %d MiB in all", maxDeleted>>20)})
		default:
			texts[p] = text
		}
	}
	return texts, bad, nil
}
