package relation

import (
	"bytes"
	"context"
	"kist/index/parallel"
	"kist/index/rank"
	"sort"

	"kist/index/page"

	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"kist/index/match"
	"kist/vault/canvas"
	"kist/vault/link"
	"kist/vault/markdown"
)

// minMention is the length in letters of the shortest name that counts as one
// where it isn't linked.
const minMention = 3

// Backlinks are the documents that have to do with one of them.
type Backlinks struct {
	Links         []rank.Hit // that link to it, by path: the line of the first link
	Mentions      []rank.Hit // that have its name or an alias in their text and don't link to it, best first
	TotalLinks    int
	TotalMentions int
	Partial       bool // there are more candidates than are looked at
	Freshness     rank.Freshness
}

// FindBacklinks finds the documents that link to a target, and those that mention it; again makes
// a search for a phrase, which is closed here.
func FindBacklinks(ctx context.Context, in *rank.Search, target *page.File, again func(phrase string) (*rank.Search, error)) (*Backlinks, error) {
	s, out := relations{in}, &Backlinks{}
	t := s.newTarget(target)
	linking, err := s.linking(ctx, t)
	if err != nil {
		return nil, err
	}
	out.TotalLinks = len(linking)
	for _, l := range linking[:min(len(linking), s.Limit)] {
		out.Links = append(out.Links, l.hit())
	}
	linked := map[string]bool{target.Path: true}
	for _, l := range linking {
		linked[l.file.Path] = true
	}
	out.Partial = s.Cut
	return out, mentions(ctx, out, t, linked, s.Limit, again)
}

// A linkTarget is a document that links are looked for to.
type linkTarget struct {
	path  string
	keys  []string            // that links to it have
	files map[string][]string // by key, the documents that have it as their name
	names []string            // that it may be mentioned by
}

func (s relations) newTarget(f *page.File) linkTarget {
	t := linkTarget{path: f.Path, files: map[string][]string{}}
	base := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	for _, name := range append([]string{base, f.Title}, f.Aliases...) {
		key := page.LinkKey(name)
		if key == "" || slices.Contains(t.keys, key) || len(t.keys) == page.MaxNames {
			continue
		}
		t.keys = append(t.keys, key)
		if utf8.RuneCountInString(name) >= minMention && (name != base || !f.CommonName(base)) {
			t.names = append(t.names, name)
		}
	}
	s.Desk.Lock.Lock()
	defer s.Desk.Lock.Unlock()
	for p := range s.Manifest.Files {
		if key := page.LinkKey(p); slices.Contains(t.keys, key) {
			t.files[key] = append(t.files[key], p)
		}
	}
	for _, list := range t.files {
		slices.SortFunc(list, link.Nearer)
	}
	return t
}

// Files implements [link.Names].
func (t linkTarget) Files(key string) []string { return t.files[key] }

// Called implements [link.Names].
func (t linkTarget) Called(name string) []string {
	if slices.Contains(t.keys, name) { // an alias or a title
		return []string{t.path}
	}
	return nil
}

// meant finds the document that a link means, which is kept without its kind.
func meant(names link.Names, name, from string) string {
	l := markdown.Link{Kind: markdown.WikiLink, Name: name}
	if strings.HasSuffix(strings.ToLower(name), ".md") {
		l.Kind = markdown.MarkdownLink
	}
	return link.Resolve(names, l, from).Path
}

// A linkingFile has a link.
type linkingFile struct {
	file *page.File
	link string
}

// linking returns the files that link to the target, by path.
func (s relations) linking(ctx context.Context, t linkTarget) ([]linkingFile, error) {
	set := map[int32]bool{}
	for _, key := range t.keys {
		err := s.Snapshot.FilesWith(s.View, page.FieldLink, key, func(file int32) { set[file] = true })
		if err != nil {
			return nil, err
		}
	}
	var paths []string
	for file := range set {
		if p := s.View.Paths[file]; p != t.path {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	if len(paths) > rank.MaxRead {
		paths, s.Cut = paths[:rank.MaxRead], true
	}
	found := make([]linkingFile, len(paths))
	parallel.Do(ctx, len(paths), func(i int) {
		release, err := s.Desk.Files.HoldPath(ctx, paths[i])
		if err != nil {
			return
		}
		defer release()
		f, err := s.Desk.Files.Reader().Read(paths[i])
		if err != nil || f.Text == nil {
			return
		}
		if link, ok := linkTo(f, t); ok {
			found[i] = linkingFile{f, link}
		}
	})
	return slices.DeleteFunc(found, func(l linkingFile) bool { return l.file == nil }), ctx.Err()
}

// linkTo returns the first link of a file that means the target.
func linkTo(f *page.File, t linkTarget) (string, bool) {
	for _, name := range markdown.Parse(f.Text).Links() {
		if slices.Contains(t.keys, page.LinkKey(name)) && meant(t, name, f.Path) == t.path {
			return name, true
		}
	}
	return "", false
}

// hit makes a result of a link: the line that it is in.
func (l linkingFile) hit() rank.Hit {
	f := l.file
	h := rank.Hit{Path: f.Path, Line: 1, Project: f.Project, Title: match.Plain(f.Title), Type: f.Kind, Tags: f.Tags, HeadOnly: f.HeadOnly}
	at := f.LocateLink(l.link)
	h.Heading = match.Plain(strings.Join(f.SectionAt(at).Headings, " > "))
	h.Line = page.LineAt(f.Text, at)
	line := f.Text[at : at+page.LineEnd(f.Text[at:])]
	begin := 0
	if i := bytes.Index(line, []byte(l.link)); i > match.ExcerptBytes-match.LeadBytes {
		begin = match.WordStart(line, i-match.LeadBytes, i)
	}
	_, text := match.Window(line, begin)
	h.Excerpt = match.Plain(string(text))
	if i := strings.Index(h.Excerpt, l.link); i >= 0 {
		h.Highlights = []rank.Span{{Start: i, End: i + len(l.link)}}
	}
	return h
}

// mentions finds the documents with one of the target's names that don't link to it.
func mentions(ctx context.Context, out *Backlinks, t linkTarget, linked map[string]bool, limit int, again func(phrase string) (*rank.Search, error)) error {
	for _, name := range t.names {
		s, err := again(name)
		if err != nil {
			return err
		}
		s.Skip = func(path string) bool { return linked[path] || canvas.Is(path) } // whose links aren't known
		res, err := s.Run(ctx)
		s.Close()
		if err != nil {
			return err
		}
		for _, h := range res.Hits {
			linked[h.Path] = true // don't count it for another name
		}
		out.Mentions = append(out.Mentions, res.Hits...)
		out.TotalMentions += res.Total
		out.Partial = out.Partial || res.Partial
	}
	sort.SliceStable(out.Mentions, func(i, j int) bool { return out.Mentions[j].Score < out.Mentions[i].Score })
	out.Mentions = out.Mentions[:min(limit, len(out.Mentions))]
	return nil
}
