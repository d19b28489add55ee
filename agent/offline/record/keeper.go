package record

import (
	"kist/agent/model"
	"kist/agent/offline/interpret"
	"kist/agent/offline/refer"
	"kist/agent/offline/turn"
)

// A Keeper is a turn in which single things are kept: made, listed, changed and dropped.
type Keeper struct {
	*turn.Turn
	Meant   string          // what an answer stands for, where the answer's own words don't say it
	touched map[string]bool // what is done to which task, in this turn
	more    bool            // there may be more tasks than were told of

	which    func(among []model.Project)
	unknown  func(said refer.Reference)
	find     func(m interpret.Meaning, otherwise func())
	place    func(text string) bool
	rename   func(m interpret.Meaning)
	fallback func()
	replan   func(said string)
}

// Neighbours are what a keeper leaves to others.
type Neighbours struct {
	Which    func(among []model.Project)                 // asks which of several projects is meant
	Unknown  func(said refer.Reference)                  // asks about a project that isn't there
	Find     func(m interpret.Meaning, otherwise func()) // answers a question from what the files say
	Place    func(text string) bool                      // writes sentences into the dimensions that they are about
	Rename   func(m interpret.Meaning)                   // gives a project another name
	Fallback func()                                      // deals with a message that nothing was understood of
	Replan   func(said string)                           // does what other words say, in place of the message's
}

// New returns the keeper of a turn.
func New(t *turn.Turn, n Neighbours) *Keeper {
	return &Keeper{Turn: t, which: n.Which, unknown: n.Unknown, find: n.Find, place: n.Place, rename: n.Rename, fallback: n.Fallback, replan: n.Replan}
}
