package index

import (
	"fmt"

	"kist/index/served"
)

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

	Embedder served.Status // zero: there is none but the built-in one
}

// embedderStatus is called with the mutex held.
func (r *remote) embedderStatus() (s served.Status) {
	g := r.current
	if r.Server == nil || g == nil {
		return s
	}
	if g.served == nil {
		return r.Status(g, len(g.manifest.Files), 0, false)
	}
	return r.Status(g, len(g.manifest.Files), g.served.Set.Documents(), g.served.ready)
}

// vectorStatus is called with the mutex held.
func (l *learner) vectorStatus() VectorStatus {
	s := VectorStatus{State: VectorsNone, Training: l.learning}
	if l.learning {
		s.State = VectorsTraining
	}
	if l.current == nil || l.current.vectors == nil {
		if l.current != nil {
			s.Pending = len(l.current.manifest.Files)
		}
		return s
	}
	v := l.current.vectors
	s.State = VectorsReady
	s.Model = fmt.Sprintf("lsa %d", v.Model.Dim())
	s.Documents = v.Set.Documents()
	s.Pending = max(0, len(l.current.manifest.Files)-s.Documents)
	return s
}
