package oplog

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"kist/vault/disk"
)

// shortID is the least number of characters of an id's end that may stand for it.
const shortID = 6

// A Filter selects operations; its zero value selects all.
type Filter struct {
	Limit   int // newest first; 0: all
	Status  Status
	Actor   Actor
	Session string
	Request string // its name alone
	Batch   string
	Entity  string // an entity's id, or the path of a file that was changed
	Project string // slug
	Since   time.Time
	After   *Seq // that this device did something with behind that number
	Own     bool // that this device logged; other devices' logs come with a pull
	Sent    bool // of a file of the log that isn't kept on this machine, [UnsentEnd]
}

// List returns the operations that f selects, newest first and without their
// patches.
func (log *Log) List(ctx context.Context, f Filter) ([]Operation, error) {
	if err := log.Refresh(); err != nil {
		return nil, err
	}
	var found []*Folded
	now, behind := time.Now(), 0
	for op, err := range log.With(f.bestKey()) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if f.Limit > 0 && behind >= f.Limit || tooOld(op.ID, f.Since) {
			break
		}
		if f.After != nil && op.By(log.opts.Device).Seq <= *f.After {
			continue
		}
		if !log.selects(f, op.Operation) || f.Own && op.Maker != log.opts.Device || f.Sent && strings.HasSuffix(op.File, UnsentEnd) {
			continue
		}
		if found = append(found, op); !IsAhead(op.ID, now) {
			behind++ // of an id that is ahead of the clock nothing can be told
		}
	}
	found = NewestFirst(found)
	if f.Limit > 0 {
		found = found[:min(f.Limit, len(found))]
	}
	var out []Operation
	for _, op := range found {
		var err error
		if op.UndoneBy, err = log.undoneBy(op.ID); err != nil {
			return nil, err
		}
		out = append(out, op.Operation)
	}
	return out, nil
}

// bestKey is the index key that leaves the fewest operations to look at; empty: all.
func (f Filter) bestKey() Key {
	switch {
	case f.Request != "":
		return ByRequest(f.Request)
	case f.Batch != "":
		return ByBatch(f.Batch)
	case f.Status == Proposed && f.Session != "":
		return ByStatus(f.Status) // few wait at a time, and a session may be long
	case f.Session != "":
		return BySession(f.Session)
	case disk.IsMarkdown(f.Entity):
		return ByPath(f.Entity)
	case f.Entity != "":
		return ByEntity(f.Entity)
	case f.Status != "" && f.Status != Completed:
		return ByStatus(f.Status)
	case f.Project != "":
		return ByProject(f.Project)
	case f.Actor != "":
		return ByActor(f.Actor)
	}
	return ""
}

// tooOld reports whether an operation's id, and with it all that follow, is from
// before since. A day's grace allows for clocks that were set.
func tooOld(id string, since time.Time) bool {
	u, err := ulid.ParseStrict(id)
	return err == nil && !since.IsZero() && ulid.Time(u.Time()).Before(since.Add(-24*time.Hour))
}

func (log *Log) selects(f Filter, op Operation) bool {
	return (f.Status == "" && op.Status != statusUnreadable || op.Status == f.Status) &&
		(f.Actor == "" || op.Actor == f.Actor) &&
		(f.Session == "" || op.Session == f.Session) &&
		(f.Request == "" || requestName(op.Request) == f.Request) &&
		(f.Batch == "" || op.Batch == f.Batch) &&
		(f.Since.IsZero() || !op.At.Before(f.Since)) &&
		(f.Project == "" || log.opts.ProjectOf(op.Entity.Path) == f.Project) &&
		(f.Entity == "" || op.About(f.Entity))
}

// Find returns an operation without its patches. The id may be shortened to its last six
// or more characters. It returns ErrNotFound or ErrAmbiguous.
func (log *Log) Find(id string) (*Folded, error) {
	if err := log.Refresh(); err != nil {
		return nil, err
	}
	id = strings.ToUpper(id)
	if op, ok, err := log.Get(id); err != nil || ok {
		return op, err
	}
	if len(id) < shortID {
		return nil, fmt.Errorf("%w: an id needs at least its last %d characters", ErrInvalid, shortID)
	}
	ids, err := log.db.IDsEndingWith(id, 2)
	switch {
	case err != nil:
		return nil, err
	case len(ids) == 0:
		return nil, &disk.NotFoundError{Kind: "operation", Ref: id}
	case len(ids) > 1:
		return nil, fmt.Errorf("%w: several operations end in %s", ErrAmbiguous, id)
	}
	op, ok, err := log.Get(ids[0])
	if err == nil && !ok {
		err = &disk.NotFoundError{Kind: "operation", Ref: id}
	}
	return op, err
}
