package ignore

import (
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Bounds of what is read. What lies beyond them has no effect: then too much is
// followed, never too little. Real files have 1 to 10 KB.
const (
	MaxFile  = 64 << 10  // bytes of one file
	MaxChain = 128 << 10 // bytes of all files that can matter to one path
	maxGlobs = 4096      // steps of the patterns among them that aren't plain text
)

// litter is what programs leave next to the files that they save and what isn't
// hidden, and their state on one machine. Most of it isn't Markdown and so of no interest anyway.
const litter = `
*~
\#*#
~$*
4913
*.sw[a-p]
*.tmp
*.part
*.partial
*.crdownload
*.sb-????????-??????
*___jb_tmp___
*___jb_old___
~syncthing~*
**/.obsidian/workspace*.json
**/.trash/**
**/.stversions/**
.stignore
.dropbox
**/.dropbox.cache/**
.DS_Store
Thumbs.db
desktop.ini
`

// Names of the files with rules.
const (
	gitName  = ".gitignore"
	kistName = ".kistignore"
	exclude  = ".git/info/exclude"
)

// Files are the names of the files with rules that a folder may have, in the order in
// which they are read.
var Files = []string{gitName, kistName}

// Rules are the rules of one vault.
type Rules struct {
	read   func(path string) ([]byte, error)
	litter []rule

	mu      sync.RWMutex
	folders map[string]*folder // by path; "" is the root
}

// A folder is what is known of one. It never changes.
type folder struct {
	parent  *folder // nil: it is the root
	start   int     // where, in a path, what is relative to this folder begins
	rules   []rule
	ignored bool // the folder and all below
	size    int  // bytes of rules up to here
	steps   int  // of their patterns
}

// New returns the rules of a vault whose files are read by read: it gets a path
// relative to the vault's root, with forward slashes, and need not return more
// than MaxFile+1 bytes. A file that can't be read has no rules. Nothing is read
// before it is needed.
func New(read func(path string) ([]byte, error)) *Rules {
	return &Rules{read: read, litter: parse([]byte(litter)), folders: map[string]*folder{}}
}

// IsRules reports whether path names a file of rules, so that a change of it
// calls for [Rules.Forget].
func IsRules(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return name == gitName || name == kistName
}

// Forget makes the rules be read anew.
func (r *Rules) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.folders)
}

// Match reports whether a path (relative to the root, with forward slashes) is
// ignored; dir says that it is a folder.
func (r *Rules) Match(path string, dir bool) bool {
	if path == "" || path == "." {
		return false
	}
	parent := ""
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		parent = path[:i]
	}
	return r.match(r.folder(parent), path, dir)
}

func (r *Rules) match(f *folder, path string, dir bool) bool {
	if f.ignored {
		return true
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	for ; f != nil; f = f.parent {
		if ignored, ok := last(f.rules, path[f.start:], name, dir); ok {
			return ignored
		}
	}
	ignored, _ := last(r.litter, path, name, dir)
	return ignored && !dir
}

// last returns what the last rule that matches says, if there is one.
func last(rules []rule, path, name string, dir bool) (ignored, ok bool) {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].match(path, name, dir) {
			return !rules[i].include, true
		}
	}
	return false, false
}

// Listed tells what the folder at dir holds, as it was listed when a change of it could
// no longer go unheard: where no rules are, they needn't be looked for. In a tree as deep
// as paths can be, each look costs as much as a thousand elsewhere.
func (r *Rules) Listed(dir string, entries []fs.DirEntry) {
	rules := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return slices.Contains(Files, e.Name()) })
	if dir != "" && !rules {
		r.know(dir, func(*folder) {})
	}
}

// folder returns what is known of the folder at path, and reads it if nothing is.
func (r *Rules) folder(path string) *folder {
	return r.know(path, func(f *folder) {
		dir := path
		if path == "" {
			r.load(f, exclude)
		} else {
			dir += "/"
		}
		for _, name := range Files {
			r.load(f, dir+name)
		}
	})
}

// know is folder with the way to read the rules.
func (r *Rules) know(path string, read func(*folder)) *folder {
	r.mu.RLock()
	f := r.folders[path]
	r.mu.RUnlock()
	if f != nil {
		return f
	}
	f = &folder{}
	if path != "" {
		above := ""
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			above = path[:i]
		}
		f.parent = r.folder(above)
		f.start, f.size, f.steps = len(path)+1, f.parent.size, f.parent.steps
		// What lies in an ignored folder has no say, and may be much.
		f.ignored = r.match(f.parent, path, true)
	}
	if !f.ignored {
		read(f)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.folders[path] = f
	return f
}

func (r *Rules) load(f *folder, path string) {
	text, err := r.read(path)
	if err != nil {
		return
	}
	room := min(MaxFile, MaxChain-f.size)
	if len(text) > room {
		// A rule that was cut in two could mean anything: stop at a whole line.
		end := strings.LastIndexByte(string(text[:room]), '\n')
		text = text[:end+1]
	}
	f.size += len(text)
	for _, rule := range parse(text) {
		if f.steps+len(rule.glob) <= maxGlobs {
			f.steps += len(rule.glob)
			f.rules = append(f.rules, rule)
		}
	}
}
