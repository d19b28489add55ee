package index

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"kist/index/manifest"
	"kist/index/page"
	"kist/index/store"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kist/index/analyze"
	"kist/index/embed"
	"kist/index/intake"
	"kist/index/rank"
	"kist/index/vector"
)

// vectorsPrefix begins the name of the file that a store's vectors are in; the
// store's id follows.
const vectorsPrefix = "vectors-"

// vectors is what a generation knows of meaning. The model doesn't change; a new
// one comes with a new set.
type vectors struct {
	rank.Meaning
	trainedOn int  // documents there were when the model was trained
	changed   int  // documents that had changed since, when the set's file was written
	checked   bool // all documents have their vectors
	ready     bool // of a server's vectors, which have no model here: in use
}

// documents that have changed since the model was trained, at least.
func (v *vectors) drift() int { return v.changed + v.Set.Changed() }

// attachment is what the set's file carries for the index.
func attachment(m *embed.Model, trainedOn, changed int) []byte {
	out := binary.LittleEndian.AppendUint32(nil, uint32(trainedOn))
	out = binary.LittleEndian.AppendUint32(out, uint32(changed))
	return append(out, m.Bytes()...)
}

// firstAttachment is that of a model that was just trained on so many documents.
func firstAttachment(m *embed.Model, documents int) []byte { return attachment(m, documents, 0) }

func vectorsName(dir string, s *store.Store) string { return filepath.Join(dir, vectorsPrefix+s.ID) }

// openVectors opens the file of a store's vectors; fs.ErrNotExist when there is none.
func openVectors(dir string, s *store.Store) (*vectors, error) {
	set, attached, err := vector.Open(vectorsName(dir, s), s.Tables.Number)
	if err != nil {
		return nil, err
	}
	if len(attached) < 8 {
		return nil, errors.Join(vector.ErrDamaged, set.Close())
	}
	model, err := embed.Load(attached[8:])
	if err == nil && model.Dim() != set.Dim() {
		err = vector.ErrDamaged
	}
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return &vectors{
		Meaning:   rank.Meaning{Model: model, Set: set},
		trainedOn: int(binary.LittleEndian.Uint32(attached)), changed: int(binary.LittleEndian.Uint32(attached[4:])),
	}, nil
}

// loadVectors gives a generation the vectors that are stored for it. Ones that
// can't be used are removed: they are learned anew, and search does without them.
func (l *learner) loadVectors(g *generation) {
	v, err := openVectors(l.dir, g.store)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		l.log.Warn("vectors are learned anew", "error", err)
		os.Remove(vectorsName(l.dir, g.store))
	default:
		g.vectors = v
	}
}

// close may be called on nil.
func (v *vectors) close() error {
	if v == nil {
		return nil
	}
	return v.Set.Close()
}

// embedBatch brings the vectors of committed files up to date. It takes a tenth of a
// millisecond a file, less than the commit by far, so there is nothing to put off.
func (l *learner) embedBatch(g *generation, batch []intake.File) {
	l.mu.RLock()
	v := g.vectors
	l.mu.RUnlock()
	if v == nil {
		return
	}
	for _, p := range batch {
		switch {
		case p.Gone:
			v.Set.Delete(p.Path)
		case p.Err != nil:
		case p.Same:
			// Another text may have been in the way when it was to be embedded.
			if stamp, ok := v.Set.Stamp(p.Path); !ok || stamp != vector.Stamp(p.Hash) {
				l.embedFile(g, p.Path)
			}
		case p.Holding.Kept != nil:
			v.amend(p, g.manifest.Files[p.Path])
		default:
			v.Set.Put(p.Embedding.Document(p.Path, p.Hash))
		}
	}
}

// put embeds a document from its file.
func (v *vectors) put(f *page.File, hash manifest.Hash, a analyze.Analyzer) {
	e := &intake.Embedding{Model: v.Model, Sections: f.SectionCount()}
	for i, doc := range f.LayOut(a) {
		doc.Analyse()
		e.Add(i, doc)
	}
	v.Set.Put(e.Document(f.Path, hash))
}

// amend gives a committed document the vectors of the entries that were written, and
// keeps those of the others; e is the document as it is now.
func (v *vectors) amend(p intake.File, e manifest.Entry) {
	h := p.Holding
	stamp, ok := v.Set.Stamp(p.Path)
	sections := !intake.Whole(e.Sections, e.Tokens) && !intake.Whole(h.Entry.Sections, h.Entry.Tokens)
	if !ok || stamp != vector.Stamp(h.Entry.Hash) || !sections {
		v.put(p.Page, p.Hash, p.Analyzer)
		return
	}
	v.Set.Amend(p.Embedding.Document(p.Path, p.Hash), func(at int32) bool { return h.Keeps(page.Place(at).Entry()) })
}

// lacking returns the documents whose vectors aren't those of what is indexed, and
// removes the vectors of documents that aren't indexed any more. The caller holds
// the writing token. There may be no vectors at all.
func (v *vectors) lacking(m *manifest.Manifest) (paths []string) {
	for path, e := range m.Files {
		if v != nil {
			if stamp, ok := v.Set.Stamp(path); ok && stamp == vector.Stamp(e.Hash) {
				continue
			}
		}
		paths = append(paths, path)
	}
	if v != nil {
		for _, key := range v.Set.Keys() {
			if _, ok := m.Files[key]; !ok {
				v.Set.Delete(key)
			}
		}
	}
	slices.SortFunc(paths, strings.Compare)
	return paths
}

// swap puts vectors into use instead of those at hand. The caller holds the writing token.
func (c *core) swap(at **vectors, next *vectors) error {
	c.mu.Lock()
	old := *at
	*at = next
	c.mu.Unlock()
	return old.close()
}

// embedFile embeds a document from its file, if that is what is indexed; if it isn't,
// the next publication sees to it.
func (l *learner) embedFile(g *generation, path string) {
	release, err := l.files.HoldPath(context.Background(), path) // nobody waits for this with some of it
	if err != nil {
		return
	}
	defer release()
	f, err := l.files.Reader().Read(path)
	if err != nil {
		return
	}
	l.mu.RLock()
	known := g.manifest.Files[path]
	l.mu.RUnlock()
	hash := manifest.HashOf(f.Raw)
	if hash != known.Hash {
		return
	}
	g.vectors.put(f, hash, l.files.Langs.Of(f.Lang))
}
