package operation

import "kist/agent/offline/turn"

// A Log is a turn in which is told what kist did, took back and proposed.
type Log struct{ *turn.Turn }

// New returns the log of a turn.
func New(t *turn.Turn) *Log { return &Log{t} }
