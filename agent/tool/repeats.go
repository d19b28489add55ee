package tool

import (
	"bytes"
	"encoding/json"
)

// Repeats are the calls of a turn that did what they were for, with what came of them. Small models call the same again and again: a task would be there eight
// times, and nothing new is told. The zero value is ready.
type Repeats map[string]past

// past is the vault's count of changes when a call was made, and its status: done or proposed,
// empty of one that only looked.
type past struct {
	changed int64
	status  string
}

func repeatKey(name string, args json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, args) != nil {
		compact.Reset()
	}
	return name + " " + compact.String()
}

// Again is why a call isn't run once more in its turn; nil: it is. What only looks may look
// again where something has changed. Of what was done, status says so: to do it again is no fault.
func (r Repeats) Again(t Tool, name string, args json.RawMessage, changed int64) (f *Fault, status string) {
	at, known := r[repeatKey(name, args)]
	if !known || t.Class == Read && changed > at.changed {
		return nil, ""
	}
	if at.status != "" {
		status = "already " + at.status + " in this turn, and not a second time"
	}
	return &Fault{
		Error:      "the same call was made in this turn before, and wasn't made again: its result stands above",
		Suggestion: "go on with that result, or answer the user in words", Invalid: true,
	}, status
}

// Did notes a call that was carried out.
func (r *Repeats) Did(name string, args json.RawMessage, changed int64, status string) {
	if *r == nil {
		*r = Repeats{}
	}
	(*r)[repeatKey(name, args)] = past{changed, status}
}
