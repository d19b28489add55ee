/*
Package names knows which names of files sync may take: [Handled] those that are neither git's nor kist's own, [Same] those that some file systems take for one,
[StaysInside] and [FileAbove] where a path leads on this disk. It changes nothing.
*/
package names

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"kist/vault"
)

// Handled reports whether a file of the vault is one that sync commits and writes: not what
// belongs to git or is this machine's, and nothing that file systems take for another name.
func Handled(p string) bool {
	if p == "" || len(p) > 4096 || !utf8.ValidString(p) || strings.ContainsAny(p, "\\\x00\n\r") || path.Clean(p) != p || path.IsAbs(p) {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		name := plainName(part)
		if part == ".." || len(part) > 255 || name == ".git" || strings.HasPrefix(name, "git~") || name == vault.StateDir || strings.HasPrefix(name, ".kist-") {
			return false
		}
	}
	return true
}

// plainName is what a name may stand for on file systems that ignore case, some code
// points, and what is at its end.
func plainName(name string) string {
	name = strings.Map(func(c rune) rune {
		switch {
		case c >= 0x200b && c <= 0x200f, c >= 0x202a && c <= 0x202e, c >= 0x2060 && c <= 0x206f, c == 0xfeff, c == 0xad:
			return -1
		}
		return c
	}, name)
	name, _, _ = strings.Cut(name, ":") // a stream of NTFS
	return strings.TrimRight(strings.ToLower(name), ". ")
}

// Same is equal for two paths that are one on some file systems: letters of another case, or
// composed in another way.
func Same(p string) string { return strings.ToLower(norm.NFC.String(p)) }

// StaysInside reports whether a link leads to something in the work tree that isn't git's or kist's own, whatever other such links it
// leads through: it goes up only at its beginning, where the folders above it are no links.
func StaysInside(p, target string) bool {
	up := strings.Count(p, "/")
	rest := target
	for strings.HasPrefix(rest, "../") && up > 0 {
		rest, up = strings.TrimPrefix(rest, "../"), up-1
	}
	return Handled(rest)
}

// FileAbove returns the file that stands where a path below top needs a folder; empty: none.
func FileAbove(top, p string) string {
	for at := path.Dir(p); at != "."; at = path.Dir(at) {
		if fi, err := os.Lstat(filepath.Join(top, filepath.FromSlash(at))); err == nil {
			if fi.IsDir() {
				return ""
			}
			return at
		}
	}
	return ""
}
