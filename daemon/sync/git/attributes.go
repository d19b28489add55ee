package git

import (
	"cmp"
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
