package models

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"sync"
	"time"

	"kist/agent/ladder"
	"kist/agent/model"
)

// A Store keeps a few kilobytes on this machine. Either may be nil: then what was found out
// is lost with the daemon.
type Store struct {
	Read  func() ([]byte, error)
	Write func([]byte) error
}

// A lesson is what was found out about a model that its server doesn't tell.
type lesson struct {
	Rung  string    `json:"rung"`            // how its calls are read
	Since time.Time `json:"since,omitzero"`  // it came down to that
	Tried time.Time `json:"tried,omitzero"`  // it was tried higher up the last time
	Made  string    `json:"made,omitempty"`  // what server and model were then
	Ratio float64   `json:"ratio"`           // tokens that it counts for one that is estimated
	Keeps int       `json:"keeps,omitempty"` // tokens of the window that its server really has; 0: as it tells
	Found time.Time `json:"found,omitzero"`  // that was found out
	At    time.Time `json:"at"`
	fixed bool      // the rung was asked for, and nothing higher is tried
}

// sameStand: the calls are read as in another lesson, since when they were there.
func (l lesson) sameStand(other lesson) bool {
	return l.Rung == other.Rung && l.Since.Equal(other.Since) && l.Tried.Equal(other.Tried) && l.Made == other.Made
}

// window is the one that the server was found to have, for a day; 0: as it tells. It may have
// been given a larger one since.
func (l lesson) window() int {
	if time.Since(l.Found) < triedAgain {
		return l.Keeps
	}
	return 0
}

// triedAgain is after how long a model whose calls had to be read in a lower way is tried on
// the higher one again, which costs a request or a step where it fails: often enough to notice
// a server that was made anew while the daemon runs, and to forget a fault of one moment.
const triedAgain = 24 * time.Hour

// lessonsLast is how long they count: a server that was made anew may do better.
const lessonsLast = 30 * 24 * time.Hour

// maxLessons bounds how many models are remembered.
const maxLessons = 100

// lessons are those of this machine's models, by their names and addresses.
type lessons struct {
	store Store

	mu  sync.Mutex
	all map[string]lesson // nil: not read yet
}

// of returns what is known of a model. What can't be read is nothing.
func (l *lessons) of(key string) (lesson, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load()
	got, ok := l.all[key]
	return got, ok && time.Since(got.At) < lessonsLast && got.Ratio >= 0.5 && got.Ratio <= 2.5
}

func (l *lessons) load() {
	if l.all != nil {
		return
	}
	l.all = map[string]lesson{}
	if l.store.Read == nil {
		return
	}
	text, err := l.store.Read()
	if err != nil || json.Unmarshal(text, &l.all) != nil || l.all == nil {
		l.all = map[string]lesson{}
	}
}

// keep notes a lesson, where it says something new.
func (l *lessons) keep(key string, found lesson) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load()
	old, ok := l.all[key]
	if ok && old.sameStand(found) && old.Keeps == found.Keeps && math.Abs(old.Ratio-found.Ratio) < 0.05 && time.Since(old.At) < lessonsLast/2 {
		return
	}
	if len(l.all) >= maxLessons {
		clear(l.all)
	}
	if found.At = time.Now(); found.Keeps > 0 {
		if found.Found = found.At; old.Keeps == found.Keeps {
			found.Found = old.Found
		}
	}
	l.all[key] = found
	l.save()
}

// forget begins anew with a model.
func (l *lessons) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load()
	if _, ok := l.all[key]; ok {
		delete(l.all, key)
		l.save()
	}
}

func (l *lessons) save() {
	if l.store.Write == nil {
		return
	}
	if text, err := json.MarshalIndent(l.all, "", "  "); err == nil {
		_ = l.store.Write(text) // without it the next daemon finds out again
	}
}

// key names a model and where it is.
func (s Settings) key(ref string) string {
	kind, _, _ := Split(ref)
	return ref + " at " + s.Servers[kind].URL
}

// rungNamed is a rung by its name.
func rungNamed(name string) ladder.Rung {
	for r := ladder.Native; r <= ladder.Text; r++ {
		if r.String() == name {
			return r
		}
	}
	return ladder.Native
}

// Generate asks the model and keeps what that taught.
func (c *Chat) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		done := true
		for e, err := range c.Model.Generate(ctx, req) {
			if done = err == nil; !yield(e, err) {
				return
			}
		}
		if done && c.learned != nil {
			rung, down := c.Stand()
			ratio, keeps := c.window.Learned()
			c.learned(lesson{Rung: rung.String(), Since: down.Since, Tried: down.Tried, Made: down.Made, Ratio: ratio, Keeps: keeps})
		}
	}
}
