package agent

// The limits of one turn. The first two are the design's; the others are far
// above what an honest turn needs.
const (
	maxStepsTalking = 8
	maxStepsActing  = 25
	maxCallsPerStep = 20
	maxReply        = 256 << 10 // bytes of text
	historyTurns    = 10        // turns of the project that the model sees
	historyText     = 2000      // runes of each
	minWorded       = 8         // words of a reply that says more than that it heard
)
