package interpret

import "kist/agent/intent"

// What kinds of things are meant.

// StartMode is the one intent for all guided sessions: Meaning.About says which.
const StartMode intent.Name = "start_mode"

// OnlyTells: what is answered from the files, or from what kist did.
func OnlyTells(i intent.Name) bool {
	return i == intent.Ask || i == intent.ListPending || i == intent.ListChanges || i == intent.OpenQuestions || i == intent.WhichProject
}

// modeOf is the guided session that an intent of the model's begins.
func modeOf(n intent.Name) string {
	switch n {
	case intent.ProjectCreate, intent.ProjectUpdate, intent.ProjectAudit, intent.ProjectForecast, intent.TaskUpdate:
		return string(n)
	}
	return ""
}

// takesAway: what changes or removes something that is there.
func takesAway(i intent.Name) bool {
	switch i {
	case intent.RenameProject, intent.MergeProjects, intent.ArchiveProject, intent.DeleteProject, intent.DeleteTask, intent.Undo, intent.ForgetMemory, intent.MoveMemory, intent.AbandonDraft, intent.CompleteTask:
		return true
	}
	return false
}

// restructures: what changes whole projects. It is never read from what may not
// come to pass.
func restructures(i intent.Name) bool {
	return i == intent.RenameProject || i == intent.MergeProjects || i == intent.ArchiveProject || i == intent.DeleteProject
}

// OfTasks: it changes tasks that are there.
func OfTasks(i intent.Name) bool {
	return i == intent.CompleteTask || i == intent.UpdateTask || i == intent.DeleteTask
}

// Probable is how probable an intent is.
func Probable(readings []intent.Reading, name intent.Name) float64 {
	for _, each := range readings {
		if each.Intent == name {
			return each.P
		}
	}
	return 0
}

// Substantial: a greeting before a command needs no answer of its own, nor does
// "not the boat" before "the shop".
func Substantial(i intent.Name) bool {
	return i != intent.None && i != intent.Greet && i != intent.Thanks && i != intent.Decline
}

// TakesText: the words themselves are kept.
func TakesText(i intent.Name) bool {
	return i == intent.AddNote || i == intent.AddDecision || i == intent.Remember || i == intent.AddTask
}

// acts: something is made, changed or left by it.
func acts(i intent.Name) bool {
	return takesAway(i) || TakesText(i) || i == intent.UpdateTask || i == intent.CreateProject || i == intent.Switch || i == intent.Back || i == StartMode
}

// How probable a reading must be to be acted on. The model is calibrated: of readings at
// .5, half are right. What takes something away must be surer, and may cost a question
// where it is not; an answer does no harm.
const (
	Likely   = 0.5
	certain  = 0.5
	harmless = 0.3
	Choice   = 0.25 // enough to be one of two that are offered
	evident  = 0.15 // enough where a task is there that it is about
	surely   = 0.8
	named    = 0.1  // enough for an archived project that is named
	lookedAt = 0.04 // less isn't
)

// longestWord is longer than any that is part of a command.
const longestWord = 100

// needed is how probable a reading must be to be acted on.
func needed(i intent.Name) float64 {
	switch {
	case takesAway(i) && i != intent.CompleteTask:
		return certain
	case Substantial(i) && !OnlyTells(i), i == intent.Greet, i == intent.Thanks:
		return Likely
	}
	return harmless
}
