package rank

import (
	"kist/index/page"
	"kist/index/store"

	"kist/index/bm25"
)

// explainWords notes what the files wanted have of the query's words, and their best sections, where
// they were ranked by these.
func (e *explainer) explainWords(wanted map[int32]bool) error {
	var entries, sections []uint32
	var files []int32 // of the sections
	for i, ref := range e.View.Refs {
		if wanted[ref.File] && e.Snapshot.Counts(uint32(i)) {
			entries = append(entries, uint32(i))
		}
	}
	for file := range wanted {
		if r, ok := e.trace.placed[file]; ok {
			files, sections = append(files, file), append(sections, r.entry)
		}
	}
	parts, err := e.recount(entries, e.ofEntry)
	if err != nil {
		return err
	}
	e.words = map[int32]TextPart{}
	first := map[int32]int32{}
	for i, part := range parts {
		ref := e.View.Refs[entries[i]]
		if old := e.words[ref.File]; part.Score > old.Score || part.Score == old.Score && part.Score > 0 && ref.Ordinal < first[ref.File] {
			e.words[ref.File], first[ref.File] = part, ref.Ordinal
		}
	}
	p, err := newPlacing(e.Search, sections)
	if err != nil {
		return err
	}
	parts, err = e.recount(sections, func(l store.Occurrences, of int, o store.Posting, fn func(FieldPart)) {
		p.each(l, of, o, func(section int, part FieldPart) {
			if section == e.trace.placed[files[of]].at.Section() {
				fn(part)
			}
		})
	})
	for i, part := range parts {
		all := e.words[files[i]]
		all.Score += part.Score
		all.Section = part.Words
		e.words[files[i]] = all
	}
	return err
}

// ofEntry calls fn with what a posting says of an entry.
func (e *explainer) ofEntry(l store.Occurrences, _ int, o store.Posting, fn func(FieldPart)) {
	p := FieldPart{Field: l.Field.Name(), Term: l.Term, Count: int(o.Frequency()), Length: o.Length(), Average: e.average[l.Field], Weight: weights[l.Field]}
	p.Freq = p.Weight * bm25.TF(float64(p.Count), p.Length, p.Average)
	fn(p)
}

// recount scores some entries, or sections of them, by the query's groups, with all that the scores
// are made of; tell calls its argument with what a posting says of one. It is
// the ranking's formula once more, written to be read: that one adds up millions of
// postings and keeps nothing of them.
func (e *explainer) recount(entries []uint32, tell func(l store.Occurrences, of int, o store.Posting, fn func(FieldPart))) ([]TextPart, error) {
	among := map[uint64][]store.Candidate{}
	err := e.Snapshot.Candidates(entries, func(seg store.Segment, all []store.Candidate) error {
		among[seg.First] = all
		return nil
	})
	sums := make([]TextPart, len(entries))
	for _, g := range e.trace.groups {
		best := make([]TextPart, len(entries)) // of the group's ways
		for _, w := range g.ways {
			found := make([]TextPart, len(entries))
			for n, t := range w.found {
				fields := make([][]FieldPart, len(entries))
				for _, h := range t.lists {
					for _, l := range h.Lists {
						if err == nil {
							err = l.Among(e.Snapshot.Room, among[h.First], located(l.Field), func(c store.Candidate, o store.Posting) {
								tell(l, c.Of, o, func(p FieldPart) { fields[c.Of] = addPart(fields[c.Of], p) })
							})
						}
					}
				}
				for i := range found {
					if len(fields[i]) > 0 && len(found[i].Words) == n { // else it lacks an earlier term
						p := newWordPart(g.shown(w.words[n]), t, fields[i])
						found[i].Score += p.Score
						found[i].Words = append(found[i].Words, p)
					}
				}
			}
			for i, part := range found {
				if len(part.Words) == len(w.terms) && part.Score > best[i].Score {
					best[i] = part
				}
			}
		}
		for i, part := range best {
			sums[i].Score += part.Score
			sums[i].Words = append(sums[i].Words, part.Words...)
		}
	}
	return sums, err
}

// addPart adds what is known of a term in a field to what was before, which may be of the same.
func addPart(all []FieldPart, p FieldPart) []FieldPart {
	if n := len(all) - 1; n >= 0 && all[n].Field == p.Field && all[n].Term == p.Term {
		all[n].Count += p.Count
		all[n].Freq += p.Freq
		return all
	}
	return append(all, p)
}

// located reports whether sections of a field are told by locations.
func located(f page.Field) bool { return f == page.FieldHeadings || f == page.FieldBody }

func newWordPart(word string, t foundTerm, fields []FieldPart) WordPart {
	p := WordPart{Word: word, Documents: t.files, IDF: t.idf, Fields: fields}
	for _, f := range fields {
		p.Freq += f.Freq
	}
	p.Score = bm25.Saturated(p.IDF, p.Freq)
	for i := range fields {
		fields[i].Score = p.Score * fields[i].Freq / p.Freq
	}
	return p
}
