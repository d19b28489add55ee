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
	"kist/index/intake"
	"kist/vault"
)

// publish brings the entries of paths up to date with the files, in batches.
// between is called after each of them.
func (x *Index) publish(ctx context.Context, g *generation, paths []string, between func(done int) error) error {
	if len(paths) >= buildingFrom {
		defer x.heavy()
	}
	var batch []intake.File
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
	err := x.reading(g).prepareAll(ctx, paths, func(p intake.File) error {
		batch = append(batch, p)
		bytes += p.Weight()
		entries += p.Count
		if bytes >= intake.BatchBytes || entries >= intake.BatchEntries {
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
func (x *Index) commit(ctx context.Context, g *generation, batch []intake.File) error {
	for i := range batch {
		x.reading(g).refresh(&batch[i])
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
			delete(x.waiting, p.Path)
		}
	}
	if len(x.walked) > 0 {
		x.walked = slices.DeleteFunc(slices.Clone(x.walked), func(old vault.Problem) bool {
			return slices.ContainsFunc(batch, func(p intake.File) bool { return p.Err == nil && p.Path == old.Path })
		})
	}
	for _, p := range batch {
		if p.Other != nil && len(x.walked) < maxProblems {
			x.walked = append(slices.Clip(x.walked), p.Other.Problem())
		}
	}
	x.mu.Unlock()
	x.remote.serveBatch(g, batch)
	x.learner.embedBatch(g, batch)
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
func (x *Index) write(ctx context.Context, g *generation, batch []intake.File) error {
	q := intake.NewPortion(func(b *store.Batch) error {
		if err := g.store.Commit(b, g.manifest.Base, slices.Collect(maps.Keys(g.manifest.Dirty))); err != nil {
			return store.Error{Err: err}
		}
		return nil
	})
	for i := range batch {
		if err := x.drop(g, q.Batch, &batch[i]); err != nil {
			return store.Error{Err: err}
		}
	}
	x.touch(g, batch)
	for i := range batch {
		p := &batch[i]
		if g.vectors != nil && p.Page != nil {
			p.Embedding = &intake.Embedding{Model: g.vectors.Model, Sections: p.Page.SectionCount(), Apart: p.Holding.Kept != nil}
		}
		if err := q.Add(ctx, p); err != nil {
			return err
		}
		if p.Long() {
			defer x.heavy()
		}
	}
	return q.Write()
}

// touch notes that a batch is about to be written. Until it is recorded, the manifest
// can't tell what the store has of its files: not whoever searches meanwhile, and not
// whoever tries again should the write fail.
func (x *Index) touch(g *generation, batch []intake.File) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, p := range batch {
		if !p.Same && p.Err == nil {
			g.manifest.Dirty[p.Path] = true
			g.manifest.Writing[p.Path] = true
			delete(g.manifest.Parts, p.Path)
		}
	}
}

// drop has the batch delete what the store has of a file and isn't kept.
func (x *Index) drop(g *generation, b *store.Batch, p *intake.File) error {
	p.Holding, p.Tokens = manifest.Holding{}, [page.NumFields]int{}
	if p.Same || p.Err != nil {
		return nil
	}
	if _, known := g.manifest.Files[p.Path]; !known {
		return nil
	}
	ids, err := g.store.EntryIDs(p.Path)
	if err != nil {
		return err
	}
	if h := g.manifest.Holding(p.Path, p.Parts); h.Kept != nil {
		if len(ids) == len(h.Parts) {
			for i := p.Count; i < len(ids); i++ {
				b.Delete(page.EntryID(p.Path, i))
			}
			p.Holding = h
			return nil
		}
	}
	for _, id := range ids {
		b.Delete(id)
	}
	return nil
}

// record notes in the manifest that p is committed.
func record(m *manifest.Manifest, p intake.File) {
	old, known := m.Files[p.Path]
	switch {
	case p.Gone:
		m.Remove(p.Path)
	case errors.Is(p.Err, vault.ErrNotDownloaded):
		if known { // else the walk tells of it
			m.Set(p.Path, failing(old), []vault.Problem{{
				Path: p.Path, Message: "not downloaded: what is searchable is from before", Hint: "have it kept on this machine",
			}})
		}
	case p.Err != nil:
		// Unreadable is not gone: what is indexed stays, and it is tried again.
		m.Set(p.Path, failing(old), []vault.Problem{{
			Path: p.Path, Message: fmt.Sprintf("can't be read: %v", p.Err), Hint: "check its permissions and its name",
		}})
	case p.Same && known:
		e := old
		e.Stat(p.Page.Info, p.Page.Read)
		problems := m.Problems[p.Path]
		m.Set(p.Path, e, problems)
	default:
		e := manifest.Entry{Hash: p.Hash, Entries: p.Count, Sections: p.Page.SectionCount(), Tokens: p.Tokens, Date: p.Page.Date, Revised: p.Page.Revised, Lang: analyze.NameOf(p.Page.Lang)}
		if p.Page.HeadOnly {
			e.Flags |= manifest.HeadOnly
		}
		if p.Page.Failed {
			e.Flags |= manifest.Failed
		}
		e.Stat(p.Page.Info, p.Page.Read)
		m.Set(p.Path, e, p.Page.Problems)
		if delete(m.Parts, p.Path); p.Parts != nil {
			m.Parts[p.Path] = p.Parts
		}
	}
}

func failing(e manifest.Entry) manifest.Entry {
	e.Flags |= manifest.Failed | manifest.Unsure
	return e
}
