package page

import (
	"sort"

	"google.golang.org/protobuf/proto"
)

// A Picker takes the items of a list one by one, in any order, and keeps those of one page:
// it costs a look at each item, and nothing is sorted but the page.
type Picker[T any] struct {
	req   Request
	usual int
	most  int    // items that are kept: a page, and the one that says there are more
	last  string // key of the last item of the page before
	key   func(T) string
	items []T
	heap  []keyed // of items, those that come later above those that come sooner
}

type keyed struct { // small, as it is moved about
	key string
	at  int
}

// Pick begins a page, ordered by keys as that of [Of]. It returns ErrToken.
func Pick[T any](req Request, usual int, key func(T) string) (*Picker[T], error) {
	last, err := last(req)
	if err != nil {
		return nil, err
	}
	return &Picker[T]{req: req, usual: usual, most: size(req, usual) + 1, last: last, key: key}, nil
}

// Add takes an item.
func (p *Picker[T]) Add(item T) {
	key := p.key(item)
	switch {
	case p.last != "" && key <= p.last:
	case len(p.heap) < p.most:
		p.heap, p.items = append(p.heap, keyed{key, len(p.items)}), append(p.items, item)
		if len(p.heap) == p.most {
			for i := p.most / 2; i >= 0; i-- {
				p.sift(i)
			}
		}
	case key < p.heap[0].key:
		p.heap[0].key, p.items[p.heap[0].at] = key, item
		p.sift(0)
	}
}

// sift lets an item sink below those that come later.
func (p *Picker[T]) sift(i int) {
	for {
		child := 2*i + 1
		if child >= len(p.heap) {
			return
		}
		if child+1 < len(p.heap) && p.heap[child+1].key > p.heap[child].key {
			child++
		}
		if p.heap[i].key >= p.heap[child].key {
			return
		}
		p.heap[i], p.heap[child] = p.heap[child], p.heap[i]
		i = child
	}
}

// Cut returns the messages of the page, and the token of the next one.
func Cut[T any, M proto.Message](p *Picker[T], message func(T) M) ([]M, string, error) {
	sort.Slice(p.heap, func(i, j int) bool { return p.heap[i].key < p.heap[j].key })
	list, end := cut(p.req, p.usual, p.heap, func(k keyed) M { return message(p.items[k.at]) })
	if end < 0 {
		return list, "", nil
	}
	return list, token(p.req, p.heap[end].key), nil
}
