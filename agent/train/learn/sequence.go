package learn

import "kist/agent/intent/linear"

// TrainSequences learns a tagger (averaged structured perceptron). may holds for each
// sequence by its number. Rate and Decay aren't used.
func TrainSequences(all []linear.Sequence, may func(i int) linear.May, o Options) *linear.Model {
	var examples []Example
	for _, s := range all {
		for i, f := range s.Features {
			before := ""
			if i > 0 {
				before = s.Tags[i-1]
			}
			shown := append([]uint32(nil), f...)
			for _, key := range s.Keys[i] {
				shown = append(shown, linear.Follows(before, key))
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
	grammar  linear.Grammar
}

func (p *perceptron) lesson(s linear.Sequence, may linear.May) lesson {
	l := lesson{keys: s.Keys, grammar: linear.NewGrammar(p.classes, may), pairs: make([][][]int32, len(s.Keys))}
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
			paired[k] = linear.Follows(l.grammar.Name(before), key)
		}
		*at = p.known(paired)
	}
	return *at
}

func (p *perceptron) learn(l *lesson) {
	p.steps++
	p.salt = p.random.Uint32()
	row := l.grammar.Best(len(l.features), func(i int, scores []float64) {
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
func (p *perceptron) averaged() *linear.Model {
	for at, w := range p.weights {
		p.sums[at] += float64(p.steps-p.last[at]+1) * float64(w)
	}
	p.summed = int(p.steps)
	return p.model()
}
