package git

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

// A treeReader reads trees by their names: what git keeps of them, in its own form.
type treeReader func(name string) ([]byte, error)

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
func compareTrees(read treeReader, length int, before, after string, wanted func(p string) bool) ([]Difference, error) {
	c := &comparing{read: read, length: length / 2, wanted: wanted, late: time.Now().Add(maxComparing)}
	if err := c.folder("", before+"^{tree}", after+"^{tree}"); err != nil {
		return nil, err
	}
	sort.Slice(c.found, func(i, j int) bool { return c.found[i].Path < c.found[j].Path })
	return c.found, nil
}

// A comparison may take so long, and find so much, in bytes.
const (
	maxComparing = 2 * time.Minute
	maxFound     = 256 << 20
)

// modeFolder is the mode of a tree in another one.
const modeFolder = "040000"

// folder compares two folders; empty: there is none.
func (c *comparing) folder(dir, before, after string) error {
	b, err := c.entries(before)
	if err != nil {
		return err
	}
	a, err := c.entries(after)
	if err != nil {
		return err
	}
	for name, is := range a {
		if err := c.entry(dir+name, b[name], is); err != nil {
			return err
		}
	}
	for name, was := range b {
		if _, both := a[name]; !both {
			if err := c.entry(dir+name, was, File{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *comparing) entry(p string, was, is File) error {
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
		if err := c.folder(p+"/", from, to); err != nil {
			return err
		}
	}
	if was == is {
		return nil
	}
	if c.size += len(p) + 4*c.length + 20; c.size > maxFound {
		return &Error{Verb: "cat-file", Status: -1, Kind: ErrTooMuch}
	}
	c.found = append(c.found, Difference{Path: p, Before: was, After: is})
	return nil
}

// entries are those of a folder, by name.
func (c *comparing) entries(tree string) (map[string]File, error) {
	if tree == "" {
		return nil, nil
	}
	if time.Now().After(c.late) {
		return nil, &Error{Verb: "cat-file", Status: -1, Kind: ErrTime}
	}
	text, err := c.read(tree)
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
