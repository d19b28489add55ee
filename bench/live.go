package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/search/query"

	"kist/index"
	"kist/vault"
)

const (
	// savePause lies between two saves: nobody saves faster than that.
	savePause = 10 * time.Millisecond
	// saveLimit ends the wait for a save that is never found.
	saveLimit = 10 * time.Second
)

// answers asks for everything and returns an error unless the answer is complete.
func (s *session) answers(ctx context.Context) error {
	res, err := s.index.Search(ctx, index.Query{Limit: 1})
	if err != nil {
		return err
	}
	if res.Total == 0 || res.Freshness.Pending > 0 || res.Freshness.Degraded != "" {
		return fmt.Errorf("the first answer is not complete: %d documents, %+v", res.Total, res.Freshness)
	}
	return nil
}

// A live measurement is of a vault that is open and up to date, with bleve's own
// indexes of the same texts beside it.
type live struct {
	*session
	task
	paths           []string
	sections, whole *floor
}

// live searches, saves and changes, as the task says, in this order.
func (t task) live(ctx context.Context, _ task) (r result, err error) {
	l := &live{task: t}
	if l.session, err = openSession(ctx, t.Vault); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	if l.sections, err = openFloor(t.Floor, false); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, l.sections.close()) }()
	if l.whole, err = openFloor(t.Floor, true); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, l.whole.close()) }()
	if err := l.index.Wait(ctx, 0); err != nil {
		return r, err
	}
	if err := l.vault.Walk(ctx, func(i vault.Info) error { l.paths = append(l.paths, i.Path); return nil }, nil); err != nil {
		return r, err
	}
	slices.Sort(l.paths)
	if slices.Contains(t.Do, "search") {
		if err = l.searches(ctx, &r); err != nil {
			return r, err
		}
	}
	if slices.Contains(t.Do, "save") {
		if err = l.saves(ctx, &r); err != nil {
			return r, err
		}
	}
	if slices.Contains(t.Do, "operation") {
		r.Op, err = l.operations(ctx)
	}
	return r, err
}

func (l *live) searches(ctx context.Context, r *result) error {
	texts := make([]string, len(l.paths))
	for i, p := range l.paths {
		text, err := l.vault.Read(p)
		if err != nil {
			return err
		}
		texts[i] = strings.ToLower(string(text))
	}
	d := newDrawer(l.Seed, texts, l.sections.analyzer)
	classes := d.classes(l.Tries)
	r.Classes, r.RareWord = map[string]pair{}, d.pick(d.rare)
	d.texts = nil
	for _, c := range classes {
		p, err := l.class(ctx, c)
		if err != nil {
			return err
		}
		r.Classes[c.name] = p
	}
	return nil
}

// class asks all queries of a class by their words alone, which is all that the floor
// can do, kist and its floor in turns, after a few that don't count.
func (l *live) class(ctx context.Context, c class) (p pair, err error) {
	var kist, bare clock
	f := l.sections
	if c.name == "phrase" {
		f = l.whole // which alone has positions
	}
	warmUp := min(20, len(c.queries))
	for i, q := range slices.Concat(c.queries[:warmUp], c.queries) {
		if i == warmUp {
			kist, bare = nil, nil
		}
		err := kist.time(func() error { _, err := l.index.Search(ctx, index.Query{Text: q.text, Mode: index.Text}); return err })
		if err == nil {
			err = bare.time(func() error { _, err := f.search(ctx, q.floor); return err })
		}
		if err != nil {
			return p, fmt.Errorf("search %q: %w", q.text, err)
		}
	}
	return pair{timing(kist), timing(bare)}, nil
}

// saves measures from before a file is saved until a search finds what is new in it.
func (l *live) saves(ctx context.Context, r *result) error {
	small, err := l.smallNotes()
	if err != nil {
		return err
	}
	kinds := []struct {
		name string
		save func(name string, text []byte) error
		to   *pair
	}{
		{"inplace", saveInPlace, &r.SaveInPlace},
		{"rename", saveRename, &r.SaveRename},
	}
	for _, k := range kinds {
		var kist, bare clock
		for i := range l.Tries {
			p := small[i%len(small)]
			word := fmt.Sprintf("saved%s%dword", k.name, i)
			text, err := l.vault.Read(p)
			if err != nil {
				return err
			}
			text = append(text, "\n\n"+word+"\n"...)
			if err := kist.time(func() error { return l.saveAndFind(ctx, p, text, word, k.save) }); err != nil {
				return err
			}
			if err := bare.time(func() error { return l.saveFloor(ctx, p, text, word, k.save) }); err != nil {
				return err
			}
			time.Sleep(savePause)
		}
		*k.to = pair{timing(kist), timing(bare)}
	}
	return nil
}

// smallNotes returns documents of a usual length: a save of a book is another thing.
func (l *live) smallNotes() (small []string, err error) {
	const usual = 20 << 10
	for _, p := range l.paths {
		info, err := l.vault.Stat(p)
		if err != nil {
			return nil, err
		}
		if info.Size < usual {
			small = append(small, p)
		}
		if len(small) == 200 {
			break
		}
	}
	if len(small) == 0 {
		return nil, fmt.Errorf("no document is smaller than %d KB", usual>>10)
	}
	return small, nil
}

// saveInPlace writes over a file, as some editors do.
func saveInPlace(name string, text []byte) error { return os.WriteFile(name, text, 0o644) }

// saveRename writes beside a file and renames, as the other editors do.
func saveRename(name string, text []byte) error {
	temp := filepath.Join(filepath.Dir(name), ".saving")
	if err := os.WriteFile(temp, text, 0o644); err != nil {
		return err
	}
	return os.Rename(temp, name)
}

func (l *live) saveAndFind(ctx context.Context, p string, text []byte, word string, save func(string, []byte) error) error {
	if err := save(filepath.Join(l.Vault, filepath.FromSlash(p)), text); err != nil {
		return err
	}
	for deadline := time.Now().Add(saveLimit); ; time.Sleep(100 * time.Microsecond) {
		res, err := l.index.Search(ctx, index.Query{Text: word, Limit: 1})
		if err != nil {
			return err
		}
		if len(res.Hits) == 1 && res.Hits[0].Path == p && len(res.Corrected) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s was saved and not found within %v", p, saveLimit)
		}
	}
}

// saveFloor writes the same text, gives bleve the file's entries in one batch and
// asks it for the word.
func (l *live) saveFloor(ctx context.Context, p string, text []byte, word string, save func(string, []byte) error) error {
	if err := save(filepath.Join(l.Floor, "saved"), text); err != nil {
		return err
	}
	if err := l.sections.replace(p, text); err != nil {
		return err
	}
	n, err := l.sections.search(ctx, func() query.FieldableQuery { return query.NewMatchQuery(word) })
	if err == nil && n == 0 {
		err = fmt.Errorf("the floor doesn't find %s", word)
	}
	return err
}

// operations measures durable changes of a 10 KB document; the index has caught up
// before the next one.
func (l *live) operations(ctx context.Context) (p pair, err error) {
	const name = "kist-bench-operation.md"
	body := strings.Repeat("a line of a note, neither short nor long\n", 250)
	var kist, bare clock
	var before []byte
	for i := range l.Tries + 1 {
		after := fmt.Appendf(nil, "%send %d\n", body, i)
		b := vault.Batch{
			Origin: vault.Origin{Actor: vault.ActorUser, Client: "bench"},
			Steps: []vault.Step{{
				Type: vault.OpUpdate, Entity: vault.Entity{Type: "document", Path: name},
				Changes: []vault.Change{{Path: name, Before: before, After: after}},
			}},
		}
		if err := kist.time(func() error { _, err := l.vault.Apply(ctx, b); return err }); err != nil {
			return p, err
		}
		if err := l.index.Wait(ctx, 0); err != nil {
			return p, err
		}
		if err := bare.time(func() error { return replaceFile(filepath.Join(l.Floor, "replaced"), after) }); err != nil {
			return p, err
		}
		before = after
	}
	return pair{timing(kist[1:]), timing(bare[1:])}, nil // the first one made the file
}
