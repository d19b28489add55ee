package git

import (
	"fmt"
	"strings"
)

// The modes of files in a tree.
const (
	ModeFile    = "100644"
	ModeProgram = "100755"
	ModeLink    = "120000"
	ModeModule  = "160000"
)

// A File is an entry of a tree. An empty ID stands for none.
type File struct {
	Mode string
	ID   string // of the blob
}

// A Difference is one file that differs between two trees.
type Difference struct {
	Path   string // in the second tree, or in the first where it is deleted
	From   string // in the first tree, where it was renamed; else empty
	Before File
	After  File
}

// parseRaw reads lines such as ":100644 100644 bcd1234 0123456 M\0file\0".
func parseRaw(out []byte) ([]Difference, error) {
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var all []Difference
	for i := 0; i+1 < len(fields); i += 2 {
		head := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(head) != 5 {
			return nil, fmt.Errorf("git diff-tree: unexpected answer %.80q", fields[i])
		}
		d := Difference{Path: fields[i+1], Before: fileOf(head[0], head[2]), After: fileOf(head[1], head[3])}
		if kind := head[4][0]; kind == 'R' || kind == 'C' {
			if i+2 >= len(fields) {
				return nil, fmt.Errorf("git diff-tree: unexpected end")
			}
			d.From, d.Path = d.Path, fields[i+2]
			i++
		}
		all = append(all, d)
	}
	return all, nil
}

func fileOf(mode, id string) File {
	if strings.Trim(id, "0") == "" {
		return File{}
	}
	return File{mode, id}
}
