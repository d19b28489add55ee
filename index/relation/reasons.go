package relation

import (
	"cmp"
	"kist/index/page"
	"kist/index/rank"
	"kist/vault/link"
	"slices"
	"sort"
	"strings"
)

// relate compares one of the projects with all others.
func (s relations) relate(all []*projectText, slug string) (related []RelatedProject) {
	us := all[slices.IndexFunc(all, func(p *projectText) bool { return p.slug == slug })]
	links := s.projectLinks(all, us)
	having := map[string]int{}
	for _, p := range all {
		for _, t := range p.tags {
			having[t]++
		}
	}
	for _, p := range all {
		if p == us {
			continue
		}
		r := RelatedProject{Slug: p.slug, Path: p.path, Name: p.name}
		r.Content, r.Alike = s.contents(us, p)
		r.LinkPairs = links[p.slug]
		r.TotalLinks = len(r.LinkPairs)
		r.Links = float64(r.TotalLinks) / float64(r.TotalLinks+1)
		r.LinkPairs = r.LinkPairs[:min(maxReasons, r.TotalLinks)]
		r.Tags, r.Shared = sharedTags(us.tags, p.tags, func(t string) float64 { return rarity(having[t], len(all)) })
		r.Score = 1 - (1-r.Content)*(1-linksWeight*r.Links)*(1-tagsWeight*r.Tags)
		if r.Score >= minRelated {
			related = append(related, r)
		}
	}
	compare := func(a, b RelatedProject) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Slug, b.Slug))
	}
	sort.SliceStable(related, func(i, j int) bool { return compare(related[i], related[j]) < 0 })
	return related
}

// contents is how much two projects are about the same, and by which documents.
func (s relations) contents(us, them *projectText) (float64, []LikePair) {
	floor, content := rank.MinSimilar, rank.Product(us.content, them.content)
	cosine := func(a, b *projectDocument) float64 { return rank.Product(a.vector, b.vector) }
	if s.Vectors == nil {
		floor, content = rank.MinSimilarWords, us.terms.Cosine(them.terms)
		cosine = func(a, b *projectDocument) float64 { return a.terms.Cosine(b.terms) }
	}
	if content < floor {
		return 0, nil
	}
	return content, mostAlike(us.documents, them.documents, floor, cosine)
}

// maxPaired is how many documents of a project are compared one by one, and it is the
// first ones.
const maxPaired = 40

// mostAlike are the documents that are most alike, each once.
func mostAlike(ours, theirs []*projectDocument, floor float64, cosine func(a, b *projectDocument) float64) (best []LikePair) {
	var all []LikePair
	for _, a := range ours[:min(maxPaired, len(ours))] {
		for _, b := range theirs[:min(maxPaired, len(theirs))] {
			if c := cosine(a, b); c >= floor {
				all = append(all, LikePair{a.path, b.path, c})
			}
		}
	}
	compare := func(a, b LikePair) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), strings.Compare(a.Ours, b.Ours), strings.Compare(a.Theirs, b.Theirs))
	}
	sort.SliceStable(all, func(i, j int) bool { return compare(all[i], all[j]) < 0 })
	for _, p := range all {
		if len(best) == maxReasons {
			break
		}
		if !slices.ContainsFunc(best, func(o LikePair) bool { return o.Ours == p.Ours || o.Theirs == p.Theirs }) {
			best = append(best, p)
		}
	}
	return best
}

// sharedTags are the tags that two projects share, the rarest first, and how much
// they say.
func sharedTags(ours, theirs []string, weight func(string) float64) (part float64, shared []string) {
	sum := 0.0
	for _, t := range ours {
		if slices.Contains(theirs, t) {
			shared = append(shared, t)
			sum += weight(t)
		}
	}
	slices.SortStableFunc(shared, func(a, b string) int { return cmp.Compare(weight(b), weight(a)) })
	return sum / (sum + 1), shared
}

// projectLinks are the links between a project's documents and those of others, by
// the others' slug and in order.
func (s relations) projectLinks(all []*projectText, us *projectText) map[string][]LinkPair {
	r := s.newResolver(all)
	found := map[string][]LinkPair{}
	for _, p := range all {
		for _, d := range p.documents {
			for _, name := range d.links {
				to := meant(r, name, d.path)
				other := s.Desk.Files.Vault.ProjectOf(to)
				switch {
				case to == "" || other == p.slug:
					continue
				case p != us && other != us.slug:
					continue
				case p != us:
					other = p.slug
				}
				if pair := (LinkPair{d.path, to}); other != "" && !slices.Contains(found[other], pair) {
					found[other] = append(found[other], pair)
				}
			}
		}
	}
	for _, pairs := range found {
		compare := func(a, b LinkPair) int {
			return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To))
		}
		sort.SliceStable(pairs, func(i, j int) bool { return compare(pairs[i], pairs[j]) < 0 })
	}
	return found
}

// A resolver finds the document that a link means, by the rules of [Index.Backlinks].
type resolver struct {
	files map[string][]string // by the key of their names, the shortest path first
	names map[string]string   // titles and aliases of projects' documents
}

func (s relations) newResolver(all []*projectText) resolver {
	r := resolver{files: map[string][]string{}, names: map[string]string{}}
	s.Desk.Lock.Lock()
	for p := range s.Manifest.Files {
		key := page.LinkKey(p)
		r.files[key] = append(r.files[key], p)
	}
	s.Desk.Lock.Unlock()
	for _, list := range r.files {
		slices.SortFunc(list, link.Nearer)
	}
	for _, p := range all {
		for _, d := range p.documents {
			for _, name := range d.names {
				if _, taken := r.names[name]; !taken {
					r.names[name] = d.path
				}
			}
		}
	}
	return r
}

// Files implements [link.Names].
func (r resolver) Files(key string) []string { return r.files[key] }

// Called implements [link.Names].
func (r resolver) Called(name string) []string {
	if p, ok := r.names[page.LinkKey(name)]; ok {
		return []string{p}
	}
	return nil
}
