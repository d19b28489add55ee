package linear

import "math"

// A Sequence is tokens in order: what each shows, by which keys the tag before it may
// matter, and, to learn from, its tag.
type Sequence struct {
	Features [][]uint32 // of each token, without doubles
	Keys     [][]uint32 // of each token: paired with the tag before it
	Tags     []string
}

// May says which tag may follow another; before the first token stands "".
type May func(before, tag string) bool

// follows is the feature of a key behind a tag.
func follows(before string, key uint32) uint32 {
	h := uint32(2166136261)
	for i := range len(before) {
		h = (h ^ uint32(before[i])) * 16777619
	}
	return (h^key)*16777619 ^ key>>7
}

// Tag gives each token the tag that makes the best row of all that may be (Viterbi). It
// returns nil where none may.
func (m *Model) Tag(s Sequence, may May) []string {
	row := decode(s, m.Classes, may, m.sum)
	if row == nil {
		return nil
	}
	tags := make([]string, len(row))
	for i, k := range row {
		tags[i] = m.Classes[k]
	}
	return tags
}

// sum adds the weights of features to the scores of classes.
func (m *Model) sum(features []uint32, scores []float64) {
	for _, f := range features {
		for at, end := m.row(f); at < end; at++ {
			scores[m.class[at]] += m.values[uint8(m.weight[at])]
		}
	}
}

// decode finds the best row of classes.
func decode(s Sequence, classes []string, may May, sum func([]uint32, []float64)) []int {
	n, k := len(s.Features), len(classes)
	best, back := make([]float64, k), make([][]int, n)
	local, moved, next := make([]float64, k), make([]float64, k), make([]float64, k)
	paired := make([]uint32, 0, 8)
	for i := range n {
		clear(local)
		sum(s.Features[i], local)
		back[i] = make([]int, k)
		for c := range next {
			next[c], back[i][c] = math.Inf(-1), -1
		}
		for b := range k {
			before := ""
			if i > 0 {
				before = classes[b]
			}
			if i == 0 && b > 0 || math.IsInf(best[b], -1) {
				continue
			}
			paired = paired[:0]
			for _, key := range s.Keys[i] {
				paired = append(paired, follows(before, key))
			}
			clear(moved)
			sum(paired, moved)
			for c := range k {
				if v := best[b] + local[c] + moved[c]; v > next[c] && may(before, classes[c]) {
					next[c], back[i][c] = v, b
				}
			}
		}
		best, next = next, best
	}
	if n == 0 {
		return []int{}
	}
	last := -1
	for c := range k {
		if !math.IsInf(best[c], -1) && (last < 0 || best[c] > best[last]) {
			last = c
		}
	}
	if last < 0 {
		return nil
	}
	row := make([]int, n)
	for i := n - 1; i >= 0; i-- {
		row[i] = last
		last = back[i][last]
	}
	return row
}

// TrainSequences learns a tagger (averaged structured perceptron). may holds for each
// sequence by its number. Rate and Decay aren't used.
func TrainSequences(all []Sequence, may func(i int) May, o Options) *Model {
	var examples []Example
	for _, s := range all {
		for i, f := range s.Features {
			before := ""
			if i > 0 {
				before = s.Tags[i-1]
			}
			shown := append([]uint32(nil), f...)
			for _, key := range s.Keys[i] {
				shown = append(shown, follows(before, key))
			}
			examples = append(examples, Example{shown, s.Tags[i]})
		}
	}
	p := &perceptron{trainer: newTrainer(examples, o), column: map[uint32]int32{}}
	for c, f := range p.features {
		p.column[f] = int32(c)
	}
	p.last = make([]int32, len(p.weights))
	p.order = p.order[:0]
	for i := range all {
		p.order = append(p.order, i)
	}
	for range o.Rounds {
		p.random.Shuffle(len(p.order), func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
		for _, i := range p.order {
			p.learn(all[i], may(i))
		}
	}
	return p.averaged()
}

// A perceptron corrects the weights after each sequence that it tags wrongly.
type perceptron struct {
	*trainer
	column map[uint32]int32
	last   []int32 // the step in which each weight was last added to the sums
	steps  int32
}

func (p *perceptron) learn(s Sequence, may May) {
	p.steps++
	row := decode(s, p.classes, may, p.score)
	before, guessed := "", ""
	for i, want := range s.Tags {
		got := ""
		if row != nil {
			got = p.classes[row[i]]
		}
		if got != want {
			p.move(s.Features[i], want, 1)
			p.move(s.Features[i], got, -1)
		}
		if got != want || before != guessed {
			p.move(pairs(before, s.Keys[i]), want, 1)
			p.move(pairs(guessed, s.Keys[i]), got, -1)
		}
		before, guessed = want, got
	}
}

func pairs(before string, keys []uint32) []uint32 {
	out := make([]uint32, len(keys))
	for i, key := range keys {
		out[i] = follows(before, key)
	}
	return out
}

func (p *perceptron) score(features []uint32, scores []float64) {
	for _, f := range features {
		if c, ok := p.column[f]; ok {
			for k, w := range p.weights[int(c)*len(scores) : (int(c)+1)*len(scores)] {
				scores[k] += float64(w)
			}
		}
	}
}

// move adds to the weights of features for a class.
func (p *perceptron) move(features []uint32, class string, by float32) {
	k := -1
	for i, c := range p.classes {
		if c == class {
			k = i
		}
	}
	if k < 0 {
		return
	}
	for _, f := range features {
		c, ok := p.column[f]
		if !ok {
			continue
		}
		at := int(c)*len(p.classes) + k
		p.sums[at] += float64(p.steps-p.last[at]) * float64(p.weights[at])
		p.last[at] = p.steps
		p.weights[at] += by
	}
}

// averaged is the model of the weights' averages over all steps.
func (p *perceptron) averaged() *Model {
	for at, w := range p.weights {
		p.sums[at] += float64(p.steps-p.last[at]+1) * float64(w)
	}
	p.summed = int(p.steps)
	return p.model()
}
