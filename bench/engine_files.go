package bench

import (
	"context"

	"github.com/blevesearch/bleve/v2/search/query"

	"kist/bench/drawn"
)

// wholeFiles is bleve with an entry a file.
type wholeFiles struct{ bareIndex }

// Name is a column's.
func (*wholeFiles) Name() string { return "bleve, files" }

// What says what is indexed.
func (*wholeFiles) What() string { return "an entry a file, its text alone, with positions" }

// Phrases reports whether positions are indexed.
func (*wholeFiles) Phrases() bool { return true }

// Open opens the index in a folder, or makes one.
func (b *wholeFiles) Open(dir string) (err error) {
	b.floor, err = openFloor(dir, true)
	return err
}

// Search returns how many entries match.
func (b *wholeFiles) Search(ctx context.Context, q drawn.Question) (int, error) {
	n, err := b.search(ctx, func() query.FieldableQuery {
		if q.Phrase {
			return query.NewMatchPhraseQuery(q.Text)
		}
		return query.NewMatchQuery(q.Text)
	})
	return int(n), err
}

// Close closes the index.
func (b *wholeFiles) Close() error { return b.close() }
