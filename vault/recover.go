package vault

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/oklog/ulid/v2"

	"kist/vault/merge"
)

// recover reads what this device logged last, ends what a crash left without an
// end, and returns the highest sequence number there.
func (v *Vault) recover(ctx context.Context) (Seq, error) {
	if err := v.ops.refreshRecent(); err != nil {
		return 0, err
	}
	var last Seq
	batches := map[string][]*loggedOp{}
	for _, op := range v.ops.ops {
		last = max(last, op.Seq)
		// Ids go on from the newest one even if the clock was set back since.
		if id, err := ulid.ParseStrict(op.ID); err == nil {
			v.ids.last = max(v.ids.last, id.Time()+1)
		}
		// Other devices' operations are theirs to end.
		if op.Status == StatusBegun && v.ops.own(op.patchFile) {
			batches[op.Batch] = append(batches[op.Batch], op)
		}
	}
	for _, ops := range batches {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		sortOps(ops)
		if err := v.recoverBatch(ops); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// recoverBatch carries a batch that was begun to its end: the log has the whole
// change, so what is missing on disk is made up for. A batch of which nothing was
// written is ended as rolled back instead, since nobody was told that it happened.
func (v *Vault) recoverBatch(ops []*loggedOp) error {
	var todo []*planned
	started := false
	for _, op := range ops {
		full, err := v.ops.patches(op)
		if err != nil {
			return err
		}
		p := &planned{op: full}
		for _, c := range full.Changes {
			r, applied, err := v.recoverChange(full, c)
			if err != nil {
				v.log.Error("recovery", "operation", op.ID, "path", c.Path, "err", err)
				p.op.Error = err.Error()
				continue
			}
			started = started || applied
			if r != nil {
				p.files = append(p.files, r)
			}
		}
		todo = append(todo, p)
	}
	for _, p := range todo {
		end, cause := StatusRolledBack, errors.New("interrupted before anything was written")
		if started {
			end, cause = StatusCompleted, nil
			for _, r := range p.files {
				if err := v.replace(r, func() error { return nil }); err != nil {
					end, cause = StatusFailed, fmt.Errorf("finish after a crash: %w", err)
				}
			}
		}
		if p.op.Error != "" {
			end, cause = StatusFailed, errors.New(p.op.Error)
		}
		if _, err := v.finish([]*planned{p}, end, cause, 0); err != nil {
			return err
		}
		v.log.Warn("ended an interrupted operation", "operation", p.op.ID, "status", end)
		v.sweepDirs(p.op)
	}
	return nil
}

// recoverChange says whether a change was applied before the crash and, if not,
// what is left to do.
func (v *Vault) recoverChange(op Operation, c FileChange) (*replacement, bool, error) {
	now, err := v.readOrNil(c.Path)
	if err != nil {
		return nil, false, err
	}
	switch HashOf(now) {
	case c.After:
		return nil, true, nil
	case c.Before:
		after, err := merge.Patch(now, c.Patch)
		if err != nil {
			return nil, false, err
		}
		if HashOf(after) != c.After {
			return nil, false, fmt.Errorf("%w: the patch in the log does not lead to the logged hash", ErrInvalid)
		}
		return &replacement{id: op.ID, path: c.Path, before: now, after: after}, false, nil
	}
	// Somebody edited the file since. If our change can be taken out of it, it is in.
	inverse, err := merge.Invert(c.Patch)
	if err != nil {
		return nil, false, err
	}
	if _, err := merge.Shift(now, inverse); err == nil {
		return nil, true, nil
	}
	after, err := merge.Shift(now, c.Patch)
	if err != nil {
		return nil, false, &ConflictError{Path: c.Path, Reason: "edited while an interrupted operation was open", Now: now}
	}
	return &replacement{id: op.ID, path: c.Path, before: now, after: after}, false, nil
}

// sweepDirs looks for temporary files beside an operation's targets.
func (v *Vault) sweepDirs(op Operation) {
	seen := map[string]bool{}
	var found []string
	for _, c := range op.Changes {
		dir := path.Dir(c.Path)
		if seen[dir] {
			continue
		}
		seen[dir] = true
		entries, err := v.readDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if isTemp(e.Name()) {
				found = append(found, path.Join(dir, e.Name()))
			}
		}
	}
	v.sweep(found)
}

var tempName = regexp.MustCompile(`^\.kist-([0-9A-Z]{26})-[0-9]+\.(part|swap)\.tmp`)

// sweep deals with temporary files that a killed process left behind. A displaced
// file may hold the one copy of what an editor saved, so it is removed only when
// its text is accounted for, and kept as a conflict copy otherwise.
func (v *Vault) sweep(paths []string) {
	for _, p := range paths {
		if _, ours := v.inFlight.Load(p); ours {
			continue
		}
		if err := v.sweepOne(p); err != nil && !errors.Is(err, ErrNotFound) {
			v.log.Error("left-over temporary file", "path", p, "err", err)
		}
	}
}

func (v *Vault) sweepOne(p string) error {
	m := tempName.FindStringSubmatch(path.Base(p))
	if m == nil {
		return nil // not named by us
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ours := v.inFlight.Load(p); ours {
		return nil
	}
	if m[2] == "part" {
		return v.root.Remove(p)
	}
	text, held, _, err := v.readLeased(p)
	if err != nil || held {
		return err // a later look will find it closed
	}
	hash := HashOf(text)
	op, err := v.findOp(m[1])
	if errors.Is(err, ErrNotFound) {
		return v.sweepRecord(p, text)
	}
	if err != nil {
		return err
	}
	target := ""
	for _, c := range op.Changes {
		if path.Dir(c.Path) != path.Dir(p) {
			continue
		}
		if hash == c.Before || hash == c.After {
			return v.root.Remove(p)
		}
		target = c.Path
	}
	if target == "" {
		return nil
	}
	return v.keepCopy(p, target)
}

// sweepRecord deals with the displaced text of a conversation or session file,
// whose writes aren't in the operation log. Records only grow, or are kist's own
// state, so the older text is in the newer one.
func (v *Vault) sweepRecord(p string, text []byte) error {
	dir := path.Dir(p)
	entries, err := v.readDir(dir)
	if err != nil {
		return err
	}
	if dir == v.layout.Sessions {
		return v.root.Remove(p)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.IsDir() {
			continue
		}
		now, err := v.Read(path.Join(dir, e.Name()))
		if err == nil && (strings.HasPrefix(string(now), string(text)) || strings.HasPrefix(string(text), string(now))) {
			return v.root.Remove(p)
		}
	}
	return v.keepCopy(p, path.Join(dir, "recovered.md"))
}
