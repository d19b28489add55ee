package oplog

import (
	"context"
	"time"
)

// Brought reports whether the log says that a document's text came from elsewhere. A
// change by the user, or in an editor, ends that; what kist does with the document in
// a conversation doesn't, nor does giving it another name: else the text would only
// have to ask for that.
func (log *Log) Brought(ctx context.Context, p string) bool {
	if log.Refresh() != nil {
		return true
	}
	var until *Folded
	for range maxRenames {
		from := ""
		links, _, err := log.Chain(p)
		if err != nil || ctx.Err() != nil {
			return true
		}
		for _, l := range links {
			op := l.Op
			if l.Away || until != nil && !until.IsLater(op) {
				continue
			}
			if op.Actor == Sync && op.Client == OwnDevice {
				continue // as if it had been done here; how it came about there, that device knew
			}
			if op.Actor == Sync || op.Outside && (op.Entity.Type == "note" || op.Entity.Type == "memory") {
				return true
			}
			if from = l.From; from != "" {
				p, until = from, op
				break
			}
			if op.Turn == "" && (op.Actor == User || op.Actor == Editor) {
				return false
			}
		}
		if from == "" {
			return false
		}
	}
	return true // renamed too often to tell
}

// OwnDevice is the client of operations of the actor sync that bring what another device of
// the user's own made.
const OwnDevice = "own-device"

// maxRenames is how many earlier names of a document are looked at.
const maxRenames = 20

// LeftByAgent reports whether the log explains a file's text, given by its hash, by changes
// of which none is the user's or an editor's, and the last one is from before a time.
func (log *Log) LeftByAgent(ctx context.Context, p string, text Hash, before time.Time) (bool, error) {
	links, _, err := log.Chain(p)
	if err != nil || len(links) == 0 || links[0].After != text {
		return false, err
	}
	// Also where a clock that was a year ahead made it, or makes it seem long ago.
	if links[0].Op.At.After(before) {
		return false, nil
	}
	for _, l := range links {
		if l.Op.Actor == User || l.Op.Actor == Editor {
			return false, nil
		}
	}
	return true, ctx.Err()
}
