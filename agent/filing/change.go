package filing

import (
	"slices"
	"strings"

	"kist/agent/extract"
	"kist/agent/intent"
	"kist/agent/language"
)

// changing are the readings in which a message asks for something that makes operations, or
// tells of something that is to be written down as done or decided.
var changing = []intent.Name{
	intent.AddTask, intent.UpdateTask, intent.CompleteTask, intent.DeleteTask, intent.AddNote, intent.AddDecision, intent.Remember, intent.ForgetMemory, intent.MoveMemory, intent.CreateProject,
	intent.RenameProject, intent.ArchiveProject, intent.DeleteProject, intent.ReopenProject, intent.MergeProjects, intent.AbandonDraft, intent.Undo, intent.Redo,
}

// asking is how probable it is then.
const asking = 0.8

// maxAsking is how many sentences of a message are read for that; each takes half a millisecond.
const maxAsking = 40

// AsksChange reports whether a message asks for a change, whatever was made of it. What is in a
// language that isn't read may, unless it is a question.
func (t *Turn) AsksChange() bool {
	if extract.OffRecord(t.Text) {
		return false
	}
	if language.IsForeign(t.Text) {
		return !strings.ContainsAny(t.Text, "?？؟;;¿") && len(strings.Fields(t.Text)) > 1
	}
	read, ok := t.reading()
	if !ok {
		return false
	}
	sentences := extract.Sentences(t.Text)
	return slices.ContainsFunc(sentences[:min(len(sentences), maxAsking)], func(s extract.Sentence) bool {
		p := 0.0
		for _, r := range read(s.Text) {
			if slices.Contains(changing, r.Intent) {
				p += r.P
			}
		}
		return p >= asking
	})
}
