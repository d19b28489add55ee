package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"kist/index"
	"kist/vault"
	"kist/vault/torture"
)

// follow opens the index as the daemon does.
func follow(v *vault.Vault, log *slog.Logger) (torture.Follower, error) {
	x, err := index.Open(v, index.Options{Log: log})
	if err != nil {
		return nil, err
	}
	return &follower{Index: x, vault: v}, nil
}

// A follower is an index that is searched and rebuilt while it follows.
type follower struct {
	*index.Index
	vault *vault.Vault

	mu     sync.Mutex
	faults []string // found by searches and rebuilds
}

// Run follows the vault until ctx ends.
func (f *follower) Run(ctx context.Context) error {
	var working sync.WaitGroup
	defer working.Wait()
	working.Go(func() { f.search(ctx) })
	working.Go(func() { f.rebuild(ctx) })
	return f.Index.Run(ctx)
}

func (f *follower) search(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := f.Search(ctx, index.Query{Text: "boat filling"}); err != nil && ctx.Err() == nil {
			f.note("search: %v", err)
		}
		wait(ctx, 10*time.Millisecond)
	}
}

// rebuild builds the index anew in one of four lives of the daemon, at some moment.
func (f *follower) rebuild(ctx context.Context) {
	if rand.IntN(4) > 0 {
		return
	}
	wait(ctx, rand.N(300*time.Millisecond))
	if err := f.Rebuild(ctx, nil); err != nil && ctx.Err() == nil {
		f.note("rebuild: %v", err)
	}
}

func (f *follower) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Check brings the index up to date and compares it with the files.
func (f *follower) Check(ctx context.Context) ([]string, error) {
	seq, err := f.upToDate(ctx)
	for err == nil {
		var found []string
		if found, err = f.compare(ctx); err != nil {
			break
		}
		now, err := f.upToDate(ctx)
		if err != nil || now == seq {
			return found, err
		}
		seq = now // something came in between: this means nothing
	}
	return nil, err
}

// upToDate waits until the index holds all that was saved before, and says up to which
// change that is.
func (f *follower) upToDate(ctx context.Context) (seq vault.Seq, err error) {
	if seq, err = f.vault.Barrier(ctx); err != nil {
		return 0, err
	}
	if err := f.Wait(ctx, seq); err != nil {
		return 0, fmt.Errorf("index not up to date: %w; %+v", err, f.Status())
	}
	if f.Status().State == index.Paused {
		err = f.Rebuild(ctx, nil)
	}
	return seq, err
}

func (f *follower) compare(ctx context.Context) ([]string, error) {
	found, err := f.Index.Check(ctx)
	if err != nil {
		return nil, err
	}
	lines, err := f.searches(ctx)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	found, f.faults = append(append(found, lines...), f.faults...), nil
	f.mu.Unlock()
	if s := f.Status(); s.Notice != "" || s.State == index.Paused { // it may be building: the kit rebuilds it now and then
		found = append(found, fmt.Sprintf("index is %s: %s", s.State, s.Notice))
	}
	return found, nil
}

// searches looks for the last line of each document, which ends in a checksum that
// only the document and its copies have.
func (f *follower) searches(ctx context.Context) (faults []string, err error) {
	texts := map[string][]byte{}
	err = f.vault.Walk(ctx, func(i vault.Info) error {
		text, err := f.vault.Read(i.Path)
		texts[i.Path] = text
		return err
	}, nil)
	if err != nil {
		return nil, err
	}
	for p, text := range texts {
		words := strings.Fields(string(text))
		if len(words) == 0 {
			continue
		}
		word := words[len(words)-1]
		res, err := f.Search(ctx, index.Query{Text: `"` + word + `"`, Mode: index.Text, Limit: 100})
		if err != nil {
			return nil, err
		}
		holds := false
		for _, h := range res.Hits {
			holds = holds || h.Path == p
			if !bytes.Contains(texts[h.Path], []byte(word)) {
				faults = append(faults, fmt.Sprintf("search %q finds %s, which doesn't hold it", word, h.Path))
			}
		}
		if !holds && res.Total <= len(res.Hits) {
			faults = append(faults, fmt.Sprintf("search %q doesn't find %s", word, p))
		}
	}
	return faults, nil
}
