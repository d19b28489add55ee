/*
Package private knows what of a vault is kept from models that aren't on this machine: what
lies in folders, bears tags (a canvas: on one of its cards) or belongs to projects that the machine's
settings name, and what says so itself, by "private: true" in its front matter. A project whose document is private
is so with all that is in its folder.

It decides by what stands in the files now. What can't be read is private.
*/
package private

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"kist/vault"
	"kist/vault/canvas"
	"kist/vault/disk"
	"kist/vault/documents"
	"kist/vault/markdown"
)

// Marks are those of this machine's settings.
type Marks struct {
	Folders  []string // paths in the vault, with all below
	Tags     []string // in front matter or text, with those below: "a" is "a/b" too
	Projects []string // slugs
}

// DefaultTag is private unless the settings name other tags.
const DefaultTag = "private"

// Words names the marks: folders end in a slash, tags begin with #, the others are projects.
func (m Marks) Words() (out []string) {
	for _, f := range m.Folders {
		out = append(out, path.Clean(f)+"/")
	}
	for _, t := range m.Tags {
		out = append(out, "#"+strings.Trim(t, "#/ "))
	}
	return append(out, m.Projects...)
}

// Check refuses marks that can mean nothing.
func (m Marks) Check() error {
	for _, f := range m.Folders {
		if c := path.Clean(f); c == "." || path.IsAbs(c) || strings.HasPrefix(c, "..") || strings.Contains(c, `\`) {
			return fmt.Errorf("private.folders: %q is no folder of a vault, such as journal or notes/health", f)
		}
	}
	for _, t := range m.Tags {
		if strings.Trim(t, "#/ ") == "" {
			return fmt.Errorf("private.tags: %q is no tag", t)
		}
	}
	for _, p := range m.Projects {
		if !documents.IsSlug(p) {
			return fmt.Errorf("private.projects: %q is no project's folder", p)
		}
	}
	return nil
}

// Sight tells what is private in a vault. Its methods may be called concurrently.
type Sight struct {
	vault *vault.Vault
	marks func() *Marks

	mu  sync.Mutex
	set *settled
}

// settled are marks as they are compared, and what was found by them.
type settled struct {
	Marks
	of      *Marks
	mu      sync.Mutex
	known   map[string]seen
	touched map[string][]string // the paths of what was carried out, by the operation
}

// seen is what was found in a file as it was then.
type seen struct {
	info vault.Info
	is   bool
}

// maxKnown bounds what is remembered.
const maxKnown = 50_000

// New returns what is private in a vault by the marks, which may change: what another pointer
// says counts from then on.
func New(v *vault.Vault, marks func() *Marks) *Sight { return &Sight{vault: v, marks: marks} }

// Fixed is for marks that don't change.
func Fixed(m Marks) func() *Marks { return func() *Marks { return &m } }

// now are the marks that count.
func (s *Sight) now() *settled {
	m := s.marks()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set != nil && s.set.of == m {
		return s.set
	}
	s.set = &settled{of: m, known: map[string]seen{}, touched: map[string][]string{}}
	for _, f := range m.Folders {
		s.set.Folders = append(s.set.Folders, path.Clean(f))
	}
	for _, t := range m.Tags {
		s.set.Tags = append(s.set.Tags, strings.Trim(t, "#/ "))
	}
	s.set.Projects = m.Projects
	return s.set
}

// Hides reports whether a document, or a folder of them, is private, by its path. A document
// that isn't there is so by its place alone; one of what was said is where a turn in it is.
func (s *Sight) Hides(p string) bool { return s.hides(path.Clean(p), start()) }

// maxCited is how far conversations that cite, or changed, conversations are followed.
const maxCited = 3

// A trail is the way along which conversations lead to each other. Each is looked into once:
// one may lead to itself.
type trail struct {
	depth int
	seen  map[string]bool
}

func start() trail { return trail{seen: map[string]bool{}} }

func (s *Sight) hides(p string, t trail) bool {
	if slices.ContainsFunc(s.now().Folders, func(f string) bool { return within(p, f) }) {
		return true
	}
	if slug := s.vault.ProjectOf(path.Join(p, "x")); slug != "" && s.Project(slug) {
		return true
	}
	if !disk.IsMarkdown(p) && !canvas.Is(p) {
		return false
	}
	return s.says(p) || s.vault.TypeOf(p) == "conversation" && s.told(p, t)
}

// Project reports whether a project is private.
func (s *Sight) Project(slug string) bool {
	// A project may be marked by its name too, of which its folder is made.
	own := func(name string) bool { return strings.EqualFold(name, slug) || vault.Slug(name) == slug }
	if slug == "" {
		return false
	}
	doc, marks := s.vault.ProjectPath(slug), s.now()
	return slices.ContainsFunc(marks.Projects, own) || slices.ContainsFunc(marks.Folders, func(f string) bool { return within(path.Dir(doc), f) }) || s.says(doc)
}

// within: case is no difference, since it is none on some machines.
func within(p, folder string) bool {
	return strings.EqualFold(p, folder) || len(p) > len(folder) && p[len(folder)] == '/' && strings.EqualFold(p[:len(folder)], folder)
}

// says: a document's own text makes it private.
func (s *Sight) says(p string) bool {
	info, err := s.vault.Stat(p)
	if err != nil {
		return !errors.Is(err, vault.ErrNotFound)
	}
	set := s.now()
	set.mu.Lock()
	k, ok := set.known[p]
	set.mu.Unlock()
	if ok && k.info == info {
		return k.is
	}
	text, err := s.vault.Read(p)
	is := err != nil
	if canvas.Is(p) && !is {
		text = canvas.Text(text)
		is = bytes.IndexByte(text, 0) >= 0 || slices.ContainsFunc(canvas.Cards(text), func(c canvas.Card) bool {
			return set.marked(markdown.Parse(bytes.TrimSpace(canvas.Lines(text[c.Start:c.End]))))
		})
	} else if !is {
		is = set.marked(markdown.Parse(text))
	}
	set.mu.Lock()
	defer set.mu.Unlock()
	if len(set.known) >= maxKnown {
		clear(set.known)
	}
	set.known[p] = seen{info, is}
	return is
}

func (s *settled) marked(d *markdown.Document) bool {
	front, err := d.FrontMatter()
	if err != nil {
		return true // who knows what it says
	}
	if front != nil {
		said := func(v string) bool {
			return !slices.Contains([]string{"", "false", "no", "off", "null", "~"}, strings.ToLower(strings.TrimSpace(v)))
		}
		if slices.ContainsFunc(front.Strings("private"), said) {
			return true
		}
	}
	return slices.ContainsFunc(d.Tags(), func(tag string) bool {
		return slices.ContainsFunc(s.Tags, func(mark string) bool { return within(strings.Trim(tag, "#/"), mark) })
	})
}
