package rank

import (
	"cmp"
	"container/heap"
	"kist/index/page"
	"slices"
	"strings"
)

// A ranked file has its best entry, and once it is [search.place]d its best section.
type ranked struct {
	file  int32
	at    page.Place
	entry uint32 // bleve's number of the entry
	score float32
	time  int64 // orders what has equal scores, such as a listing
	last  bool  // it comes after all others; see hindmost
}

// byRank orders by what comes last in any case, by score, then newest first, then by path.
func byRank(paths []string) func(a, b ranked) int {
	return func(a, b ranked) int {
		if a.last != b.last {
			if a.last {
				return 1
			}
			return -1
		}
		if a.score != b.score { // as a rule, and looking up paths takes time
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Or(cmp.Compare(b.time, a.time), strings.Compare(paths[a.file], paths[b.file]))
	}
}

// top returns the n best, in order.
func top(all []ranked, n int, paths []string) []ranked {
	n = min(n, len(all))
	if n == 0 {
		return nil
	}
	h := &worstFirst{items: slices.Clone(all[:n]), order: byRank(paths)}
	if n < len(all) {
		heap.Init(h)
	}
	for _, r := range all[n:] {
		worst := &h.items[0]
		if r.score < worst.score && (r.last || !worst.last) {
			continue // most are so
		}
		if h.order(r, *worst) < 0 {
			h.items[0] = r
			heap.Fix(h, 0)
		}
	}
	slices.SortFunc(h.items, h.order)
	return h.items
}

// worstFirst is a heap of the best so far.
type worstFirst struct {
	items []ranked
	order func(a, b ranked) int
}

func (h *worstFirst) Len() int           { return len(h.items) }
func (h *worstFirst) Less(i, j int) bool { return h.order(h.items[i], h.items[j]) > 0 }
func (h *worstFirst) Swap(i, j int)      { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *worstFirst) Push(any)           { panic("not used") }
func (h *worstFirst) Pop() any           { panic("not used") }

// fuse adds up the scores of both lists, each brought to 0 to 1; near counts by weight,
// text by what is left of 1. text is the best of
// all that was found; what comes after keeps its order.
func fuse(all, text, near []ranked, weight float32) []ranked {
	at := make(map[int32]int, len(all)+len(near))
	out := make([]ranked, 0, len(all)+len(near))
	for i, r := range all {
		at[r.file] = i
		r.score = tail(r.score)
		out = append(out, r)
	}
	for _, r := range text {
		out[at[r.file]].score += (1 - weight) * scaled(r, text)
	}
	for _, r := range near {
		part := weight * scaled(r, near)
		if i, ok := at[r.file]; ok {
			out[i].score += part
			continue
		}
		r.score = part
		out = append(out, r)
	}
	return out
}

// tail is a score that orders what got no other, and is nothing beside any other.
func tail(score float32) float32 { return 1e-6 * score / (1 + score) }

// scaled is where a score lies between the worst of its list and the best; one alone
// is the best.
func scaled(r ranked, list []ranked) float32 {
	best, worst := list[0].score, list[len(list)-1].score
	if best <= worst {
		return 1
	}
	return (r.score - worst) / (best - worst)
}
