package rank

import (
	"cmp"
	"kist/index/page"
	"slices"
	"sort"
	"strings"
)

// A ranked file has its best entry, and once it is [search.place]d its best section.
type ranked struct {
	file  int32
	at    page.Place
	entry uint32 // bleve's number of the entry
	score float32
	time  int64 // orders what has equal scores, such as a listing
	last  bool  // it comes after all others; see putLast
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
	best, order := slices.Clone(all[:n]), byRank(paths)
	if n < len(all) {
		for i := n/2 - 1; i >= 0; i-- {
			sink(best, i, order)
		}
	}
	for _, r := range all[n:] {
		worst := &best[0]
		if r.score < worst.score && (r.last || !worst.last) {
			continue // most are so
		}
		if order(r, *worst) < 0 {
			best[0] = r
			sink(best, 0, order)
		}
	}
	inOrder(best, paths)
	return best
}

// inOrder sorts by rank, by reflection: an instance of a sort of their own costs the program 8 KB.
func inOrder(all []ranked, paths []string) {
	order := byRank(paths)
	sort.Slice(all, func(i, j int) bool { return order(all[i], all[j]) < 0 })
}

// sink puts one of a heap, in which the worst one is the first, where it belongs.
func sink(heap []ranked, i int, order func(a, b ranked) int) {
	r := heap[i]
	for {
		child := 2*i + 1
		if child+1 < len(heap) && order(heap[child+1], heap[child]) > 0 {
			child++
		}
		if child >= len(heap) || order(heap[child], r) <= 0 {
			break
		}
		heap[i] = heap[child]
		i = child
	}
	heap[i] = r
}

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
