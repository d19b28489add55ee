package rank

import (
	"bytes"
	"context"
	"kist/index/match"
	"kist/index/page"
	"kist/index/parallel"

	"kist/index/bm25"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// scanTime is how long files are read to find words that the index leaves out: some
// thousand files of a small laptop.
const scanTime = 300 * time.Millisecond

// scanEnough is how many files that have it are enough of a single word, which says
// nothing and is in nearly all of them. Of several the phrase is looked for: it may be
// in the oldest file.
const scanEnough = 500

// A scanned file is what a scan finds in one.
type scanned struct {
	ranked
	counts []int // by word
	length int   // in bytes
	phrase bool  // it has the words as they stand in the query
}

// scan looks in the files for a query that says nothing to the index, such as "to be
// or not to be": the newest first, as long as scanTime allows. Files with all words
// come before those with some only, and those with the phrase before either.
func (s *Search) scan(ctx context.Context, accept func(file int32) bool) ([]ranked, error) {
	files, err := s.everything()
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(r ranked) bool { return !accept(r.file) })
	if len(files) > MaxRead {
		files, s.Cut = top(files, MaxRead, s.View.Paths), true
	} else {
		inOrder(files, s.View.Paths)
	}
	var words []match.Phrase
	for _, w := range s.stops {
		if p := match.NewPhrase(w); len(p) > 0 && !slices.ContainsFunc(words, func(o match.Phrase) bool { return slices.EqualFunc(o, p, bytes.Equal) }) {
			words = append(words, p)
		}
	}
	whole := match.NewPhrase(strings.Join(s.stops, " "))
	s.matcher.Phrases = append(words, whole)
	deadline := time.Now().Add(scanTime)
	found := make([]*scanned, len(files))
	var having, left atomic.Int64
	parallel.Do(ctx, len(files), func(i int) {
		if len(words) == 1 && having.Load() >= scanEnough || time.Now().After(deadline) {
			left.Add(1)
			return
		}
		if found[i] = s.scanFile(ctx, files[i], words, whole); found[i] != nil {
			having.Add(1)
		}
	})
	s.Cut = s.Cut || left.Load() > 0
	found = slices.DeleteFunc(found, func(f *scanned) bool { return f == nil })
	if len(words) == 1 {
		found = found[:min(len(found), scanEnough)] // whoever was how fast
	}
	return scoreScanned(found, len(words)), ctx.Err()
}

func (s *Search) scanFile(ctx context.Context, r ranked, words []match.Phrase, whole match.Phrase) *scanned {
	release, err := s.hold(ctx, s.View.Paths[r.file])
	if err != nil {
		return nil
	}
	defer release()
	text, _, err := s.Desk.Files.Source.ReadHead(s.View.Paths[r.file], page.MaxFile)
	if err != nil {
		return nil // one that can't be read is no hit
	}
	ascii := true
	for _, w := range words {
		ascii = ascii && w.ASCII()
	}
	buffer := s.Desk.lower(text, ascii)
	defer putBuffer(&s.Desk.buffers, buffer)
	lower := *buffer
	out := &scanned{ranked: r, counts: make([]int, len(words)), length: len(lower)}
	out.at = page.Nowhere
	any := false
	for i, w := range words {
		for at := 0; out.counts[i] < 1000; out.counts[i]++ { // more say no more
			span, ok := w.Find(lower, at)
			if !ok {
				break
			}
			at, any = span.End, true
		}
	}
	if !any {
		return nil
	}
	out.phrase = len(whole) > 1 && whole.In(lower)
	return out
}

// scoreScanned is BM25 over what was scanned; only files that have all of n words
// count where there are any.
func scoreScanned(all []*scanned, n int) []ranked {
	complete := func(f *scanned) bool { return !slices.Contains(f.counts, 0) }
	if slices.ContainsFunc(all, complete) {
		all = slices.DeleteFunc(all, func(f *scanned) bool { return !complete(f) })
	}
	length := 0
	having := make([]float64, n)
	for _, f := range all {
		length += f.length
		for i, c := range f.counts {
			if c > 0 {
				having[i]++
			}
		}
	}
	average := max(1, float64(length)/float64(max(1, len(all))))
	var out []ranked
	for _, f := range all {
		score := 0.0
		for i, c := range f.counts {
			tf := bm25.TF(float64(c), float64(f.length), average)
			score += bm25.Saturated(bm25.IDF(having[i], float64(len(all))), tf)
		}
		if f.phrase {
			score += 10 * float64(n)
		}
		f.score, f.time = float32(score), 0
		out = append(out, f.ranked)
	}
	return out
}
