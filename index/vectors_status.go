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
}

// vectorStatus is called with the mutex held.
func (x *Index) vectorStatus() VectorStatus {
	s := VectorStatus{State: VectorsNone, Training: x.learning}
	if x.learning {
		s.State = VectorsTraining
	}
	if x.current == nil || x.current.vectors == nil {
		if x.current != nil {
			s.Pending = len(x.current.manifest.files)
		}
		return s
	}
	v := x.current.vectors
	s.State = VectorsReady
	s.Model = fmt.Sprintf("lsa %d", v.model.Dim())
	s.Documents = v.set.Documents()
	s.Pending = max(0, len(x.current.manifest.files)-s.Documents)
	return s
}
