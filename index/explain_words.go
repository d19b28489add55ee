package index

import (
	"math"

	bleve "github.com/blevesearch/bleve_index_api"
)

// A counted term is what the wanted files' entries have of it.
type counted struct {
	documents int
	idf       float64
	fields    map[entryRef][]FieldPart
}

// recount scores some files by the groups, with all that the scores are made of. It is
// the ranking's formula once more, written to be read: that one adds up millions of
// postings and keeps nothing of them.
func (s *search) recount(groups []group, files map[int32]bool) (map[int32]TextPart, error) {
	sections := map[entryRef]TextPart{}
	for _, g := range groups {
		best := map[entryRef]TextPart{} // of the group's ways
		for _, w := range g.ways {
			found, err := s.recountWay(g, w, files)
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
		old, ok := out[ref.file]
		if !ok || part.Score > old.Score || part.Score == old.Score && ref.ordinal < first[ref.file] {
			out[ref.file], first[ref.file] = part, ref.ordinal
		}
	}
	return out, nil
}

// recountWay scores the entries that have all terms of a way.
func (s *search) recountWay(g group, w way, files map[int32]bool) (map[entryRef]TextPart, error) {
	out := map[entryRef]TextPart{}
	for i, alternatives := range w.terms {
		c, err := s.count(alternatives, g.fields, files)
		if err != nil {
			return nil, err
		}
		word := w.words[i]
		if g.prefix != "" {
			word += "*"
		}
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
	p.Score = p.IDF * p.Freq * (bm25K1 + 1) / (p.Freq + bm25K1)
	for i := range fields {
		fields[i].Score = p.Score * fields[i].Freq / p.Freq
	}
	return p
}

// count finds the alternatives of a term in the files wanted, and in how many files
// at all.
func (s *search) count(alternatives []string, set fieldSet, files map[int32]bool) (counted, error) {
	c := counted{fields: map[entryRef][]FieldPart{}}
	seen := make([]bool, len(s.view.paths))
	for _, term := range alternatives {
		for f := range numFields {
			if !set.has(f) {
				continue
			}
			err := scored(s.snapshot, f.name(), []byte(term), func(d *bleve.TermFieldDoc) error {
				ref := s.view.refs[d.ID.Value()]
				if !seen[ref.file] {
					seen[ref.file] = true
					c.documents++
				}
				if !files[ref.file] {
					return nil
				}
				p := FieldPart{Field: f.name(), Term: term, Count: int(d.Freq), Length: math.Round(1 / (d.Norm * d.Norm)), Average: s.average[f], Weight: weights[f]}
				p.Freq = p.Weight * float64(p.Count) / (1 - bm25B + bm25B*p.Length/p.Average)
				c.fields[ref] = append(c.fields[ref], p)
				return nil
			})
			if err != nil {
				return c, err
			}
		}
	}
	n := float64(c.documents)
	c.idf = max(1e-6, math.Log(1+(float64(s.documents)-n+0.5)/(n+0.5)))
	return c, nil
}
