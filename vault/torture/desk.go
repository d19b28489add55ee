package torture

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A desk is an editor's files and what it expects to find in them. Editors that
// share a file leave their expectations beside the vault and take turns.
type desk struct {
	dir, side string
	expect    map[string][]string
}

func (d desk) path(file string) string { return filepath.Join(d.dir, filepath.FromSlash(file)) }

func (d desk) note(file string) string { return filepath.Join(d.side, stem(file)) }

// take begins a turn; false: somebody else has it.
func (d desk) take(file string, shared bool) bool {
	if !shared {
		return true
	}
	lock, err := os.OpenFile(d.note(file)+".lock", os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return false
	}
	lock.Close()
	d.expect[file] = readNote(d.note(file))
	return true
}

// give ends a turn.
func (d desk) give(file string, shared bool) {
	if !shared {
		return
	}
	writeNote(d.note(file), d.expect[file])
	delete(d.expect, file)
	if err := os.Remove(d.note(file) + ".lock"); err != nil {
		panic(err)
	}
}

// forget drops expectations that came true elsewhere.
func (d desk) forget(found map[string][]string) {
	for file, markers := range found {
		d.expect[file] = slices.DeleteFunc(d.expect[file], func(m string) bool { return slices.Contains(markers, m) })
	}
}

func readNote(p string) []string {
	text, err := os.ReadFile(p)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err)
	}
	var out []string
	for line := range bytes.Lines(text) {
		out = append(out, string(bytes.TrimSuffix(line, []byte("\n"))))
	}
	return out
}

func writeNote(p string, lines []string) {
	var b bytes.Buffer
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	if err := os.WriteFile(p, b.Bytes(), 0o666); err != nil {
		panic(err)
	}
}
