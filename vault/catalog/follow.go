package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kist/vault"
	"kist/vault/documents"
	"kist/vault/obsidian"
)

// maxKept is how many tasks are remembered: at some 400 bytes each, 40 MB.
const maxKept = 100_000

// How long a list waits for the watcher before it looks by itself: as long as that took
// the last time, within these. On a busy machine both take longer.
const (
	leastWait = 50 * time.Millisecond
	mostWait  = 500 * time.Millisecond
)

// sameTime is more than two changes can be apart and have the same time, on file systems
// that are watched.
const sameTime = 100 * time.Millisecond

// Known is what is known of all documents, as of a call.
type Known struct {
	// Entries of all documents that have something to tell, by path, but for templates, and
	// what Obsidian's user excluded. The list and its entries are shared and must not be changed.
	Entries []*Entry
	Seq     vault.Seq // a number from before the call
	Heard   bool      // all that was saved before the call has a number up to Seq
	Told    bool      // what is saved after it gets a number, so that it can be followed from Seq
}

// Now returns what is known. With it the vault knows which notes are projects where they lie
// (see [documents.Places]).
func Now(ctx context.Context, v *vault.Vault) (Known, error) {
	now, err := vault.Kept[follower](v).now(ctx, vault.Whole(v))
	if err != nil {
		return Known{}, fmt.Errorf("look through the documents: %w", err)
	}
	now.Entries = Shown(v, now.Entries)
	return now, nil
}

// Shown leaves out what a vault hides.
func Shown(v *vault.Vault, entries []*Entry) []*Entry {
	hidden := func(e *Entry) bool { return v.Hides(e.Path) }
	if !slices.ContainsFunc(entries, hidden) {
		return entries
	}
	return slices.DeleteFunc(slices.Clone(entries), hidden)
}

// List returns the entries that [Now] does.
func List(ctx context.Context, v *vault.Vault) ([]*Entry, error) {
	now, err := Now(ctx, v)
	return now.Entries, err
}

// Place sees to it that the vault knows which notes are projects where they lie, as of the call.
func Place(ctx context.Context, v *vault.Vault) error {
	_, err := List(ctx, v)
	return err
}

// Follow keeps what is known up to date until ctx ends, so that who asks doesn't wait for much.
func Follow(ctx context.Context, v *vault.Vault) error {
	for {
		seq := v.Seq()
		if err := Place(ctx, v); err != nil && ctx.Err() == nil {
			v.Log().Warn("tasks and projects aren't followed", "err", err)
		}
		if err := v.WaitChange(ctx, seq); err != nil {
			return err
		}
		select {
		case <-time.After(settleTime):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// settleTime lets a burst of changes come to an end.
const settleTime = 250 * time.Millisecond

// Settings reads what Obsidian's settings say of the vault now.
func Settings(v *vault.Vault) obsidian.Settings {
	return *vault.Kept[settings](v).now(vault.Whole(v))
}

// settings remember what was read in their files.
type settings struct {
	mu    sync.Mutex
	texts map[string][]byte
	told  *obsidian.Settings // another one for other texts only
}

func (s *settings) now(v *vault.Vault) *obsidian.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts, same := map[string][]byte{}, s.told != nil
	there := v.HasEditor(obsidian.Folder) // as a rule it isn't, and each file takes longer to be missed
	for _, name := range obsidian.Files() {
		if there {
			texts[name] = v.EditorSettings(obsidian.Folder + "/" + name)
		}
		same = same && bytes.Equal(texts[name], s.texts[name])
	}
	if !same {
		parsed := obsidian.Parse(func(name string) []byte { return texts[name] })
		s.texts, s.told = texts, &parsed
	}
	return s.told
}

// listen waits until what was saved before the call is known, unless that can't be waited
// for, or not in time. Only on Linux do events of several folders come in order.
func (f *follower) listen(ctx context.Context, v *vault.Vault) Known {
	before, watched := v.Seq(), runtime.GOOS == "linux" && v.Watcher() == "watching"
	if !watched {
		return Known{Seq: before}
	}
	ctx, cancel := context.WithTimeout(ctx, min(max(time.Duration(f.took.Load()), leastWait), mostWait))
	defer cancel()
	if seq, err := v.Barrier(ctx); err == nil {
		return Known{Seq: seq, Heard: true, Told: true}
	}
	return Known{Seq: before, Told: true}
}

// A follower remembers the entries.
type follower struct {
	took   atomic.Int64 // how long a look at all documents took, a time.Duration
	mu     sync.Mutex
	known  map[string]known
	most   int        // of known since that map was made
	paths  []Document // of known, by path; nil: to be made, never changed
	newest newest
	stale  map[string]bool // what [News] has to tell; nil: nobody asks for it

	list   []*Entry              // by path; never changed, but replaced
	filled bool                  // all that there was has been looked at, up to seq
	kept   bool                  // and what was saved since has a number, or will have one
	whole  bool                  // all documents were looked at once, so that what differs has changed
	young  map[string]vault.Hash // of those that aren't sure
	anew   bool                  // all have to be read again
	seq    vault.Seq             // what it has reached
	tasks  int                   // in all entries
	limit  int                   // 0: maxKept

	rules    *Rules // of the vault's settings, for from
	from     []string
	settings *obsidian.Settings // by which list leaves out
	taken    []string           // folders of projects/
}

// known is what is known of one document.
type known struct {
	stamp Stamp
	sure  bool   // the file can't have changed without another stamp
	entry *Entry // nil: it has nothing to tell
}

func stampOf(i vault.Info) Stamp {
	return Stamp{i.Size, i.ModTime.UnixNano(), i.ChangeTime.UnixNano(), i.Inode}
}

func (f *follower) now(ctx context.Context, v *vault.Vault) (Known, error) {
	now := f.listen(ctx, v)
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.update(ctx, v, now, !now.Heard)
	if err == nil {
		now.Entries, err = f.told(v)
	}
	return now, err
}

// update takes in what changed up to now. all asks to look at all documents, whatever is known.
func (f *follower) update(ctx context.Context, v *vault.Vault, told Known, all bool) error {
	defer f.shrink()
	f.rule(v)
	changed, now := v.ChangedSince(f.seq)
	anything := slices.ContainsFunc(changed, func(c vault.PathChange) bool { return c.Path == "" })
	if all || anything || !f.filled || told.Heard && !f.kept {
		return f.compare(ctx, v, told)
	}
	few := f.sameOutside(v, changed) && f.list != nil && len(changed) <= maxAmended
	list := f.list
	for i, c := range changed {
		was := f.known[c.Path].entry
		if err := f.look(v, c.Path); err != nil {
			f.kept, f.filled, f.list = false, false, nil
			return err
		}
		if few = few && was.tells() == f.known[c.Path].entry.tells(); !few {
			continue
		}
		if i == 0 {
			list = slices.Clone(list)
		}
		list = f.amended(list, c.Path)
	}
	if f.seq = now; few {
		f.list = list
	} else {
		f.relist(v)
	}
	return nil
}

// maxAmended is of how many changes the list takes in one after the other.
const maxAmended = 100

// amended is a list with what is known of a document now.
func (f *follower) amended(list []*Entry, p string) []*Entry {
	i, found := slices.BinarySearchFunc(list, p, func(e *Entry, p string) int { return strings.Compare(e.Path, p) })
	now := f.known[p].entry
	switch listed := now != nil && !f.settings.LeavesOut(p); {
	case listed && found:
		list[i] = now
	case listed:
		list = slices.Insert(list, i, now)
	case found:
		list = slices.Delete(list, i, i+1)
	}
	return list
}

// tells reports whether a document is a project where it lies.
func (e *Entry) tells() bool { return e != nil && e.project }

// rule takes in the rules of the vault's settings. By others all has to be read anew.
func (f *follower) rule(v *vault.Vault) {
	from := vault.ProjectsFrom(v)
	if f.rules != nil && slices.Equal(from, f.from) {
		return
	}
	rules, err := ParseRules(from)
	if err != nil { // whoever reads the settings has checked them
		v.Log().Warn("rules for projects don't count", "err", err)
		rules = &Rules{}
	}
	f.rules, f.from, f.kept, f.filled, f.anew = rules, slices.Clone(from), false, false, true
}

// sameOutside reports whether what the list depends on beside the documents is as it was.
func (f *follower) sameOutside(v *vault.Vault, changed []vault.PathChange) bool {
	same := true
	if now := vault.Kept[settings](v).now(v); now != f.settings {
		f.settings, same = now, false
	}
	below := v.Layout().Projects + "/"
	if f.taken == nil || slices.ContainsFunc(changed, func(c vault.PathChange) bool { return strings.HasPrefix(c.Path, below) }) {
		taken, err := v.Names(v.Layout().Projects, true)
		if err == nil && (f.taken == nil || !slices.Equal(taken, f.taken)) {
			f.taken, same = append([]string{}, taken...), false
		}
	}
	return same
}

// compare looks at all documents. Those that changed, and which may have been heard of or not, get
// a number.
func (f *follower) compare(ctx context.Context, v *vault.Vault, told Known) error {
	f.kept, f.filled = false, false
	var changed []string
	if f.whole {
		defer func() { vault.Notice(v, changed...) }()
	}
	began := time.Now()
	files, err := documentsOf(ctx, v, told)
	if err != nil {
		return err
	}
	if f.known == nil {
		f.known = make(map[string]known, len(files))
	}
	f.taken = nil
	fresh, there := f.sameOutside(v, nil) && f.list != nil, make(map[string]bool, len(files))
	for _, info := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		there[info.Path] = true
		was, ok := f.known[info.Path]
		same := ok && was.stamp == stampOf(info)
		if same && was.sure && !f.anew {
			continue
		}
		if !same || !was.sure && f.young[info.Path] != hashNow(v, info.Path) {
			changed = append(changed, info.Path)
		}
		f.read(v, info)
		fresh = false
	}
	for p := range f.known {
		if !there[p] {
			changed = append(changed, p)
			f.forget(p)
			fresh = false
		}
	}
	if !fresh {
		f.relist(v)
	}
	f.seq, f.kept, f.filled, f.whole, f.anew = told.Seq, told.Told, true, true, false
	f.took.Store(int64(time.Since(began)))
	return nil
}

// documentsOf lists all documents. Another's walk may be shared where it knows of what was heard.
func documentsOf(ctx context.Context, v *vault.Vault, told Known) ([]vault.Info, error) {
	if told.Heard {
		all, err := v.List(ctx, told.Seq)
		if err != nil {
			return nil, err
		}
		return all.Files, nil
	}
	var files []vault.Info
	err := v.Walk(ctx, func(i vault.Info) error {
		files = append(files, i)
		return nil
	}, nil)
	return files, err
}

// look takes in a document that changed.
func (f *follower) look(v *vault.Vault, p string) error {
	info, err := v.Stat(p)
	if v.Ignored(p) || err != nil {
		if err != nil && !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, vault.ErrNotRegular) &&
			!errors.Is(err, vault.ErrInvalidPath) && !errors.Is(err, vault.ErrNotDownloaded) {
			return err
		}
		f.forget(p)
		return nil
	}
	f.read(v, info)
	return nil
}

func (f *follower) forget(p string) {
	if e := f.known[p].entry; e != nil {
		f.tasks -= len(e.Tasks)
	}
	delete(f.known, p)
	delete(f.young, p)
	f.paths, f.newest.of = nil, nil
	if f.stale != nil {
		f.stale[p] = true
	}
}

// maxStale is how much more than all documents may be news before they are counted as one:
// nobody may ask for it.
const maxStale = 1000

// shrink gives back the room of documents that are gone: a map keeps it.
func (f *follower) shrink() {
	if len(f.stale) > len(f.known)+maxStale {
		f.stale = nil
	}
	if f.most = max(f.most, len(f.known)); f.most > 1000 && len(f.known) < f.most/4 {
		left := make(map[string]known, len(f.known))
		maps.Copy(left, f.known)
		f.known, f.most = left, len(left)
	}
}

// read takes in what a document says now. One that can't be read has nothing to tell:
// the index shows it as a problem.
func (f *follower) read(v *vault.Vault, info vault.Info) {
	f.forget(info.Path)
	if f.known == nil {
		f.known = map[string]known{}
	}
	// One that changed just now may change once more without another time.
	k := known{stamp: stampOf(info), sure: time.Since(info.ChangeTime) >= sameTime}
	if !k.sure {
		if f.young == nil {
			f.young = map[string]vault.Hash{}
		}
		f.young[info.Path] = hashNow(v, info.Path)
	}
	if e := entryOf(v, f.rules, info.Path); e != nil {
		limit := f.limit
		if limit == 0 {
			limit = maxKept
		}
		if f.tasks+len(e.Tasks) > limit {
			e = &Entry{Path: e.Path, more: true, project: e.project}
		}
		k.entry = e
		f.tasks += len(e.Tasks)
	}
	f.known[info.Path] = k
}

// hashNow is of what a document holds; empty: it can't be read.
func hashNow(v *vault.Vault, p string) vault.Hash {
	text, err := v.Read(p)
	if err != nil {
		return ""
	}
	return vault.HashOf(text)
}

func (f *follower) relist(v *vault.Vault) {
	f.list = make([]*Entry, 0, len(f.known))
	var projects []string
	for _, k := range f.known {
		if k.entry == nil || f.settings.LeavesOut(k.entry.Path) {
			continue
		}
		f.list = append(f.list, k.entry)
		if k.entry.project {
			projects = append(projects, k.entry.Path)
		}
	}
	slices.SortFunc(f.list, func(a, b *Entry) int { return strings.Compare(a.Path, b.Path) })
	documents.SetPlaces(v.Folder, lying(v.Layout().Projects, projects, f.taken))
}

// told is the list, with what was too much to be kept read anew.
func (f *follower) told(v *vault.Vault) ([]*Entry, error) {
	if !slices.ContainsFunc(f.list, func(e *Entry) bool { return e.more }) {
		return f.list, nil
	}
	out := slices.Clone(f.list)
	for i, e := range out {
		if now := e; e.more {
			if now = entryOf(v, f.rules, e.Path); now == nil {
				now = &Entry{Path: e.Path}
			}
			out[i] = now
		}
	}
	return out, nil
}
