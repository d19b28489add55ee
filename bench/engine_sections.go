package bench

import (
	"context"

	"github.com/blevesearch/bleve/v2/search/query"

	"kist/bench/drawn"
)

// sectionsAlone is bleve with an entry a section.
type sectionsAlone struct{ bareIndex }

// Name is a column's.
func (*sectionsAlone) Name() string { return "bleve, sections" }

// What says what is indexed.
func (*sectionsAlone) What() string { return "an entry a section, four fields, without positions" }

// Phrases reports whether positions are indexed.
func (*sectionsAlone) Phrases() bool { return false }

// Open opens the index in a folder, or makes one.
func (b *sectionsAlone) Open(dir string) (err error) {
	b.floor, err = openFloor(dir, false)
	return err
}

// Search returns how many entries match.
func (b *sectionsAlone) Search(ctx context.Context, q drawn.Question) (int, error) {
	n, err := b.search(ctx, func() query.FieldableQuery { return query.NewMatchQuery(q.Text) })
	return int(n), err
}

// Close closes the index.
func (b *sectionsAlone) Close() error { return b.close() }
