package rank

import (
	"kist/index/page"
	"kist/index/store"

	"kist/index/bm25"
)

// A counted term is what the wanted files' entries have of it.
type counted struct {
	documents int
	idf       float64
	fields    map[store.EntryRef][]FieldPart
}

// recountSections adds to the scores of files what their best sections make of them, where
// they were ranked by these.
func (e *explainer) recountSections(groups []group, of map[int32]TextPart) error {
	var files []int32
	var entries []uint32
	for file := range of {
		if r, ok := e.trace.placed[file]; ok {
			files, entries = append(files, file), append(entries, r.entry)
		}
	}
	p, err := newPlacing(e.Search, entries)
	if err != nil {
		return err
	}
	for _, g := range groups {
		best := make([]TextPart, len(files)) // of the group's ways
		for _, w := range g.ways {
			found, err := p.recountWay(g, w, files)
			if err != nil {
				return err
			}
			for i, part := range found {
				if part.Score > best[i].Score {
					best[i] = part
				}
			}
		}
		for i, file := range files {
			part := of[file]
			part.Score += best[i].Score
			part.Section = append(part.Section, best[i].Words...)
			of[file] = part
		}
	}
	return nil
}

// recountWay scores the sections that files were ranked by, as far as they have all terms of
// a way.
func (p *placing) recountWay(g group, w way, files []int32) ([]TextPart, error) {
	out := make([]TextPart, len(files))
	for n, t := range w.found {
		fields := make([][]FieldPart, len(files))
		for _, h := range t.lists {
			for _, l := range h.Lists {
				err := l.Among(p.Snapshot.Room, p.among[h.First], true, func(c store.Candidate, o store.Posting) {
					p.each(l, c.Of, o, func(section int, part FieldPart) {
						if section != p.trace.placed[files[c.Of]].at.Section() {
							return
						}
						if last := len(fields[c.Of]) - 1; last >= 0 && fields[c.Of][last].Field == part.Field && fields[c.Of][last].Term == part.Term {
							fields[c.Of][last].Count += part.Count
							fields[c.Of][last].Freq += part.Freq
							return
						}
						fields[c.Of] = append(fields[c.Of], part)
					})
				})
				if err != nil {
					return nil, err
				}
			}
		}
		for i := range out {
			if len(fields[i]) > 0 && len(out[i].Words) == n {
				part := newWordPart(g.shown(w.words[n]), counted{documents: t.files, idf: t.idf}, fields[i])
				out[i].Score += part.Score
				out[i].Words = append(out[i].Words, part)
			}
		}
	}
	for i := range out {
		if len(out[i].Words) != len(w.terms) {
			out[i] = TextPart{}
		}
	}
	return out, nil
}

// recount scores some files by the groups, with all that the scores are made of. It is
// the ranking's formula once more, written to be read: that one adds up millions of
// postings and keeps nothing of them.
func (e *explainer) recount(groups []group, files map[int32]bool) (map[int32]TextPart, error) {
	sections := map[store.EntryRef]TextPart{}
	for _, g := range groups {
		best := map[store.EntryRef]TextPart{} // of the group's ways
		for _, w := range g.ways {
			found, err := e.recountWay(g, w, files)
			if err != nil {
				return nil, err
			}
			for ref, part := range found {
				if old, ok := best[ref]; !ok || part.Score > old.Score {
					best[ref] = part
				}
			}
		}
		for ref, part := range best {
			sum := sections[ref]
			sum.Score += part.Score
			sum.Words = append(sum.Words, part.Words...)
			sections[ref] = sum
		}
	}
	out := map[int32]TextPart{}
	first := map[int32]int32{}
	for ref, part := range sections {
		old, ok := out[ref.File]
		if !ok || part.Score > old.Score || part.Score == old.Score && ref.Ordinal < first[ref.File] {
			out[ref.File], first[ref.File] = part, ref.Ordinal
		}
	}
	return out, nil
}

// recountWay scores the entries that have all terms of a way.
func (e *explainer) recountWay(g group, w way, files map[int32]bool) (map[store.EntryRef]TextPart, error) {
	out := map[store.EntryRef]TextPart{}
	for i, alternatives := range w.terms {
		c, err := e.count(alternatives, g.fields, files)
		if err != nil {
			return nil, err
		}
		word := g.shown(w.words[i])
		for ref, fields := range c.fields {
			part, ok := out[ref]
			if i > 0 && (!ok || len(part.Words) != i) {
				continue // lacks an earlier term
			}
			p := newWordPart(word, c, fields)
			part.Score += p.Score
			part.Words = append(part.Words, p)
			out[ref] = part
		}
	}
	for ref, part := range out {
		if len(part.Words) != len(w.terms) {
			delete(out, ref)
		}
	}
	return out, nil
}

func newWordPart(word string, c counted, fields []FieldPart) WordPart {
	p := WordPart{Word: word, Documents: c.documents, IDF: c.idf, Fields: fields}
	for _, f := range fields {
		p.Freq += f.Freq
	}
	p.Score = bm25.Saturated(p.IDF, p.Freq)
	for i := range fields {
		fields[i].Score = p.Score * fields[i].Freq / p.Freq
	}
	return p
}

// count finds the alternatives of a term in the files wanted, and in how many files
// at all.
func (s *Search) count(alternatives []string, set page.Fields, files map[int32]bool) (counted, error) {
	c := counted{fields: map[store.EntryRef][]FieldPart{}}
	seen := make([]bool, len(s.View.Paths))
	for _, term := range alternatives {
		for f := range page.NumFields {
			if !set.Has(f) {
				continue
			}
			err := s.Snapshot.Scored(s.View, f, term, func(ref store.EntryRef, n int, length float64) {
				if !seen[ref.File] {
					seen[ref.File] = true
					c.documents++
				}
				if !files[ref.File] {
					return
				}
				p := FieldPart{Field: f.Name(), Term: term, Count: n, Length: length, Average: s.average[f], Weight: weights[f]}
				p.Freq = p.Weight * bm25.TF(float64(p.Count), p.Length, p.Average)
				c.fields[ref] = append(c.fields[ref], p)
			})
			if err != nil {
				return c, err
			}
		}
	}
	c.idf = s.idf(c.documents)
	return c, nil
}
