package oplog

import (
	"path"
	"slices"
	"strings"
	"time"
)

// Folded is what the records of an operation say together: without patches, and with the
// place of the record that has them.
type Folded struct {
	Operation
	Place                    // of the record that says what it does
	Bare     bool            `json:",omitempty"` // of a change it tells only hashes
	Done     bool            // that record is of its doing, not of a proposal
	Maker    string          // the device that logged it first
	Device   string          // the device that Status, Seq and Error are from
	Last     time.Time       // of the record that gave the status
	Told     map[string]Told `json:",omitempty"` // what each device's log says, if several do
	Seen     time.Time       `json:",omitzero"`  // when it was read, if its time was ahead
	Approved bool            // it was a proposal
	Stated   []Hash          // texts of earlier attempts, before an editor's save changed them
}

// Told is how an operation went on one device: each ends its own alone.
type Told struct {
	Status   Status
	Last     time.Time
	Error    string
	Seq      Seq
	Duration time.Duration
}

// By returns what one device's log says of an operation.
func (op *Folded) By(device string) Told {
	if op.Told == nil && op.Device == device {
		return Told{op.Status, op.Last, op.Error, op.Seq, op.Duration}
	}
	return op.Told[device]
}

// A Place is where a record stands in the log, in bytes.
type Place struct {
	File   string
	Offset int64
	Length int
}

// Device returns the device that writes a file of the log, named DD-device.yaml or
// DD-device.unsent.yaml.
func Device(file string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(file), UnsentEnd), ".yaml")
	return base[min(len(base), len("DD-")):]
}

// Fold adds a record, in any order, as this device sees it. Of another device a time
// later than now isn't believed.
func (op *Folded) Fold(r Record, own string, now func() time.Time, at Place) {
	device := Device(at.File)
	if op.Maker == "" || r.Event == Proposed {
		op.Maker = device
	}
	if device != own && op.Seen.IsZero() {
		if now := now(); r.At.After(now) {
			op.Seen = now
		}
	}
	op.tell(device, own, r)
	op.Approved = op.Approved || r.Event == Approved
	if r.At.Before(op.At) {
		op.At = r.At
	}
	done := r.Event != Proposed
	mine := device == own
	switch {
	case len(r.Changes) == 0 && r.Type == "":
	case op.File == "", done && !op.Done, done == op.Done && (mine || Device(op.File) != own):
		op.describe(r)
		op.Done = op.Done || done
		if len(r.Changes) > 0 {
			op.Place = at
		}
	}
}

// tell takes in how an operation goes on a device.
func (op *Folded) tell(device, own string, r Record) {
	t := op.By(device)
	// An end is an end, whatever a clock that was set back says; among equals the later
	// record counts.
	if a, b := rank(r.Event), rank(t.Status); a > b || a == b && !r.At.Before(t.Last) {
		t.Status, t.Last, t.Error = r.Event, r.At, r.Error
	}
	t.Seq = max(t.Seq, r.Seq)
	t.Duration = max(t.Duration, time.Duration(r.DurationMS)*time.Millisecond)
	if op.Told == nil && op.Device != "" && op.Device != device {
		op.Told = map[string]Told{op.Device: op.By(op.Device)}
	}
	if op.Told == nil {
		op.take(device, t)
		return
	}
	op.Told[device] = t
	best := device
	for d, t := range op.Told {
		if decides(t, d == own, op.Told[best], best == own) {
			best = d
		}
	}
	op.take(best, op.Told[best])
}

func (op *Folded) take(device string, t Told) {
	op.Device, op.Status, op.Last, op.Error, op.Seq, op.Duration = device, t.Status, t.Last, t.Error, t.Seq, t.Duration
}

// decides reports whether what one device says of an operation counts before what
// another one says. What was done anywhere was done, once: here, or else where it was
// done first.
func decides(a Told, aOwn bool, b Told, bOwn bool) bool {
	if x, y := weight(a.Status), weight(b.Status); x != y {
		return x > y
	}
	if aOwn != bOwn {
		return aOwn
	}
	if a.Status.Took() {
		return a.Last.Before(b.Last)
	}
	return a.Last.After(b.Last)
}

// weight is rank among devices: that one gave up doesn't undo what another one did.
func weight(s Status) int {
	if s.Took() {
		return 10
	}
	return rank(s)
}

func (op *Folded) describe(r Record) {
	if r.Type != "" {
		op.Type, op.Actor, op.Client = r.Type, r.Actor, r.Client
		op.Session, op.Turn, op.Outside, op.Batch = r.Session, r.Turn, r.Outside, r.Batch
		op.Request = r.Request
		op.Reason, op.Undoes = r.Reason, r.Undoes
	}
	if r.Entity != nil {
		op.Entity = *r.Entity
	}
	if len(r.Changes) > 0 {
		for _, c := range op.Changes {
			op.Stated = append(op.Stated, c.Before, c.After)
		}
		op.Changes, op.Bare = nil, false
		for _, c := range r.Changes {
			op.Bare = op.Bare || c.From == "" && c.Before != c.After && c.Patch == ""
			op.Changes = append(op.Changes, FileChange{Path: c.Path, From: c.From, Before: c.Before, After: c.After})
			op.Stated = slices.DeleteFunc(op.Stated, func(h Hash) bool { return h == c.Before || h == c.After })
		}
	}
	if r.Digest != "" || len(r.Changes) > 0 {
		op.Digest = r.Digest
	}
	if op.Digest == "" && r.Event != Proposed && len(r.Changes) > 0 {
		told := op.Operation
		told.Changes = r.FileChanges()
		op.Digest = Digest(told)
	}
}

// rank orders the events of an operation's life. Events that this version doesn't
// know count as an end.
func rank(s Status) int {
	switch s {
	case "":
		return 0
	case Proposed:
		return 1
	case Approved:
		return 2
	case Begun:
		return 3
	case Superseded:
		return 5
	}
	return 4
}
