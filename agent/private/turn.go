package private

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kist/agent/language"
	"kist/vault"
	"kist/vault/conversation"
)

// Turns returns what reports whether a turn of a conversation was about something private: its
// project, what was read for it or what it changed, or one of the private projects by its
// name. The projects' names are looked up once, when they are first needed.
func (s *Sight) Turns(ctx context.Context) func(conversation.Turn) bool {
	names := sync.OnceValue(s.Names)
	return func(past conversation.Turn) bool { return s.turn(ctx, past, names(), start()) }
}

func (s *Sight) turn(ctx context.Context, past conversation.Turn, names []string, t trail) bool {
	cited := func(source string) bool { return s.hides(fileOf(source), t) }
	if s.Project(past.Project) || slices.ContainsFunc(past.Context, cited) || len(names) > 0 && slices.ContainsFunc(names, Naming(past.User+"\n"+past.Reply)) {
		return true
	}
	return slices.ContainsFunc(past.Operations, func(id string) bool {
		return slices.ContainsFunc(s.touched(ctx, id), func(p string) bool { return s.hides(path.Clean(p), t) })
	})
}

// touched are the paths that an operation is about; none of one that can't be read. Those of
// one that was carried out don't change any more, and are remembered.
func (s *Sight) touched(ctx context.Context, id string) []string {
	set := s.now()
	set.mu.Lock()
	paths, ok := set.touched[id]
	set.mu.Unlock()
	if ok {
		return paths
	}
	op, err := vault.Described(ctx, s.vault, id)
	if err != nil {
		return nil
	}
	paths = Touched(op)
	if op.Status == vault.StatusCompleted {
		set.mu.Lock()
		defer set.mu.Unlock()
		if len(set.touched) >= maxKnown {
			clear(set.touched)
		}
		set.touched[id] = paths
	}
	return paths
}

// told: a file of a conversation has a turn about something private. What can't be followed
// to its end may have.
func (s *Sight) told(p string, t trail) bool {
	if t.seen[p] {
		return false // what it holds is being found out
	}
	t.seen[p] = true
	turns, err := conversation.Turns(s.vault, p)
	if err != nil || t.depth == maxCited {
		return err == nil || !errors.Is(err, vault.ErrNotFound)
	}
	t.depth++
	names := s.Names()
	return slices.ContainsFunc(turns, func(past conversation.Turn) bool { return s.turn(context.Background(), past, names, t) })
}

// Names are those of the private projects.
func (s *Sight) Names() (out []string) {
	slugs, err := s.vault.ProjectSlugs()
	if err != nil {
		return nil
	}
	for _, slug := range slugs {
		if !s.Project(slug) {
			continue
		}
		out = append(out, slug)
		if doc, err := s.vault.Document(s.vault.ProjectPath(slug)); err == nil {
			if front, err := doc.FrontMatter(); err == nil && front != nil && front.String("name") != "" {
				out = append(out, front.String("name"))
			}
			if _, ok := s.vault.Place(slug); ok && doc.Title() != "" {
				out = append(out, doc.Title())
			}
		}
	}
	return out
}

// Touched are the paths that an operation is about.
func Touched(op vault.Operation) []string {
	paths := []string{op.Entity.Path}
	for _, c := range op.Changes {
		paths = append(paths, c.Path)
		if c.From != "" {
			paths = append(paths, c.From)
		}
	}
	return paths
}

// Source is Hides for what is named as path or path:line.
func (s *Sight) Source(source string) bool { return source != "" && s.Hides(fileOf(source)) }

func fileOf(source string) string {
	if i := strings.LastIndexByte(source, ':'); i >= 0 {
		if _, err := strconv.Atoi(source[i+1:]); err == nil {
			return source[:i]
		}
	}
	return source
}

// Naming returns what reports whether a text has all the words of a name, one after the
// other, in whatever case.
func Naming(text string) func(name string) bool {
	toks := language.Words(text)
	return func(name string) bool {
		words := language.Words(name)
		for i := range toks {
			if n := len(words); n > 0 && i+n <= len(toks) && slices.EqualFunc(words, toks[i:i+n], func(a, b language.Token) bool { return a.Norm == b.Norm }) {
				return true
			}
		}
		return false
	}
}
