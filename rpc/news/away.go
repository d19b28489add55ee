package news

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"kist/vault"
	"kist/vault/catalog"
)

// file has the table, below the folder of local state.
const file = "watches"

const (
	// maxUnread is how many changes that nobody watched are read at the end of a run.
	maxUnread = 256
	// maxRecent is how many changes are kept for the next run: to list is hardly more than to be told of these.
	maxRecent = 4000
	// killed is how many numbers are left out by a run that didn't end cleanly, at the least: a
	// vault reserves as many at its start.
	killed = 1000
	// youngest is how old a version must be for each later one to have another stamp: file
	// systems round times, FAT to 2 s.
	youngest = 2 * time.Second
)

// Resume returns the news of a vault's documents that go on from an earlier run of the
// program: what changed behind its numbers will be known when CatchUp, which must be called, ends. What that
// run left is used up. program tells the program's versions apart.
func Resume(v *vault.Vault, program string) *Documents {
	d := New(v)
	d.program, d.caught = program, make(chan struct{})
	d.reading = d.readNow()
	text, err := vault.TakeAside(v, file)
	if err != nil {
		v.Log().Debug("watches don't go on from an earlier run", "err", err)
		return d
	}
	t, err := parse(text)
	switch began := v.Began(); {
	case err != nil:
		v.Log().Info("watches don't go on from an earlier run", "err", err)
	case t.vault != whose(v), t.seq >= began, began-t.seq > killed:
		v.Log().Info("watches don't go on from an earlier run", "err", "it isn't the run before this one", "seq", t.seq, "began", began)
	default:
		d.left = t
	}
	return d
}

// whose tells vaults apart, and copies of one.
func whose(v *vault.Vault) string { return v.Device() + "\n" + v.Dir() }

// readNow tells in which way documents are read as tasks.
func (d *Documents) readNow() string { return d.program + "\n" + catalog.Reading(d.vault) }

// CatchUp finds what changed since the run before this one, and gives it numbers. The vault
// has to be watched. An error says why that can't be known; then it isn't.
func (d *Documents) CatchUp(ctx context.Context) error {
	defer close(d.caught)
	t := d.left
	d.left = nil
	if t == nil {
		t = &table{floor: d.vault.Began(), read: d.vault.Began(), reading: d.reading}
	}
	differ := differing{vault: d.vault, found: map[string]bool{}}
	if err := catalog.WithStamps(ctx, d.vault, func(now catalog.Stamps) { differ.look(t.versions, now) }); err != nil {
		return err
	}
	differ.read(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.whole, d.floor, d.readFloor = true, t.floor, t.read
	if t.seq == 0 {
		return nil
	}
	if t.reading != d.reading {
		d.readFloor = d.vault.Began()
	}
	d.prepend(t.recent, differ.found)
	// What is numbered already comes with that number.
	numbered, _ := d.vault.ChangedSince(d.vault.Began() - 1)
	for _, c := range numbered {
		delete(differ.found, c.Path)
	}
	vault.Notice(d.vault, slices.Sorted(maps.Keys(differ.found))...)
	return nil
}

// prepend takes in changes of earlier runs, but for documents that changed since.
func (d *Documents) prepend(recent []Change, changed map[string]bool) {
	var order []Change
	for _, c := range recent {
		if _, ok := d.latest[c.Path]; ok || changed[c.Path] {
			continue
		}
		d.latest[c.Path] = c
		order = append(order, c)
	}
	d.order = append(order, d.order...)
}

// differing finds the documents that aren't what they were.
type differing struct {
	vault *vault.Vault
	found map[string]bool
	doubt []version // only what they hold can tell
}

func (d *differing) look(were []version, now catalog.Stamps) {
	there := 0
	for _, was := range were {
		stamp, ok := now.Of(was.path)
		switch {
		case !ok:
			d.found[was.path] = true
			continue
		case was.young || was.stamp != stamp:
			d.doubt = append(d.doubt, was)
		}
		there++
	}
	if there == now.Len() {
		return // as a rule
	}
	known := make(map[string]bool, len(were))
	for _, was := range were {
		known[was.path] = true
	}
	for p := range now.All() {
		if !known[p] {
			d.found[p] = true
		}
	}
}

func (d *differing) read(ctx context.Context) {
	for _, was := range d.doubt {
		if !was.known || ctx.Err() != nil || hashNow(d.vault, was.path) != was.hash {
			d.found[was.path] = true
		}
	}
}

// Leave keeps what the next run needs for going on. Nobody may have an answer any more that
// was made after the call began. An error says why the next run won't know what changed.
func (d *Documents) Leave(ctx context.Context) error {
	select {
	case <-d.caught:
	default:
		return errors.New("what changed before this run isn't known yet")
	}
	v, began := d.vault, time.Now()
	// What is read of the documents between two barriers was heard of before the first one, or
	// is by the second.
	heard, err := v.Barrier(ctx)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.whole {
		return errors.New("what changed before this run isn't known")
	}
	t := &table{vault: whose(v), floor: d.floor, read: d.readFloor, reading: d.reading}
	if changed, _ := v.ChangedSince(d.seq); len(changed) <= maxUnread {
		if err := d.follow(ctx); err != nil {
			return err
		}
	}
	if t.versions, err = d.versions(ctx, began); err != nil {
		return err
	}
	if t.seq, err = v.Barrier(ctx); err != nil {
		return err
	}
	if d.readNow() != t.reading { // nobody was told so
		t.reading, t.read = d.readNow(), t.seq+1
	}
	unread, _ := v.ChangedSince(min(heard, d.seq))
	if err := t.conclude(d.live(), unread, heard); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return vault.PutAside(v, file, t.bytes())
}

// versions tells what the documents are.
func (d *Documents) versions(ctx context.Context, began time.Time) ([]version, error) {
	var out []version
	young := began.Add(-youngest).UnixNano()
	err := catalog.WithStamps(ctx, d.vault, func(now catalog.Stamps) {
		out = make([]version, 0, now.Len())
		for p, s := range now.All() {
			out = append(out, version{path: p, stamp: s, young: max(s.Changed, s.Modified) >= young})
		}
	})
	read := 0
	for i := range out {
		v := &out[i]
		if c, ok := d.latest[v.path]; ok && !c.unread {
			v.known, v.hash = true, c.Hash
		} else if v.young && read < maxUnread {
			v.known, v.hash = true, hashNow(d.vault, v.path)
			read++
		}
	}
	return out, err
}

// live are the changes that count, oldest first.
func (d *Documents) live() []Change {
	var out []Change
	for _, c := range d.order {
		if d.latest[c.Path].Seq == c.Seq {
			out = append(out, c)
		}
	}
	return out
}

// conclude adds changes, and those that weren't read. Of what changed behind heard nobody knows
// whether it was looked at before or after. It returns an error where that may be anything.
func (t *table) conclude(recent []Change, unread []vault.PathChange, heard vault.Seq) error {
	last := map[string]vault.Seq{}
	for _, c := range unread {
		last[c.Path] = c.Seq
	}
	if last[""] > heard {
		return errors.New("anything may have changed just now")
	}
	delete(last, "") // what differed has a number of its own
	told := map[string]bool{}
	for _, c := range recent {
		told[c.Path] = !c.unread && c.Path != ""
	}
	for i := range t.versions {
		if v := &t.versions[i]; last[v.path] > heard {
			v.young, v.known = true, v.known && told[v.path]
		}
	}
	for _, c := range recent {
		switch {
		case c.Resync:
			t.floor, t.recent = max(t.floor, c.Seq), nil
		case c.Seq > t.floor && (last[c.Path] == 0 || told[c.Path]): // what it has become since the next run finds by what was told
			t.recent = append(t.recent, c)
		}
	}
	for _, c := range unread {
		if c.Path == "" || told[c.Path] {
			continue
		}
		t.recent = append(t.recent, Change{Seq: c.Seq, Path: c.Path, unread: true})
	}
	if more := len(t.recent) - maxRecent; more > 0 {
		t.floor, t.recent = t.recent[more-1].Seq, t.recent[more:]
	}
	if t.seq < t.floor {
		return fmt.Errorf("nothing is known of what changed before %d", t.floor)
	}
	return nil
}
