package index

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/document"

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

func vectorsName(dir string, s *store) string { return filepath.Join(dir, vectorsPrefix+s.id) }

// openVectors opens the file of a store's vectors; fs.ErrNotExist when there is none.
func openVectors(dir string, s *store) (*vectors, error) {
	set, attached, err := vector.Open(vectorsName(dir, s), s.tables.number)
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
		case p.holding.kept != nil:
			v.amend(p, g.manifest.files[p.path])
		default:
			v.put(p.path, p.hash, p.docs)
		}
	}
}

// put embeds a document that bleve has analysed.
func (v *vectors) put(path string, hash contentHash, docs []*document.Document) {
	d := vector.Document{Key: path, Stamp: vector.Stamp(hash)}
	n := lengths(docs)
	if whole(len(docs), n) {
		counts := map[string]int{}
		for i, doc := range docs {
			addTerms(counts, doc, i == 0)
		}
		docs = nil
		if text := v.model.Text(counts); text != nil {
			d.Passages = append(d.Passages, vector.Passage{Vector: text})
		}
	}
	for i, doc := range docs {
		d.Passages = v.embed(d.Passages, i, doc)
	}
	v.set.Put(d)
}

// embed adds an entry's passage, if it has a direction.
func (v *vectors) embed(passages []vector.Passage, ordinal int, doc *document.Document) []vector.Passage {
	counts := map[string]int{}
	addTerms(counts, doc, true)
	if text := v.model.Text(counts); text != nil {
		passages = append(passages, vector.Passage{Ordinal: int32(ordinal), Vector: text})
	}
	return passages
}

// amend embeds the entries of a committed document that were written, and keeps the
// vectors of the others; e is the document as it is now.
func (v *vectors) amend(p prepared, e entry) {
	h := p.holding
	stamp, ok := v.set.Stamp(p.path)
	sections := !whole(e.sections, e.tokens) && !whole(h.entry.sections, h.entry.tokens)
	if !ok || stamp != vector.Stamp(h.entry.hash) || !sections {
		for i := range p.docs {
			if h.keeps(i) {
				analyse(p.docs[i : i+1]) // bleve hasn't
			}
		}
		v.put(p.path, p.hash, p.docs)
		return
	}
	d := vector.Document{Key: p.path, Stamp: vector.Stamp(p.hash)}
	for i, doc := range p.docs {
		if !h.keeps(i) {
			d.Passages = v.embed(d.Passages, i, doc)
		}
	}
	v.set.Amend(d, func(ordinal int32) bool { return h.keeps(int(ordinal)) })
}

// whole reports whether a document of so many sections and tokens gets one vector.
func whole(sections int, tokens [numFields]int) bool {
	return sections == 1 || tokens[fieldHeadings]+tokens[fieldBody] <= wholeTokens
}

// embedded are the fields that vectors are made of. Front matter is left out: it is
// full of names and numbers that are alike in documents that aren't.
var embedded = [...]textField{fieldTitle, fieldHeadings, fieldBody}

// addTerms counts an entry's terms. The title is in all entries of a document; who
// adds them up wants it once.
func addTerms(counts map[string]int, d *document.Document, title bool) {
	for _, f := range d.Fields {
		if !slices.ContainsFunc(embedded[:], func(t textField) bool { return t.name() == f.Name() }) || !title && f.Name() == fieldTitle.name() {
			continue
		}
		for term, freq := range f.AnalyzedTokenFrequencies() {
			counts[term] += freq.Frequency()
		}
	}
}

// pending returns the documents whose vectors aren't those of what is indexed, and
// removes the vectors of documents that aren't indexed any more. The caller holds
// the writing token.
func (x *Index) pending(g *generation) (paths []string) {
	for path, e := range g.manifest.files {
		if stamp, ok := g.vectors.set.Stamp(path); !ok || stamp != vector.Stamp(e.hash) {
			paths = append(paths, path)
		}
	}
	for _, key := range g.vectors.set.Keys() {
		if _, ok := g.manifest.files[key]; !ok {
			g.vectors.set.Delete(key)
		}
	}
	slices.SortFunc(paths, strings.Compare)
	return paths
}

// embedFile embeds a document from its file, if that is what is indexed; if it isn't,
// the next publication sees to it.
func (x *Index) embedFile(g *generation, path string) {
	f, err := x.readFile(path)
	if err != nil {
		return
	}
	x.mu.RLock()
	known := g.manifest.files[path]
	x.mu.RUnlock()
	hash := hashOf(f.raw)
	if hash != known.hash {
		return
	}
	docs := f.entries(x.langs.of(f.lang))
	analyse(docs)
	g.vectors.put(path, hash, docs)
}

// analyse does what bleve does with entries that are committed.
func analyse(docs []*document.Document) {
	for _, d := range docs {
		for _, field := range d.Fields {
			field.Analyze()
		}
	}
}
