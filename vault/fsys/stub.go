package fsys

import (
	"path"
	"strings"
)

// iCloud of older systems removes a file that it keeps elsewhere and leaves a hidden
// one with a name of its own: .note.md.icloud for note.md.
const stubSuffix = ".icloud"

// StubOf returns which hidden file stands for a file that iCloud keeps elsewhere.
func StubOf(p string) string { return path.Join(path.Dir(p), "."+path.Base(p)+stubSuffix) }

// Stubbed returns which file a stub stands for.
func Stubbed(p string) (file string, ok bool) {
	file, ok = strings.CutSuffix(p, stubSuffix)
	if !ok {
		return "", false
	}
	name, dotted := strings.CutPrefix(path.Base(file), ".")
	return path.Join(path.Dir(file), name), dotted && name != ""
}
