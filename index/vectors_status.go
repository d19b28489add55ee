package index

import "fmt"

// VectorsState says whether search goes by meaning as well as by words.
type VectorsState string

// The states of vectors.
const (
	VectorsNone     VectorsState = "none"     // too few documents to learn from, or none learned yet
	VectorsTraining VectorsState = "training" // a first model is being learned
	VectorsReady    VectorsState = "ready"    // in use; a newer model may be in the making
)

// VectorStatus is the part of a Status about vectors.
type VectorStatus struct {
	State     VectorsState
	Model     string // what made the vectors, such as "lsa 128"
	Documents int    // that have vectors
	Pending   int    // documents that have none, or old ones; they are found by words
	Training  bool   // a model is being learned

	Embedder EmbedderStatus // zero: there is none but the built-in one
}

// EmbedderState says what an Embedder is about.
type EmbedderState string

// The states of an Embedder.
const (
	EmbedderWorking EmbedderState = "embedding" // documents are being embedded
	EmbedderReady   EmbedderState = "ready"     // all documents have their vectors
	EmbedderFailing EmbedderState = "failing"   // see Problem
)

// EmbedderStatus is the part of a Status about the configured Embedder.
type EmbedderStatus struct {
	Model     string
	State     EmbedderState
	InUse     bool   // searches use its vectors; else the built-in ones, or words alone
	Documents int    // that have its vectors
	Pending   int    // documents that have none or not all of them
	Skipped   int    // passages that the server refused since the start; they are found by words
	Problem   string // the last error, with a hint; empty: all is well
	Slow      bool   // the last search went without, because the server took too long
}

// embedderStatus is called with the mutex held.
func (x *Index) embedderStatus() (s EmbedderStatus) {
	r, g := x.served, x.current
	if r == nil || g == nil {
		return s
	}
	failing, late := r.queries.state()
	r.mu.Lock()
	defer r.mu.Unlock()
	all := len(g.manifest.Files)
	s = EmbedderStatus{Model: r.embedder.Model(), State: EmbedderReady, Pending: len(r.todo), Skipped: len(r.odd), Problem: r.problem, Slow: late}
	if g.served != nil {
		s.InUse = g.served.ready
	}
	if r.of != g { // not compared yet
		s.Pending = all
		if g.served != nil {
			s.Pending = max(0, all-g.served.Set.Documents())
		}
	}
	s.Documents = max(0, all-s.Pending)
	switch {
	case s.Problem == "" && failing:
		s.Problem = r.embedder.Model() + " doesn't answer; check that the server runs; it is tried again by itself"
		fallthrough
	case s.Problem != "":
		s.State = EmbedderFailing
	case s.Pending > 0 || r.of != g || !s.InUse && all > 0:
		s.State = EmbedderWorking
	}
	return s
}

// notice says in a sentence what searches do without; empty: nothing.
func (s EmbedderStatus) notice() string {
	switch {
	case s.Model == "":
		return ""
	case s.State == EmbedderFailing:
		return "search goes without " + s.Problem
	case s.Pending > 0:
		return fmt.Sprintf("%d of %d documents have no vectors of %s yet; they are found by words meanwhile", s.Pending, s.Pending+s.Documents, s.Model)
	case s.Slow:
		return fmt.Sprintf("%s took more than %d ms for a query, so the search went without; it may have been loading", s.Model, queryLimit.Milliseconds())
	}
	return ""
}

// vectorStatus is called with the mutex held.
func (x *Index) vectorStatus() VectorStatus {
	s := VectorStatus{State: VectorsNone, Training: x.learning, Embedder: x.embedderStatus()}
	if x.learning {
		s.State = VectorsTraining
	}
	if x.current == nil || x.current.vectors == nil {
		if x.current != nil {
			s.Pending = len(x.current.manifest.Files)
		}
		return s
	}
	v := x.current.vectors
	s.State = VectorsReady
	s.Model = fmt.Sprintf("lsa %d", v.Model.Dim())
	s.Documents = v.Set.Documents()
	s.Pending = max(0, len(x.current.manifest.Files)-s.Documents)
	return s
}
