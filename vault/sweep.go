package vault

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"kist/vault/fsys"
)

// sweepDirs looks for temporary files beside an operation's targets, and for
// folders that it left empty.
func (v *Vault) sweepDirs(op Operation) {
	seen := map[string]bool{}
	for _, c := range op.Changes {
		for _, p := range []string{c.Path, c.From} {
			if dir := path.Dir(p); p != "" && !seen[dir] {
				seen[dir] = true
				v.sweepDir(dir)
			}
		}
	}
}

func (v *Vault) sweepDir(dir string) {
	entries, err := v.readDir(dir)
	if err != nil {
		return
	}
	var found []string
	for _, e := range entries {
		if isTemp(e.Name()) {
			found = append(found, path.Join(dir, e.Name()))
		}
	}
	v.sweep(found)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.removeEmptyDirs(dir)
}

var tempName = regexp.MustCompile(`^\.kist-([0-9A-Z]{26})-[0-9]+(?:-([0-9a-f]{8}))?\.(part|swap)\.tmp`)

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
	if m[3] == "part" {
		return v.disk().Remove(p)
	}
	text, held, _, err := v.readLeased(p)
	if err != nil || held {
		return err // a later look will find it closed
	}
	op, err := v.findOp(m[1])
	if errors.Is(err, ErrNotFound) {
		return v.sweepRecord(p, text)
	}
	if err != nil {
		return err
	}
	if op.Status == StatusBegun {
		return nil // the next start ends it first
	}
	defer v.removeEmptyDirs(path.Dir(p))
	return v.sweepSwap(p, m[2], HashOf(text), op)
}

// sweepSwap deals with a file that op displaced, or didn't come to put in place. The
// tag says for which of its targets.
func (v *Vault) sweepSwap(p, tag string, hash Hash, op *loggedOp) error {
	if slices.Contains(op.Stated, hash) {
		return v.disk().Remove(p) // of an earlier attempt
	}
	dir, target := path.Dir(p), ""
	for _, c := range op.Changes {
		name := c.Path
		if c.From != "" {
			name = c.From
			if same, err := v.sameFile(p, c.Path); err == nil && same {
				return v.disk().Remove(p)
			}
		}
		if path.Dir(name) != dir || tag != "" && tag != tempTag(name) {
			continue
		}
		target = name
		if hash != c.Before && hash != c.After {
			continue
		}
		if v.there(name) || op.Status == StatusCompleted || hash != c.Before {
			return v.disk().Remove(p)
		}
		// The operation failed, and this is the only copy in sight.
		return v.restore(p, name)
	}
	if target == "" {
		return nil
	}
	return v.keepCopy(p, target)
}

func (v *Vault) restore(tmp, target string) error {
	dir, err := v.disk().OpenFolder(path.Dir(target))
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := v.putBack(dir, tmp, target); err != nil {
		return err
	}
	v.changes.add(target)
	return nil
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
		return v.disk().Remove(p)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.IsDir() {
			continue
		}
		now, err := v.Read(path.Join(dir, e.Name()))
		if err == nil && (strings.HasPrefix(string(now), string(text)) || strings.HasPrefix(string(text), string(now))) {
			return v.disk().Remove(p)
		}
	}
	return v.keepCopy(p, path.Join(dir, "recovered.md"))
}

// dropTwins removes the second name that a swap by link gave to the target before
// it was cut short: a file with two names is not written to.
func (v *Vault) dropTwins(op Operation, target string) {
	fi, err := v.root.Lstat(target)
	if err != nil || fsys.Links(fi) < 2 {
		return
	}
	dir := path.Dir(target)
	entries, err := v.readDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		twin := path.Join(dir, e.Name())
		if m := tempName.FindStringSubmatch(e.Name()); m == nil || m[1] != op.ID {
			continue
		}
		if same, err := v.sameFile(twin, target); err == nil && same {
			_ = v.disk().Remove(twin) // the edit will say that there are two names
		}
	}
}
