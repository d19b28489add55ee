package intent

// A Verdict says what readings are good for.
type Verdict int

// Verdicts, from the least sure.
const (
	Keep   Verdict = iota // nothing is sure enough: keep the text
	Choose                // offer the best two as a choice
	Act                   // do the best
)

// strict are the intents that remove, rename or move something, or take it back: doing
// one by mistake costs more than asking once too often.
var strict = map[Name]bool{
	DeleteProject: true, ArchiveProject: true, MergeProjects: true, RenameProject: true,
	DeleteTask: true, ForgetMemory: true, MoveMemory: true, AbandonDraft: true, Undo: true,
}

// Strict reports whether an intent needs to be surer than others to be acted on.
func (n Name) Strict() bool { return strict[n] }

// Decide says what to do with the readings of Read: Act on the one that it returns,
// offer the two of them as a choice, or Keep the text. A text that is most probably
// None is kept without a question.
func (r *Reader) Decide(readings []Reading) (Verdict, []Reading) {
	if len(readings) < 2 {
		return Keep, nil
	}
	best := readings[0]
	enough := r.calibration.Act
	if best.Intent.Strict() {
		enough = r.calibration.Strict
	}
	switch {
	case best.Intent == None:
		return Keep, nil
	case best.P >= enough:
		return Act, readings[:1]
	case best.P >= r.calibration.Choose:
		return Choose, readings[:2]
	}
	return Keep, nil
}
