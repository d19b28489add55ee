package git

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// attributesFile is the name of the files in a work tree that give files attributes.
const attributesFile = ".gitattributes"

// mentions reports whether some file that gives attributes to any of some files has a word. Where
// that can't be told it may.
func (s *Store) mentions(paths []string, words ...string) bool {
	if runtime.GOOS == "windows" { // who knows where git is installed
		return true
	}
	has := func(file string) bool {
		if !filepath.IsAbs(file) { // of another user's home, or nobody knows whose
			return true
		}
		fi, err := os.Stat(file)
		if os.IsNotExist(err) {
			return false
		}
		if err != nil || !fi.Mode().IsRegular() || fi.Size() > 1<<20 {
			return true
		}
		text, err := os.ReadFile(file)
		for _, w := range words {
			if err != nil || strings.Contains(string(text), w) {
				return true
			}
		}
		return false
	}
	for _, file := range s.wideAttributes() {
		if has(file) {
			return true
		}
	}
	seen := map[string]bool{}
	for _, p := range paths {
		for dir := p; dir != "."; {
			if dir = path.Dir(dir); seen[dir] {
				break
			}
			seen[dir] = true
			if has(s.repo.Abs(path.Join(dir, attributesFile))) {
				return true
			}
		}
	}
	return false
}

// Converts reports whether git may give some files other line ends than the repository has. Where it
// writes LF by itself only one attribute says otherwise.
func (s *Store) Converts(paths []string) bool {
	return s.setting("core.autocrlf") == "true" || s.writesCRLF() || s.attributes || s.mentions(paths, "eol=crlf")
}

// writesCRLF reports whether texts get CRLF in the work tree where their attributes leave that open.
func (s *Store) writesCRLF() bool {
	switch auto, eol := s.setting("core.autocrlf"), s.setting("core.eol"); {
	case auto == "true":
		return true
	case auto == "input" || eol == "lf":
		return false
	default:
		return eol == "crlf" || runtime.GOOS == "windows"
	}
}

// Ends is whether git gives a new file CRLF at its line ends.
type Ends int

// The ends.
const (
	AsTheyAre Ends = iota
	CRLF
	CRLFInText // unless it has a zero byte, or a CR already
)

// LineEnds returns how git would write files, by their attributes and the user's settings. A file
// that is missing there is written as it is.
func (s *Store) LineEnds(ctx context.Context, paths []string) (map[string]Ends, error) {
	out, err := s.git(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "check-attr", "-z", "--stdin", "text", "eol")
	if err != nil {
		return nil, err
	}
	text, eol := map[string]string{}, map[string]string{}
	f := strings.Split(string(out), "\x00")
	for i := 0; i+2 < len(f); i += 3 {
		if f[i+1] == "text" {
			text[f[i]] = f[i+2]
		} else {
			eol[f[i]] = f[i+2]
		}
	}
	all := map[string]Ends{}
	for _, p := range paths {
		switch {
		case text[p] == "unset" || eol[p] == "lf" || eol[p] != "crlf" && !s.writesCRLF():
		case text[p] == "auto", text[p] == "unspecified" && eol[p] != "crlf" && s.setting("core.autocrlf") == "true":
			all[p] = CRLFInText
		case text[p] == "set" || eol[p] == "crlf":
			all[p] = CRLF
		}
	}
	return all, nil
}

// wideAttributes are the files that give attributes to files of the whole repository.
func (s *Store) wideAttributes() []string {
	files := []string{"/etc/gitattributes", "/usr/local/etc/gitattributes", "/opt/homebrew/etc/gitattributes", filepath.Join(s.dir, "info", "attributes")}
	home, err := os.UserHomeDir()
	if own := s.repo.wider["core.attributesfile"]; own != "" {
		if rest, ok := strings.CutPrefix(own, "~/"); ok {
			own = filepath.Join(home, rest)
		}
		return append(files, own)
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if err == nil {
		config = cmp.Or(config, filepath.Join(home, ".config"))
	}
	return append(files, filepath.Join(config, "git", "attributes"))
}

// WithCRLF gives a text CRLF at its line ends, as git does.
func WithCRLF(text []byte, how Ends) []byte {
	if text == nil || how == AsTheyAre || how == CRLFInText && bytes.ContainsAny(text, "\x00\r") {
		return text
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}
