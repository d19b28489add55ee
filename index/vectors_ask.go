package index

import (
	"context"
	"errors"
	"fmt"
	"kist/index/manifest"
	"kist/index/vectorcache"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// A request has so many texts at most, so many bytes of them, and so long: on a
	// processor alone a slow model takes a second for a long text, and its loading half
	// a minute.
	batchTexts  = 32
	batchText   = 64 << 10
	batchLimit  = 3 * time.Minute
	batchesOnce = 2 // requests at a time: one in work, one on its way

	// windowFiles are read, asked for and published together. Should the process end,
	// no more than that has to be read again; what was answered is in the cache.
	windowFiles = 200
	windowText  = 8 << 20 // bytes of their texts

	// progressEvery is how often what is complete of them is published all the same, so
	// that progress shows where the server is slow.
	progressEvery = time.Second

	// cacheSlack is how many vectors more than four for each section there may be before
	// the cache is shortened.
	cacheSlack = 10_000

	// After a failure the server is left alone for a moment, each time twice as long, but
	// one that comes back is noticed within ten seconds.
	retryLeast = time.Second
	retryMost  = 8 * time.Second
)

// followServed keeps served vectors up until ctx ends; wait returns when it has.
func (x *Index) followServed(ctx context.Context) (wait func()) {
	if x.served == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.served.follow(ctx, x.advanceServed, func(err error, next time.Duration) {
			if err != nil {
				x.log.Warn("documents are not embedded; search goes on without", "error", err, "again in", next.Round(time.Second))
				return
			}
			x.log.Info("documents are embedded again", "model", x.served.embedder.Model())
		})
	}()
	return func() { <-done }
}

// follow calls work whenever there may be something to do, and again after a failure,
// later each time. It calls report on a first failure and when all is well again.
func (r *served) follow(ctx context.Context, work func(context.Context) error, report func(error, time.Duration)) {
	failures := 0
	for {
		var timer <-chan time.Time
		look := r.look
		if failures > 0 {
			// Nothing but time, or a server that answers again, is a reason to try.
			look = nil
			timer = time.After(backOff(failures, rand.Float64()))
		}
		select {
		case <-look:
		case <-timer:
		case <-r.again:
		case <-ctx.Done():
			return
		}
		err := work(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			if failures > 0 {
				report(nil, 0)
			}
			failures = 0
			r.setProblem(nil)
		default:
			if failures++; failures == 1 {
				report(err, backOff(1, 0))
			}
			r.setProblem(err)
		}
	}
}

// backOff is how long to wait after so many failures: twice as long each time up to a
// ceiling, and up to a quarter longer by chance (0 to 1), lest all daemons of a network
// come back to a server at once.
func backOff(failures int, chance float64) time.Duration {
	d := retryMost
	if n := failures - 1; n < 16 {
		d = min(retryMost, retryLeast<<n)
	}
	return d + time.Duration(chance*float64(d)/4)
}

func (r *served) setProblem(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problem = ""
	if err != nil {
		r.problem = fmt.Sprintf("%s: %v; %s; it is tried again by itself", r.embedder.Model(), err, hintOf(err))
	} else {
		r.queries.well()
	}
}

// advanceServed embeds all documents that lack vectors.
func (x *Index) advanceServed(ctx context.Context) error {
	r := x.served
	for {
		g, err := x.surveyServed(ctx)
		if err != nil {
			return err
		}
		marks := r.servedPaths(windowFiles)
		if len(marks) == 0 {
			if err := x.trimCache(ctx, g); err != nil {
				return err
			}
			return x.foldServed(ctx, g)
		}
		docs, failed := x.serveWindow(ctx, g, marks)
		if failed != nil && ctx.Err() == nil {
			// What is complete is published all the same.
			for _, d := range docs {
				if !d.complete() {
					delete(marks, d.path)
				}
			}
		}
		if err := x.publishServed(ctx, g, marks, docs); err != nil {
			return err
		}
		if failed != nil {
			return failed
		}
		if err := x.foldServed(ctx, g); err != nil {
			return err
		}
	}
}

// serveWindow reads some documents and has the server make what vectors they lack.
func (x *Index) serveWindow(ctx context.Context, g *generation, marks map[string]uint64) ([]servedDocument, error) {
	r := x.served
	var docs []servedDocument
	size := 0
	for path := range marks {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if size > windowText {
			delete(marks, path) // next time
			continue
		}
		f, err := x.files.Reader().Read(path)
		if err != nil {
			continue
		}
		x.mu.RLock()
		e := g.manifest.Files[path]
		x.mu.RUnlock()
		if hash := manifest.HashOf(f.Raw); hash == e.Hash {
			r.mu.Lock()
			docs = append(docs, r.document(f, hash, e))
			r.mu.Unlock()
			size += len(f.Text)
		}
	}
	err := r.ask(ctx, missing(docs), publishing(ctx, x, g, marks, docs))
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range docs {
		r.recall(&docs[i])
	}
	return docs, err
}

// publishing returns what is called with each answer while documents are asked for, and may
// be called concurrently: it publishes those that are complete, now and then.
func publishing(ctx context.Context, x *Index, g *generation, marks map[string]uint64, docs []servedDocument) func() error {
	var mu sync.Mutex
	last, published := time.Now(), map[string]bool{}
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) < progressEvery {
			return nil
		}
		some, complete := map[string]uint64{}, []servedDocument(nil)
		x.served.mu.Lock()
		for i := range docs {
			x.served.recall(&docs[i])
			if d := docs[i]; d.complete() && !published[d.path] {
				published[d.path], some[d.path] = true, marks[d.path]
				complete = append(complete, d)
			}
		}
		x.served.mu.Unlock()
		err := x.publishServed(ctx, g, some, complete)
		last = time.Now()
		return err
	}
}

// trimCache shortens the cache when it holds many times what the vault has, after years
// of changes. As much again as is needed stays, the newest of it, for what is taken back.
func (x *Index) trimCache(ctx context.Context, g *generation) error {
	r := x.served
	x.mu.RLock()
	sections := g.manifest.Sections
	paths := slices.Collect(maps.Keys(g.manifest.Files))
	x.mu.RUnlock()
	if r.cache.Size() <= cacheSlack+4*sections {
		return nil
	}
	wanted := make(map[vectorcache.Key]bool, sections)
	_, prompt := r.embedder.Prompts()
	for _, path := range paths {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f, err := x.files.Reader().Read(path)
		if err != nil {
			continue
		}
		x.mu.RLock()
		e := g.manifest.Files[path]
		x.mu.RUnlock()
		for _, p := range passages(f, prompt, e) {
			wanted[p.key] = true
		}
	}
	return r.cache.Keep(func(k vectorcache.Key) bool { return wanted[k] }, sections)
}

// missing are the texts to ask for, each once.
func missing(docs []servedDocument) (texts []servedPassage) {
	seen := map[vectorcache.Key]bool{}
	for _, d := range docs {
		for _, p := range d.passages {
			if !p.known && !seen[p.key] {
				seen[p.key] = true
				texts = append(texts, p)
			}
		}
	}
	return texts
}

// ask has the server make vectors of texts and keeps them; answered is called after each
// request. The requests under way when one fails are let finish: what they bring needn't be
// asked for again.
func (r *served) ask(ctx context.Context, texts []servedPassage, answered func() error) error {
	var group errgroup.Group
	group.SetLimit(batchesOnce)
	failed := make(chan struct{}, batchesOnce)
	for len(texts) > 0 && ctx.Err() == nil && len(failed) == 0 {
		n, size := 0, 0
		for n < len(texts) && n < batchTexts && (n == 0 || size+len(texts[n].text) <= batchText) {
			size += len(texts[n].text)
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
func (r *served) askBatch(ctx context.Context, batch []servedPassage) error {
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
			err = r.send(ctx, []servedPassage{p})
		}
		if (len(batch) == 1 || refused(err)) && len(p.text) > shortPassage {
			short := p
			short.text = cutText(p.text, shortPassage)
			err = r.send(ctx, []servedPassage{short})
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
func (r *served) pass(key vectorcache.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.odd) >= maxOdd {
		clear(r.odd)
	}
	r.odd[key] = true
}

// send makes one request and keeps the answer.
func (r *served) send(ctx context.Context, batch []servedPassage) error {
	ctx, cancel := context.WithTimeout(ctx, batchLimit)
	defer cancel()
	texts, keys := make([]string, len(batch)), make([]vectorcache.Key, len(batch))
	for i, p := range batch {
		texts[i], keys[i] = p.text, p.key
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
func (r *served) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, batchLimit)
	defer cancel()
	_, err := r.embedder.Embed(ctx, []string{"hello"})
	return err
}
