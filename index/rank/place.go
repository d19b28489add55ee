package rank

import (
	"context"
	"kist/index/page"
	"kist/index/store"

	"kist/index/bm25"
	"kist/index/query"
	"kist/index/section"
)

// placed is how many of the best files are ranked by their best sections as well, at
// least: what comes after them has the lower scores that files have alone.
const placed = 64

// A placing works out the scores of some entries' sections. Its slices have an element for
// each section of each entry.
type placing struct {
	*Search
	among   map[uint64][]store.Candidate // by the number of their segment's first entry
	tables  []section.Table
	first   []int // of each entry's sections
	total   []float32
	best    []float32 // of a group's ways
	sum     []float32 // of a way's terms
	matched []uint8   // terms of the way that were found
	tf      []float32 // of the term at hand
}

// place adds the score of its best section to each of the best files, which stay where they
// are in found.
func (s *Search) place(ctx context.Context, groups []group, found []ranked) error {
	n := max(placed, s.Limit+50)
	if s.mode != query.Text {
		n = max(n, fused)
	}
	if len(found) == 0 || len(groups) == 0 {
		return nil
	}
	best := top(found, n, s.View.Paths)
	worst := best[len(best)-1].score
	at := make(map[int32]int, len(best))
	for i, r := range best {
		at[r.file] = i
	}
	entries, where := make([]uint32, len(best)), make([]int, len(best))
	for i, r := range found {
		if r.score < worst || r.at == page.Nowhere {
			continue
		}
		if j, ok := at[r.file]; ok {
			entries[j], where[j] = r.entry, i
		}
	}
	if best[0].at == page.Nowhere {
		return nil // the files were read, and have no entries
	}
	p, err := newPlacing(s, entries)
	if err == nil {
		err = p.sumUp(ctx, groups)
	}
	if err != nil {
		return err
	}
	for j, i := range where {
		r := &found[i]
		section, score := p.bestOf(j)
		r.at = page.PlaceOf(r.at.Entry(), section)
		r.score += score
		s.trace.place(*r)
	}
	return nil
}

// newPlacing reads the tables of entries.
func newPlacing(s *Search, entries []uint32) (*placing, error) {
	p := &placing{Search: s, among: map[uint64][]store.Candidate{}, tables: make([]section.Table, len(entries)), first: make([]int, len(entries))}
	n := 0
	err := s.Snapshot.Candidates(entries, func(seg store.Segment, among []store.Candidate) error {
		p.among[seg.First] = among
		for _, c := range among {
			table, err := seg.Table(c.Number)
			if err != nil {
				return err
			}
			if len(table) == 0 {
				table = section.Table{{}} // a file without text
			}
			p.tables[c.Of], p.first[c.Of] = table, n
			n += len(table)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.total, p.best, p.sum, p.tf = make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	p.matched = make([]uint8, n)
	return p, nil
}

// sumUp adds up the groups' scores as [scorer.add] does.
func (p *placing) sumUp(ctx context.Context, groups []group) error {
	for _, g := range groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, w := range g.ways {
			if err := p.addWay(w); err != nil {
				return err
			}
			for i, n := range p.matched {
				if int(n) == len(w.terms) {
					p.best[i] = max(p.best[i], p.sum[i])
				}
			}
			clear(p.matched)
			clear(p.sum)
		}
		for i, score := range p.best {
			p.total[i] += score
		}
		clear(p.best)
	}
	return nil
}

func (p *placing) addWay(w way) error {
	for i, t := range w.found {
		for _, h := range t.lists {
			for _, l := range h.Lists {
				err := l.Among(p.Snapshot.Room, p.among[h.First], located(l.Field), func(c store.Candidate, o store.Posting) {
					p.each(l, c.Of, o, func(section int, part FieldPart) { p.tf[p.first[c.Of]+section] += float32(part.Freq) })
				})
				if err != nil {
					return err
				}
			}
		}
		for k, tf := range p.tf {
			if tf > 0 && int(p.matched[k]) == i {
				p.matched[k]++
				p.sum[k] += float32(bm25.Saturated(t.idf, float64(tf)))
			}
		}
		clear(p.tf)
	}
	return nil
}

// each calls fn with the sections of an entry that have a term in a field, for one occurrence
// or for all of them: the title is all sections', the front matter the first one's. Of
// headings only their number counts.
func (p *placing) each(l store.Occurrences, entry int, o store.Posting, fn func(section int, part FieldPart)) {
	table := p.tables[entry]
	part := FieldPart{Field: l.Field.Name(), Term: l.Term, Count: 1, Length: 1, Average: 1, Weight: weights[l.Field]}
	call := func(i int) {
		part.Freq = part.Weight * bm25.TF(float64(part.Count), part.Length, part.Average)
		fn(i, part)
	}
	switch l.Field {
	case page.FieldTitle, page.FieldMeta:
		part.Count, part.Length, part.Average = int(o.Frequency()), o.Length(), p.average[l.Field]
		if l.Field == page.FieldMeta {
			table = table[:1]
		}
		for i := range table {
			call(i)
		}
	case page.FieldHeadings:
		for _, at := range o.Locations() {
			first := section.Of(at.Start())
			for i := first; table.Covers(first, section.Depth(at.End()), i); i++ {
				call(i)
			}
		}
	default:
		for _, at := range o.Locations() {
			i := min(section.Of(at.Start()), len(table)-1)
			part.Length, part.Average = float64(table[i].Words), p.section
			call(i)
		}
	}
}

// bestOf is an entry's best section, the first of equal ones.
func (p *placing) bestOf(entry int) (section int, score float32) {
	first := p.first[entry]
	for i := range p.tables[entry] {
		if t := p.total[first+i]; t > score {
			section, score = i, t
		}
	}
	return section, score
}
