package rank

import (
	"context"
	"kist/index/page"
	"kist/index/query"

	"slices"
)

// A trace notes what an explanation needs while a search goes on. A nil one, that of
// all other searches, notes nothing.
type trace struct {
	groups []group
	words  []ranked // all that was found by words, in no order
	text   []ranked // the best of it, in order; nil: nothing was fused
	near   []ranked
	vector []float32 // the query's; nil: there is none
	weight float32   // of near beside text
	floor  float32   // cosine from which on a document is near
	drawn  bool      // the query was drawn towards the best of text
	final  []ranked  // in no order
	placed map[int32]ranked
	ages   map[int32]RecencyPart
	named  map[int32]float32
}

func (t *trace) byWords(found []ranked, groups []group) {
	if t != nil {
		t.words, t.groups = slices.Clone(found), groups
	}
}

// place notes the best section of a file that was ranked by it.
func (t *trace) place(r ranked) {
	if t != nil {
		t.placed[r.file] = r
	}
}

func (t *trace) byVector(q []float32, text, near []ranked, weight, floor float32, drawn bool) {
	if t != nil {
		t.vector, t.text, t.near = q, slices.Clone(text), slices.Clone(near)
		t.weight, t.floor, t.drawn = weight, floor, drawn
	}
}

// end notes all that was found, and the best of it as it is ranked in the end.
func (t *trace) end(found, best []ranked) {
	if t == nil {
		return
	}
	t.final = slices.Clone(found)
	at := make(map[int32]int, len(found))
	for i, r := range found {
		at[r.file] = i
	}
	for _, r := range best {
		t.final[at[r.file]] = r
	}
}

// Explained carries out the query and says of each hit why it is one. The hits'
// scores are those that the explanations add up to; ranking rounds them.
func (s *Search) Explained(ctx context.Context, whyNot string) (*Results, error) {
	s.trace = &trace{ages: map[int32]RecencyPart{}, placed: map[int32]ranked{}, named: map[int32]float32{}}
	res, err := s.Run(ctx)
	if err != nil {
		return nil, err
	}
	at := make(map[string]ranked, len(s.trace.final))
	for _, r := range s.trace.final {
		at[s.View.Paths[r.file]] = r
	}
	var files []int32
	for _, h := range res.Hits {
		files = append(files, at[h.Path].file)
	}
	target := slices.Index(s.View.Paths, whyNot)
	if target >= 0 {
		files = append(files, int32(target))
	}
	e, err := s.explainer(files)
	if err != nil {
		return nil, err
	}
	for i := range res.Hits {
		h := &res.Hits[i]
		h.Why = e.explain(at[h.Path].file)
		h.Score = h.Why.Score
	}
	res.Plan = &e.plan
	if whyNot != "" {
		res.WhyNot, err = e.whyNot(ctx, whyNot, target, res)
	}
	return res, err
}

// An explainer explains single documents of one search.
type explainer struct {
	*Search
	plan  Plan
	words map[int32]TextPart // by file: of its best entry, and section
}

// explainer counts anew what the files named and the ends of the lists have of the
// query's words.
func (s *Search) explainer(files []int32) (*explainer, error) {
	t := s.trace
	ends := t.words
	if t.text != nil {
		ends = t.text
	}
	order := byRank(s.View.Paths)
	wanted := map[int32]bool{}
	for _, f := range files {
		wanted[f] = true
	}
	if len(ends) > 0 {
		wanted[slices.MinFunc(ends, order).file] = true
		wanted[slices.MaxFunc(ends, order).file] = true
	}
	e := &explainer{Search: s}
	if err := e.explainWords(wanted); err != nil {
		return nil, err
	}
	e.plan = Plan{Ranking: s.ranked(), Documents: s.documents, Words: List{Length: len(ends)}, Near: List{Length: len(t.near)}}
	for _, c := range s.clauses {
		if c.Condition() {
			e.plan.Conditions = append(e.plan.Conditions, c.String())
		}
	}
	if len(ends) > 0 {
		e.plan.Words.Best = e.textScore(slices.MinFunc(ends, order))
		e.plan.Words.Worst = e.textScore(slices.MaxFunc(ends, order))
	}
	if len(t.near) > 0 {
		e.plan.Near.Best, e.plan.Near.Worst = float64(t.near[0].score), float64(t.near[len(t.near)-1].score)
	}
	e.weigh()
	return e, nil
}

// ranked says what the order of the answer goes by.
func (s *Search) ranked() Ranking {
	t := s.trace
	byReading := slices.ContainsFunc(t.words, func(r ranked) bool { return r.at == page.Nowhere })
	switch {
	case t.vector != nil && s.mode == query.Vector:
		return ByVector
	case t.vector != nil:
		return ByFusion
	case byReading:
		return ByReading
	case len(t.groups) == 0:
		return ByTime
	}
	return ByWords
}

// weigh notes how the lists count.
func (e *explainer) weigh() {
	switch e.plan.Ranking {
	case ByFusion:
		e.plan.Words.Weight, e.plan.Near.Weight = float64(1-e.trace.weight), float64(e.trace.weight)
		for _, r := range e.trace.text[:min(feedbackFiles, len(e.trace.text))] {
			if e.trace.drawn {
				e.plan.Feedback = append(e.plan.Feedback, e.View.Paths[r.file])
			}
		}
	case ByVector:
		e.plan.Near.Weight = 1
	case ByWords, ByReading:
		e.plan.Words.Weight = 1
	}
}

// textScore is the exact score by words; that of a file that was read is as it is.
func (e *explainer) textScore(r ranked) float64 {
	if r.at == page.Nowhere {
		return float64(r.score)
	}
	return e.words[r.file].Score
}

// explain explains one file that was counted.
func (e *explainer) explain(file int32) *Explanation {
	out := &Explanation{Text: e.words[file], Vector: e.nearness(file)}
	t, v := &out.Text, &out.Vector
	if r, ok := find(e.trace.words, file); ok {
		t.Score = e.textScore(r)
		t.Rank = e.rank(e.trace.words, r)
	}
	if r, ok := find(e.trace.final, file); ok {
		out.Rank, out.Last = e.rank(e.trace.final, r), r.last
	} else {
		return out // without a score, for it is no hit
	}
	switch e.plan.Ranking {
	case ByWords, ByReading:
		t.Share = t.Score
	case ByVector:
		v.Share = v.Cosine
	case ByFusion:
		if _, ok := find(e.trace.text, file); ok {
			t.Normal = e.plan.Words.normal(t.Score)
		}
		if t.Rank > 0 {
			t.Order = 1e-6 * t.Score / (1 + t.Score)
		}
		t.Share = e.plan.Words.Weight*t.Normal + t.Order
		v.Share = e.plan.Near.Weight * v.Normal
	}
	out.Score = t.Share + v.Share
	if p, ok := e.trace.ages[file]; ok {
		out.Recency = &p
		out.Score *= p.Factor
	}
	out.Named = float64(e.trace.named[file])
	out.Score += out.Named
	return out
}

// nearness is what a document's vector says.
func (e *explainer) nearness(file int32) VectorPart {
	if e.trace.vector == nil {
		return VectorPart{}
	}
	v := VectorPart{Floor: float64(e.trace.floor)}
	if i := slices.IndexFunc(e.trace.near, func(r ranked) bool { return r.file == file }); i >= 0 {
		v.Rank, v.Known, v.Cosine = i+1, true, float64(e.trace.near[i].score)
		v.Normal = e.plan.Near.normal(v.Cosine)
		return v
	}
	v.Cosine = -1
	passages, _ := e.Vectors.Set.Passages(e.View.Paths[file])
	for _, p := range passages {
		v.Known, v.Cosine = true, max(v.Cosine, Product(e.trace.vector, p.Vector))
	}
	if !v.Known {
		v.Cosine = 0
	}
	return v
}

func Product(a, b []float32) (sum float64) {
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return max(-1, min(1, sum))
}

// rank is the place of one of a list in no order.
func (e *explainer) rank(list []ranked, of ranked) int {
	order := byRank(e.View.Paths)
	n := 1
	for _, r := range list {
		if order(r, of) < 0 {
			n++
		}
	}
	return n
}

func find(list []ranked, file int32) (ranked, bool) {
	if i := slices.IndexFunc(list, func(r ranked) bool { return r.file == file }); i >= 0 {
		return list[i], true
	}
	return ranked{}, false
}
