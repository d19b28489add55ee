package rank

import (
	"context"
	"kist/index/day"
	"kist/index/manifest"
	"kist/index/parallel"
)

// favourRecent returns the best of what was found, in order, with the scores that they
// have when age counts: that of the best fused does. What comes after them stays after
// them, as no score is lowered. What isn't ranked by scores keeps its order. Documents that
// are named are the first.
func (s *Search) favourRecent(ctx context.Context, found []ranked, named map[int32]bool) []ranked {
	most := max(fused, s.Limit+50) // as many as are shown, or more
	best := found
	if s.trace == nil && len(named) == 0 {
		best = contenders(found, s.Limit+spare, s.View.Paths)
	}
	best = top(best, most, s.View.Paths)
	if aged := best[:min(fused, len(best))]; len(aged) > 0 && aged[0].score > 0 {
		s.weighAges(aged, s.unread(ctx, aged))
		inOrder(aged, s.View.Paths)
	}
	best = putNamed(s, named, found, best)
	s.trace.end(found, best)
	return best
}

// spare is how many more than are shown are ranked by their age too, in case files are gone.
const spare = 20

// contenders are those that may be among the first n once age counts.
func contenders(found []ranked, n int, paths []string) []ranked {
	if len(found) <= n {
		return found
	}
	best := top(found, n, paths)
	if best[n-1].last {
		return found
	}
	least := best[n-1].score / (1 + recencyWeight) * 0.999 // less than rounding can add
	best = best[:0]
	for _, r := range found {
		if r.score >= least && !r.last {
			best = append(best, r)
		}
	}
	return best
}

// weighAges multiplies the scores of documents, which are in order, by what their age
// contributes.
func (s *Search) weighAges(best []ranked, unread map[string]manifest.Entry) {
	today := day.NumberOf(s.Desk.Now())
	s.Desk.Lock.Lock()
	defer s.Desk.Lock.Unlock()
	for i := range best {
		r := &best[i]
		if r.score <= 0 { // a cosine, which a factor would lower
			break
		}
		p := recency(s.entry(s.View.Paths[r.file], unread), today)
		r.score = float32(float64(r.score) * p.Factor)
		r.time = int64(len(best) - i) // what becomes equal by rounding keeps its order
		s.trace.age(r.file, p)
	}
}

func (t *trace) age(file int32, p RecencyPart) {
	if t != nil {
		t.ages[file] = p
	}
}

// entry is what is known of a file where it is searched: in the overlay, in what was
// read beside it, or in the index, whose mutex is held.
func (s *Search) entry(path string, unread map[string]manifest.Entry) manifest.Entry {
	if e, ok := s.over.Entry(path); ok {
		return e
	}
	if e, ok := unread[path]; ok {
		return e
	}
	return s.Manifest.Files[path]
}

// unread reads the dates of those files that the overlay knows only by name and time.
// Words are found in such files only where the files themselves are searched.
func (s *Search) unread(ctx context.Context, best []ranked) map[string]manifest.Entry {
	if s.over == nil {
		return nil
	}
	var names []string
	var files []int32
	for _, r := range best {
		if _, ok := s.over.Beside(s.View.Paths[r.file]); ok {
			names, files = append(names, s.View.Paths[r.file]), append(files, r.file)
		}
	}
	entries := make([]manifest.Entry, len(names))
	parallel.Do(ctx, len(names), func(i int) {
		entries[i].Mtime, _ = s.over.Beside(names[i])
		if f, err := s.read(files[i], 0); err == nil {
			entries[i].Revised = f.Revised
		}
	})
	out := make(map[string]manifest.Entry, len(names))
	for i, name := range names {
		out[name] = entries[i]
	}
	return out
}
