package served

import (
	"context"
	"errors"
	"fmt"
	"golang.org/x/sync/errgroup"
	"kist/index/vectorcache"
	"time"
)

const (
	// A request has so many texts at most, so many bytes of them, and so long: on a
	// processor alone a slow model takes a second for a long text, and its loading half
	// a minute.
	batchTexts  = 32
	batchText   = 64 << 10
	batchLimit  = 3 * time.Minute
	batchesOnce = 2 // requests at a time: one in work, one on its way
)

// missing are the texts to ask for, each once.
func missing(docs []Document) (texts []Passage) {
	seen := map[vectorcache.Key]bool{}
	for _, d := range docs {
		for _, p := range d.Passages {
			if !p.known && !seen[p.key] {
				seen[p.key] = true
				texts = append(texts, p)
			}
		}
	}
	return texts
}

// Ask has the server make what vectors documents lack and keeps them; answered is called after each
// request. The requests under way when one fails are let finish: what they bring needn't be
// asked for again.
func (r *Server) Ask(ctx context.Context, docs []Document, answered func() error) error {
	texts := missing(docs)
	var group errgroup.Group
	group.SetLimit(batchesOnce)
	failed := make(chan struct{}, batchesOnce)
	for len(texts) > 0 && ctx.Err() == nil && len(failed) == 0 {
		n, size := 0, 0
		for n < len(texts) && n < batchTexts && (n == 0 || size+len(texts[n].Text) <= batchText) {
			size += len(texts[n].Text)
			n++
		}
		batch := texts[:n]
		texts = texts[n:]
		group.Go(func() error {
			if len(failed) > 0 {
				return nil
			}
			err := r.askBatch(ctx, batch)
			if err == nil {
				err = answered()
			}
			if err != nil {
				failed <- struct{}{}
			}
			return err
		})
		if r.cache.Dimension() == 0 {
			// The first answer says how many dimensions there are.
			if err := group.Wait(); err != nil {
				return err
			}
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// askBatch sends one request, or more where the server won't have one of the texts.
func (r *Server) askBatch(ctx context.Context, batch []Passage) error {
	err := r.send(ctx, batch)
	if !refused(err) {
		return err
	}
	// Does it want nothing at all?
	if probe := r.probe(ctx); probe != nil {
		return probe
	}
	for _, p := range batch {
		err := error(nil)
		if len(batch) > 1 {
			err = r.send(ctx, []Passage{p})
		}
		if (len(batch) == 1 || refused(err)) && len(p.Text) > shortPassage {
			short := p
			short.Text = cutText(p.Text, shortPassage)
			err = r.send(ctx, []Passage{short})
		} else if len(batch) == 1 {
			err = errRefusedText{}
		}
		switch {
		case refused(err):
			r.pass(p.key)
		case err != nil:
			return err
		}
	}
	return nil
}

// errRefusedText: a text that was refused already, alone.
type errRefusedText struct{}

func (errRefusedText) Error() string { return "refused" }
func (errRefusedText) Refused() bool { return true }

// pass remembers, until the next start, a text that the server won't have. It is found
// by words.
func (r *Server) pass(key vectorcache.Key) {
	r.odds.Lock()
	defer r.odds.Unlock()
	if len(r.odd) >= maxOdd {
		clear(r.odd)
	}
	r.odd[key] = true
}

// send makes one request and keeps the answer.
func (r *Server) send(ctx context.Context, batch []Passage) error {
	ctx, cancel := context.WithTimeout(ctx, batchLimit)
	defer cancel()
	texts, keys := make([]string, len(batch)), make([]vectorcache.Key, len(batch))
	for i, p := range batch {
		texts[i], keys[i] = p.Text, p.key
	}
	vectors, err := r.embedder.Embed(ctx, texts)
	if err != nil {
		return err
	}
	if err := checkVectors(vectors, len(texts), r.cache.Dimension()); err != nil {
		return err
	}
	err = r.cache.Add(keys, vectors)
	if errors.Is(err, vectorcache.ErrNothing) {
		err = fmt.Errorf("%w: %w", errAnswer, err)
	}
	return err
}

// probe asks for the vector of a text that no server has a reason to refuse.
func (r *Server) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, batchLimit)
	defer cancel()
	_, err := r.embedder.Embed(ctx, []string{"hello"})
	return err
}
