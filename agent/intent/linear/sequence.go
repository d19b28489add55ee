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
	paired := make([]uint32, 0, 8)
	row := decode(len(s.Features), newGrammar(m.Classes, may), func(i int, scores []float64) {
		m.sum(s.Features[i], scores)
	}, func(i, before int, scores []float64) {
		paired = paired[:0]
		for _, key := range s.Keys[i] {
			paired = append(paired, follows(classAt(m.Classes, before), key))
		}
		m.sum(paired, scores)
	})
	if row == nil {
		return nil
	}
	tags := make([]string, len(row))
	for i, k := range row {
		tags[i] = m.Classes[k]
	}
	return tags
}

// classAt is the name of a class; before the first token there is none.
func classAt(classes []string, c int) string {
	if c < 0 {
		return ""
	}
	return classes[c]
}

// sum adds the weights of features to the scores of classes.
func (m *Model) sum(features []uint32, scores []float64) {
	for _, f := range features {
		for at, end := m.row(f); at < end; at++ {
			scores[m.class[at]] += m.values[uint8(m.weight[at])]
		}
	}
}

// A grammar holds which classes may follow each; those before the first token stand in
// the first row.
type grammar struct {
	classes int
	next    [][]int
}

func newGrammar(classes []string, may May) grammar {
	g := grammar{len(classes), make([][]int, len(classes)+1)}
	for b := -1; b < len(classes); b++ {
		for c, tag := range classes {
			if may(classAt(classes, b), tag) {
				g.next[b+1] = append(g.next[b+1], c)
			}
		}
	}
	return g
}

// decode finds the best row of classes for n tokens. local adds what a token says of
// each class, moved what it says when a class stands before it (-1 before the first).
func decode(n int, g grammar, local func(i int, scores []float64), moved func(i, before int, scores []float64)) []int {
	k := g.classes
	best, back := make([]float64, k), make([][]int, n)
	here, behind, next := make([]float64, k), make([]float64, k), make([]float64, k)
	for i := range n {
		clear(here)
		local(i, here)
		back[i] = make([]int, k)
		for c := range next {
			next[c], back[i][c] = math.Inf(-1), -1
		}
		step := func(b int, so float64) {
			clear(behind)
			moved(i, b, behind)
			for _, c := range g.next[b+1] {
				if v := so + here[c] + behind[c]; v > next[c] {
					next[c], back[i][c] = v, b
				}
			}
		}
		if i == 0 {
			step(-1, 0)
		}
		for b := 0; i > 0 && b < k; b++ {
			if !math.IsInf(best[b], -1) {
				step(b, best[b])
			}
		}
		best, next = next, best
	}
	return traced(best, back)
}

// traced follows the best row from its end.
func traced(best []float64, back [][]int) []int {
	row, last := make([]int, len(back)), -1
	for c := range best {
		if !math.IsInf(best[c], -1) && (last < 0 || best[c] > best[last]) {
			last = c
		}
	}
	if last < 0 && len(back) > 0 {
		return nil
	}
	for i := len(back) - 1; i >= 0; i-- {
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
	p := &perceptron{trainer: newTrainer(examples, o), column: map[uint32]int32{}, number: map[string]int{"": -1}}
	for c, f := range p.features {
		p.column[f] = int32(c)
	}
	for k, c := range p.classes {
		p.number[c] = k
	}
	p.last = make([]int32, len(p.weights))
	lessons := make([]lesson, len(all))
	p.order = p.order[:0]
	for i, s := range all {
		lessons[i] = p.lesson(s, may(i))
		p.order = append(p.order, i)
	}
	for range o.Rounds {
		p.random.Shuffle(len(p.order), func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
		for _, i := range p.order {
			p.learn(&lessons[i])
		}
	}
	return p.averaged()
}

// A perceptron corrects the weights after each sequence that it tags wrongly.
type perceptron struct {
	*trainer
	column map[uint32]int32
	number map[string]int
	last   []int32 // the step in which each weight was last added to the sums
	steps  int32
	salt   uint32 // of the features that are left out in this step
}

// A lesson is a sequence by columns of the table of weights.
type lesson struct {
	features [][]int32
	keys     [][]uint32
	pairs    [][][]int32 // of each token and class before it, once they were needed
	tags     []int
	grammar  grammar
}

func (p *perceptron) lesson(s Sequence, may May) lesson {
	l := lesson{keys: s.Keys, grammar: newGrammar(p.classes, may), pairs: make([][][]int32, len(s.Keys))}
	for i, f := range s.Features {
		l.features = append(l.features, p.known(f))
		l.tags = append(l.tags, p.number[s.Tags[i]])
		l.pairs[i] = make([][]int32, len(p.classes)+1)
	}
	return l
}

// known are the columns of the features that have some.
func (p *perceptron) known(features []uint32) []int32 {
	out := make([]int32, 0, len(features))
	for _, f := range features {
		if c, ok := p.column[f]; ok {
			out = append(out, c)
		}
	}
	return out
}

// behind are the columns of a token's keys when a class stands before it.
func (p *perceptron) behind(l *lesson, i, before int) []int32 {
	at := &l.pairs[i][before+1]
	if *at == nil {
		paired := make([]uint32, len(l.keys[i]))
		for k, key := range l.keys[i] {
			paired[k] = follows(classAt(p.classes, before), key)
		}
		*at = p.known(paired)
	}
	return *at
}

func (p *perceptron) learn(l *lesson) {
	p.steps++
	p.salt = p.random.Uint32()
	row := decode(len(l.features), l.grammar, func(i int, scores []float64) {
		p.score(l.features[i], scores)
	}, func(i, before int, scores []float64) {
		p.score(p.behind(l, i, before), scores)
	})
	before, guessed := -1, -1
	for i, want := range l.tags {
		got := -1
		if row != nil {
			got = row[i]
		}
		if got != want {
			p.move(l.features[i], want, 1)
			p.move(l.features[i], got, -1)
		}
		if got != want || before != guessed {
			p.move(p.behind(l, i, before), want, 1)
			p.move(p.behind(l, i, guessed), got, -1)
		}
		before, guessed = want, got
	}
}

func (p *perceptron) score(columns []int32, scores []float64) {
	for _, c := range p.some(columns, p.salt) {
		for k, w := range p.weights[int(c)*len(scores) : (int(c)+1)*len(scores)] {
			scores[k] += float64(w)
		}
	}
}

// move adds to the weights of columns for a class.
func (p *perceptron) move(columns []int32, class int, by float32) {
	if class < 0 {
		return
	}
	for _, c := range p.some(columns, p.salt) {
		at := int(c)*len(p.classes) + class
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
