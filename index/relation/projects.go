package relation

import (
	"cmp"
	"context"
	"kist/index/parallel"

	"fmt"
	"kist/index/page"

	"path"
	"slices"
	"strings"

	"kist/index/alike"
	"kist/index/bm25"
	"kist/index/match"
	"kist/index/rank"
	"kist/index/vector"
	"kist/vault"
)

const (
	// maxRelatedRead is how many documents of projects are compared, each project's
	// first; they are read, which takes about 50 µs each.
	maxRelatedRead = 2000

	// How much links and shared tags alone can make of a score of at most 1.
	linksWeight = 0.6
	tagsWeight  = 0.4
	// minRelated is what a reason is worth at least: a tag that most projects have is
	// none.
	minRelated = 0.1

	maxReasons = 3 // of a kind that are told
)

// RelatedProjects are the projects that have to do with one.
type RelatedProjects struct {
	Projects  []RelatedProject // best first
	Total     int
	Partial   bool // the vault's projects have more documents than are compared
	Freshness rank.Freshness
}

// A RelatedProject says why it is one. The three parts from 0 to 1 make the score as
// independent evidence does (noisy-or): 1 - (1-Content)(1-0.6 Links)(1-0.4 Tags).
type RelatedProject struct {
	Slug, Path, Name string
	Score            float64

	Content float64    // cosine of what their documents are about; 0 below the floor of [Index.Similar]
	Alike   []LikePair // the documents that are most alike, at most 3, best first

	Links      float64 // n/(n+1) for n links between their documents
	TotalLinks int
	LinkPairs  []LinkPair // at most 3, by path

	Tags   float64  // w/(w+1) for the sum w of the idf of the tags they share
	Shared []string // the rarest first
}

// A LikePair is a document of the project asked for and one of the other, with their
// cosine.
type LikePair struct {
	Ours, Theirs string
	Cosine       float64
}

// A LinkPair is two documents of which the first links to the second.
type LinkPair struct{ From, To string }

// relations are what goes out from a document or a project.
type relations struct{ *rank.Search }

// FindProjects finds the projects that have to do with one.
func FindProjects(ctx context.Context, in *rank.Search, slug string) (*RelatedProjects, error) {
	s, out := relations{in}, &RelatedProjects{}
	var all []*projectText
	all, out.Partial = s.projects()
	if !slices.ContainsFunc(all, func(p *projectText) bool { return p.slug == slug }) {
		return nil, fmt.Errorf("%w: no document of project %s is in the index", vault.ErrNotFound, slug)
	}
	if err := s.readProjects(ctx, all); err != nil {
		return nil, err
	}
	out.Projects = s.relate(all, slug)
	out.Total = len(out.Projects)
	out.Projects = out.Projects[:min(s.Limit, out.Total)]
	return out, nil
}

// A projectText is what is compared of one project.
type projectText struct {
	slug, path, name string
	documents        []*projectDocument
	content          []float32    // the mean of the documents' vectors
	terms            alike.Vector // where there are no vectors
	tags             []string
}

// A projectDocument is one document of a project.
type projectDocument struct {
	path   string
	names  []string // keys of what it may be linked by
	links  []string
	tags   []string
	counts map[string]int // of terms, where there are no vectors
	vector []float32
	terms  alike.Vector
}

// projects are those that the index holds, by slug, with the documents to compare.
func (s relations) projects() (all []*projectText, partial bool) {
	documents, total := map[string][]string{}, 0
	s.Desk.Lock.Lock()
	for p := range s.Manifest.Files {
		if slug := s.Desk.Files.Vault.ProjectOf(p); slug != "" {
			documents[slug] = append(documents[slug], p)
			total++
		}
	}
	s.Desk.Lock.Unlock()
	each := total
	if total > maxRelatedRead {
		each = max(1, maxRelatedRead/len(documents))
	}
	for slug, paths := range documents {
		// The project's own file first, then by path.
		slices.SortFunc(paths, func(a, b string) int {
			return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
		})
		if len(paths) > each {
			paths, partial = paths[:each], true
		}
		p := &projectText{slug: slug, path: paths[0], name: slug}
		for _, path := range paths {
			p.documents = append(p.documents, &projectDocument{path: path})
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *projectText) int { return strings.Compare(a.slug, b.slug) })
	return all, partial
}

// readProjects reads all their documents. One that can't be read counts as empty.
func (s relations) readProjects(ctx context.Context, all []*projectText) error {
	var documents []*projectDocument
	for _, p := range all {
		documents = append(documents, p.documents...)
	}
	titles := make([]string, len(documents))
	parallel.Do(ctx, len(documents), func(i int) {
		d := documents[i]
		release, err := s.Desk.Files.HoldPath(ctx, d.path)
		if err != nil {
			return
		}
		defer release()
		if f, err := s.Desk.Files.Reader().Read(d.path); err == nil && f.Text != nil {
			titles[i] = match.Plain(f.Title)
			s.describe(d, f, s.Vectors == nil)
		}
		d.vector = s.DocumentVector(d.path)
	})
	at := 0
	for _, p := range all {
		if s.Desk.Files.Vault.TypeOf(p.path) == "project" && titles[at] != "" {
			p.name = titles[at]
		}
		at += len(p.documents)
		p.sum()
	}
	if s.Vectors == nil {
		weighProjects(all)
	}
	return ctx.Err()
}

// describe notes what of a file is compared.
func (s relations) describe(d *projectDocument, f *page.File, words bool) {
	d.tags, d.links = f.Tags, f.LinksOut()
	base := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	for _, name := range append([]string{f.Title}, f.Aliases...) {
		if key := page.LinkKey(name); key != "" && name != base && len(d.names) < page.MaxNames {
			d.names = append(d.names, key)
		}
	}
	if words {
		d.counts = rank.CountTerms(s.Desk.Files, f)
	}
}

// sum makes a project's vector and tags of its documents'.
func (p *projectText) sum() {
	for _, d := range p.documents {
		if p.content == nil && d.vector != nil {
			p.content = make([]float32, len(d.vector))
		}
		for i, x := range d.vector {
			p.content[i] += x
		}
		p.tags = append(p.tags, d.tags...)
	}
	p.content = vector.Unit(p.content)
	slices.Sort(p.tags)
	p.tags = slices.Compact(p.tags)
}

// weighProjects makes term vectors of projects and their documents. A word weighs the
// more, the fewer projects have it: headings that all of them have say nothing.
func weighProjects(all []*projectText) {
	sums := make([]map[string]int, len(all))
	having := map[string]int{}
	for i, p := range all {
		sums[i] = map[string]int{}
		for _, d := range p.documents {
			for term, n := range d.counts {
				if sums[i][term] == 0 {
					having[term]++
				}
				sums[i][term] += n
			}
		}
	}
	weight := func(term string) float64 { return rarity(having[term], len(all)) }
	for i, p := range all {
		p.terms = alike.New(sums[i], weight)
		for _, d := range p.documents {
			d.terms, d.counts = alike.New(d.counts, weight), nil
		}
	}
}

// rarity is BM25's idf: what n of all have weighs so much.
func rarity(n, all int) float64 { return bm25.IDF(float64(n), float64(all)) }
