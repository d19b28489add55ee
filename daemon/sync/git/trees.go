package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A treeReader reads trees by their names: what git keeps of them, in its own form.
type treeReader func(ctx context.Context, name string) ([]byte, error)

// A comparing compares trees, one folder after the other.
type comparing struct {
	read   treeReader
	length int // of ids in bytes
	wanted func(p string) bool
	late   time.Time
	size   int // of what was found, about as git would say it
	found  []Difference
}

// compareTrees returns what differs between two commits or trees, by names alone and in the order of paths, of the files and folders that are
// wanted. It reads no folder that is the same in both.
func compareTrees(ctx context.Context, read treeReader, length int, before, after string, wanted func(p string) bool) ([]Difference, error) {
	c := &comparing{read: read, length: length / 2, wanted: wanted, late: time.Now().Add(usualLimit)}
	if err := c.folder(ctx, "", before+"^{tree}", after+"^{tree}"); err != nil {
		return nil, err
	}
	slices.SortFunc(c.found, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return c.found, nil
}

// modeFolder is the mode of a tree in another one.
const modeFolder = "040000"

// folder compares two folders; empty: there is none.
func (c *comparing) folder(ctx context.Context, dir, before, after string) error {
	b, err := c.entries(ctx, before)
	if err != nil {
		return err
	}
	a, err := c.entries(ctx, after)
	if err != nil {
		return err
	}
	for name, is := range a {
		if err := c.entry(ctx, dir+name, b[name], is); err != nil {
			return err
		}
	}
	for name, was := range b {
		if _, both := a[name]; !both {
			if err := c.entry(ctx, dir+name, was, File{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *comparing) entry(ctx context.Context, p string, was, is File) error {
	if was == is || !c.wanted(p) {
		return nil
	}
	from, to := "", ""
	if was.Mode == modeFolder {
		from, was = was.ID, File{}
	}
	if is.Mode == modeFolder {
		to, is = is.ID, File{}
	}
	if from != to {
		if err := c.folder(ctx, p+"/", from, to); err != nil {
			return err
		}
	}
	if was == is {
		return nil
	}
	if c.size += len(p) + 4*c.length + 20; c.size > maxOutput {
		return &Error{Verb: "cat-file", Status: -1, Kind: ErrTooMuch}
	}
	c.found = append(c.found, Difference{Path: p, Before: was, After: is})
	return nil
}

// entries are those of a folder, by name.
func (c *comparing) entries(ctx context.Context, tree string) (map[string]File, error) {
	if tree == "" {
		return nil, nil
	}
	if time.Now().After(c.late) {
		return nil, &Error{Verb: "cat-file", Status: -1, Kind: ErrTime}
	}
	text, err := c.read(ctx, tree)
	all := map[string]File{}
	for err == nil && len(text) > 0 {
		head, rest, _ := bytes.Cut(text, []byte{0})
		mode, name, ok := strings.Cut(string(head), " ")
		n, bad := strconv.ParseUint(mode, 8, 32)
		if !ok || bad != nil || len(rest) < c.length {
			return nil, fmt.Errorf("%w: a folder that can't be read", ErrDamaged)
		}
		all[name] = File{modeOf(n), hex.EncodeToString(rest[:c.length])}
		text = rest[c.length:]
	}
	return all, err
}

// modeOf is a mode as git says it.
func modeOf(n uint64) string {
	switch n & 0o170000 {
	case 0o040000:
		return modeFolder
	case 0o120000:
		return ModeLink
	case 0o100000:
		if n&0o100 != 0 {
			return ModeProgram
		}
		return ModeFile
	}
	return ModeModule
}

// maxTree is the size of a folder, as git keeps it, that is still read, in bytes.
const maxTree = maxOutput

// tree reads one tree for a comparison.
func (s *Store) tree(ctx context.Context, name string) ([]byte, error) {
	says, text, err := s.object(ctx, name, maxTree)
	switch {
	case err != nil:
	case len(says) != 3 || says[1] != "tree":
		err = fmt.Errorf("%w: %.80q where a folder should be", ErrDamaged, strings.Join(says, " "))
	case text == nil:
		err = &Error{Verb: "cat-file", Status: -1, Kind: ErrTooMuch}
	}
	return text, err
}

// compare compares two commits or trees by names alone, inside the folder or outside of it.
func (s *Store) compare(ctx context.Context, before, after string, outside bool) ([]Difference, error) {
	top := strings.TrimSuffix(s.repo.Prefix, "/")
	diff, err := compareTrees(ctx, s.tree, s.idLength(), before, after, func(p string) bool {
		if outside {
			return p != top
		}
		return top == "" || p == top || strings.HasPrefix(p, s.repo.Prefix) || strings.HasPrefix(s.repo.Prefix, p+"/")
	})
	if err != nil {
		return nil, s.failed(ctx, err)
	}
	if !outside && top != "" { // a file where a folder of the way is
		diff = slices.DeleteFunc(diff, func(d Difference) bool { return d.Path != top && !strings.HasPrefix(d.Path, s.repo.Prefix) })
	}
	return diff, nil
}
