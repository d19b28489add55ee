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
	"kist/index/vector"
)

// vectorsPrefix begins the name of the file that a store's vectors are in; the
// store's id follows.
const vectorsPrefix = "vectors-"

// wholeTokens is the length of a document up to which it gets one vector, and not
// one for each section: sections of a short note have too few words each to say
// what they are about, and a long document is about many things.
const wholeTokens = 400

// vectors is what a generation knows of meaning. The model doesn't change; a new
// one comes with a new set.
type vectors struct {
	model     *embed.Model
	set       *vector.Set
	trainedOn int  // documents there were when the model was trained
	changed   int  // documents that had changed since, when the set's file was written
	checked   bool // all documents have their vectors
	ready     bool // of a server's vectors, which have no model here: in use
}

// documents that have changed since the model was trained, at least.
func (v *vectors) drift() int { return v.changed + v.set.Changed() }

// attachment is what the set's file carries for the index.
func attachment(m *embed.Model, trainedOn, changed int) []byte {
	out := binary.LittleEndian.AppendUint32(nil, uint32(trainedOn))
	out = binary.LittleEndian.AppendUint32(out, uint32(changed))
	return append(out, m.Bytes()...)
}

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
		model: model, set: set,
		trainedOn: int(binary.LittleEndian.Uint32(attached)), changed: int(binary.LittleEndian.Uint32(attached[4:])),
	}, nil
}

// loadVectors gives a generation the vectors that are stored for it. Ones that
// can't be used are removed: they are learned anew, and search does without them.
func (x *Index) loadVectors(g *generation) {
	v, err := openVectors(x.dir, g.store)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		x.log.Warn("vectors are learned anew", "error", err)
		os.Remove(vectorsName(x.dir, g.store))
	default:
		g.vectors = v
	}
	x.loadServed(g)
}

// close may be called on nil.
func (v *vectors) close() error {
	if v == nil {
		return nil
	}
	return v.set.Close()
}

// embedBatch brings the vectors of committed files up to date. It takes a tenth of a
// millisecond a file, less than the commit by far, so there is nothing to put off.
func (x *Index) embedBatch(g *generation, batch []prepared) {
	x.serveBatch(g, batch)
	x.mu.RLock()
	v := g.vectors
	x.mu.RUnlock()
	if v == nil {
		return
	}
	for _, p := range batch {
		switch {
		case p.gone:
			v.set.Delete(p.path)
		case p.err != nil:
		case p.same:
			// Another text may have been in the way when it was to be embedded.
			if stamp, ok := v.set.Stamp(p.path); !ok || stamp != vector.Stamp(p.hash) {
				x.embedFile(g, p.path)
			}
		case p.holding.Kept != nil:
			v.amend(p, g.manifest.Files[p.path])
		default:
			v.set.Put(p.embedding.document(p.path, p.hash))
		}
	}
}

// put embeds a document from its file.
func (v *vectors) put(f *page.File, hash manifest.Hash, a analyze.Analyzer) {
	e := &embedding{model: v.model, sections: f.SectionCount()}
	for i, doc := range f.LayOut(a) {
		doc.Analyse()
		e.add(i, doc)
	}
	v.set.Put(e.document(f.Path, hash))
}

// amend gives a committed document the vectors of the entries that were written, and
// keeps those of the others; e is the document as it is now.
func (v *vectors) amend(p prepared, e manifest.Entry) {
	h := p.holding
	stamp, ok := v.set.Stamp(p.path)
	sections := !whole(e.Sections, e.Tokens) && !whole(h.Entry.Sections, h.Entry.Tokens)
	if !ok || stamp != vector.Stamp(h.Entry.Hash) || !sections {
		v.put(p.file, p.hash, p.Analyzer)
		return
	}
	v.set.Amend(p.embedding.document(p.path, p.hash), func(at int32) bool { return h.Keeps(page.Place(at).Entry()) })
}

// An embedding makes the vectors of a document from its entries, which it is given one
// after the other once they are analysed.
type embedding struct {
	model    *embed.Model
	sections int  // of the document
	apart    bool // each section gets one of its own for certain
	early    []page.Entry
	tokens   [page.NumFields]int // of these
	passages []vector.Passage
}

func (e *embedding) add(ordinal int, doc page.Entry) {
	if e.apart {
		e.embed(ordinal, doc)
		return
	}
	e.early = append(e.early, doc)
	for f, n := range doc.Lengths() {
		e.tokens[f] += n
	}
	if !whole(e.sections, e.tokens) {
		e.separate()
	}
}

// separate gives each section of the early entries a vector.
func (e *embedding) separate() {
	for i, doc := range e.early {
		e.embed(i, doc)
	}
	e.early, e.apart = nil, true
}

// embed adds the passages of an entry's sections, as far as they have a direction.
func (e *embedding) embed(ordinal int, doc page.Entry) {
	for i, counts := range doc.Text.Counts() {
		e.pass(page.PlaceOf(ordinal, i), counts)
	}
}

func (e *embedding) pass(at page.Place, counts map[string]int) {
	if text := e.model.Text(counts); text != nil {
		e.passages = append(e.passages, vector.Passage{Ordinal: int32(at), Vector: text})
	}
}

// document is what was made, once all entries were added: one vector of a short document.
func (e *embedding) document(path string, hash manifest.Hash) vector.Document {
	counts := map[string]int{}
	for i, doc := range e.early {
		doc.AddTerms(counts, i == 0)
	}
	if len(e.early) > 0 {
		e.pass(0, counts)
		e.early = nil
	}
	return vector.Document{Key: path, Stamp: vector.Stamp(hash), Passages: e.passages}
}

// whole reports whether a document of so many sections and tokens gets one vector.
func whole(sections int, tokens [page.NumFields]int) bool {
	return sections == 1 || tokens[page.FieldHeadings]+tokens[page.FieldBody] <= wholeTokens
}

// pending returns the documents whose vectors aren't those of what is indexed, and
// removes the vectors of documents that aren't indexed any more. The caller holds
// the writing token.
func (x *Index) pending(g *generation) (paths []string) {
	for path, e := range g.manifest.Files {
		if stamp, ok := g.vectors.set.Stamp(path); !ok || stamp != vector.Stamp(e.Hash) {
			paths = append(paths, path)
		}
	}
	for _, key := range g.vectors.set.Keys() {
		if _, ok := g.manifest.Files[key]; !ok {
			g.vectors.set.Delete(key)
		}
	}
	slices.SortFunc(paths, strings.Compare)
	return paths
}

// embedFile embeds a document from its file, if that is what is indexed; if it isn't,
// the next publication sees to it.
func (x *Index) embedFile(g *generation, path string) {
	release, err := holdPath(context.Background(), x, path) // nobody waits for this with some of it
	if err != nil {
		return
	}
	defer release()
	f, err := x.reader().Read(path)
	if err != nil {
		return
	}
	x.mu.RLock()
	known := g.manifest.Files[path]
	x.mu.RUnlock()
	hash := manifest.HashOf(f.Raw)
	if hash != known.Hash {
		return
	}
	g.vectors.put(f, hash, x.langs.Of(f.Lang))
}
