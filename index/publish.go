package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/store"
	"maps"
	"slices"

	"kist/index/analyze"
	"kist/vault"
)

// A batch is committed when it has this many bytes of text or entries. Larger
// ones cost memory and gain nothing: measured on 6,289 files, batches of 1 MB
// build as fast as those of 5 MB and peak at a third of the memory.
const (
	batchBytes   = 1 << 20
	batchEntries = 4000
)

// publish brings the entries of paths up to date with the files, in batches.
// between is called after each of them.
func (x *Index) publish(ctx context.Context, g *generation, paths []string, between func(done int) error) error {
	if len(paths) >= buildingFrom {
		defer x.heavy()
	}
	var batch []prepared
	bytes, entries, done := 0, 0, 0
	flush := func() error {
		x.courtesy.GiveWay(ctx)
		if err := x.commit(ctx, g, batch); err != nil {
			return err
		}
		done += len(batch)
		batch, bytes, entries = nil, 0, 0
		return between(done)
	}
	err := x.prepareAll(ctx, g, paths, func(p prepared) error {
		batch = append(batch, p)
		bytes += p.weight()
		entries += p.count
		if bytes >= batchBytes || entries >= batchEntries {
			return flush()
		}
		return nil
	})
	if err != nil || len(batch) == 0 {
		return err
	}
	return flush()
}

// commit makes a batch durable and visible, and then the manifest's business. What a
// long file has is written in portions; where the last of them isn't reached the
// manifest isn't sure of any of the batch.
func (x *Index) commit(ctx context.Context, g *generation, batch []prepared) error {
	for i := range batch {
		x.refresh(g, &batch[i])
	}
	if err := x.write(ctx, g, batch); err != nil {
		x.mu.Lock()
		g.manifest.Doubt(slices.Collect(maps.Keys(g.manifest.Writing)))
		clear(g.manifest.Writing)
		x.mu.Unlock()
		return err
	}
	x.mu.Lock()
	clear(g.manifest.Writing)
	for _, p := range batch {
		record(g.manifest, p)
		if g == x.current {
			delete(x.waiting, p.path)
		}
	}
	if len(x.walked) > 0 {
		x.walked = slices.DeleteFunc(slices.Clone(x.walked), func(old vault.Problem) bool {
			return slices.ContainsFunc(batch, func(p prepared) bool { return p.err == nil && p.path == old.Path })
		})
	}
	for _, p := range batch {
		if p.other != nil && len(x.walked) < maxProblems {
			x.walked = append(slices.Clip(x.walked), p.other.Problem())
		}
	}
	x.mu.Unlock()
	x.embedBatch(g, batch)
	// The list of dirty paths is written with each commit, so it must stay short
	// beside the manifest that it saves writing.
	if len(g.manifest.Dirty) > max(2000, len(g.manifest.Files)/4) {
		if err := g.save(x.dir); err != nil {
			return store.Error{Err: err}
		}
	}
	return nil
}

// write puts a batch into the store.
func (x *Index) write(ctx context.Context, g *generation, batch []prepared) error {
	q := newPortion(func(b *store.Batch) error {
		if err := g.store.Commit(b, g.manifest.Base, slices.Collect(maps.Keys(g.manifest.Dirty))); err != nil {
			return store.Error{Err: err}
		}
		return nil
	})
	for i := range batch {
		if err := x.drop(g, q.batch, &batch[i]); err != nil {
			return store.Error{Err: err}
		}
	}
	x.touch(g, batch)
	for i := range batch {
		p := &batch[i]
		if g.vectors != nil && p.file != nil {
			p.embedding = &embedding{model: g.vectors.model, sections: p.file.SectionCount(), apart: p.holding.Kept != nil}
		}
		if err := q.add(ctx, p); err != nil {
			return err
		}
		if p.long() {
			defer x.heavy()
		}
	}
	return q.write()
}

// touch notes that a batch is about to be written. Until it is recorded, the manifest
// can't tell what the store has of its files: not whoever searches meanwhile, and not
// whoever tries again should the write fail.
func (x *Index) touch(g *generation, batch []prepared) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, p := range batch {
		if !p.same && p.err == nil {
			g.manifest.Dirty[p.path] = true
			g.manifest.Writing[p.path] = true
			delete(g.manifest.Parts, p.path)
		}
	}
}

// drop has the batch delete what the store has of a file and isn't kept.
func (x *Index) drop(g *generation, b *store.Batch, p *prepared) error {
	p.holding, p.tokens = manifest.Holding{}, [page.NumFields]int{}
	if p.same || p.err != nil {
		return nil
	}
	if _, known := g.manifest.Files[p.path]; !known {
		return nil
	}
	if h := g.manifest.Holding(p.path, p.parts); h.Kept != nil {
		n, err := g.store.CountEntries(p.path)
		if err != nil {
			return err
		}
		if n == len(h.Parts) {
			for i := p.count; i < n; i++ {
				b.Delete(page.EntryID(p.path, i))
			}
			p.holding = h
			return nil
		}
	}
	ids, err := g.store.EntryIDs(p.path)
	for _, id := range ids {
		b.Delete(id)
	}
	return err
}

// record notes in the manifest that p is committed.
func record(m *manifest.Manifest, p prepared) {
	old, known := m.Files[p.path]
	switch {
	case p.gone:
		m.Remove(p.path)
	case errors.Is(p.err, vault.ErrNotDownloaded):
		if known { // else the walk tells of it
			m.Set(p.path, failing(old), []vault.Problem{{
				Path: p.path, Message: "not downloaded: what is searchable is from before", Hint: "have it kept on this machine",
			}})
		}
	case p.err != nil:
		// Unreadable is not gone: what is indexed stays, and it is tried again.
		m.Set(p.path, failing(old), []vault.Problem{{
			Path: p.path, Message: fmt.Sprintf("can't be read: %v", p.err), Hint: "check its permissions and its name",
		}})
	case p.same && known:
		e := old
		e.Stat(p.file.Info, p.file.Read)
		problems := m.Problems[p.path]
		m.Set(p.path, e, problems)
	default:
		e := manifest.Entry{Hash: p.hash, Entries: p.count, Sections: p.file.SectionCount(), Tokens: p.tokens, Date: p.file.Date, Revised: p.file.Revised, Lang: analyze.NameOf(p.file.Lang)}
		if p.file.HeadOnly {
			e.Flags |= manifest.HeadOnly
		}
		if p.file.Failed {
			e.Flags |= manifest.Failed
		}
		e.Stat(p.file.Info, p.file.Read)
		m.Set(p.path, e, p.file.Problems)
		if delete(m.Parts, p.path); p.parts != nil {
			m.Parts[p.path] = p.parts
		}
	}
}

func failing(e manifest.Entry) manifest.Entry {
	e.Flags |= manifest.Failed | manifest.Unsure
	return e
}
