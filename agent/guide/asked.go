package guide

import (
	"slices"

	"kist/agent/model"
)

// The kinds of question that the phase of a guided session follows from, whoever asks.
const (
	KindDimension = "dimension" // one about a dimension: its key, and the id where it is one of the bank
	KindFinalize  = "finalize"  // whether to make the project of the draft
	KindResume    = "resume"    // whether to go on with one of the drafts, by slug
)

// Unlisted is the id of a question that the bank doesn't hold: a model's own.
const Unlisted = "?"

// Ask is a question as a session keeps it.
func (q Question) Ask() model.Question {
	return model.Question{Kind: KindDimension, Args: map[string]string{"dimension": q.Dimension, "id": q.ID}, Text: q.Text}
}

// Asked is the question about a dimension that a session keeps; false: what it keeps is
// of another kind.
func Asked(q model.Question) (Question, bool) {
	key := q.Args["dimension"]
	if q.Kind != KindDimension || !slices.Contains(Dimensions(), key) {
		return Question{}, false
	}
	if known, ok := QuestionByID(q.Args["id"], ""); ok {
		known.Text = q.Text
		return known, true
	}
	return Question{ID: Unlisted, Dimension: key, Text: q.Text}, true
}
