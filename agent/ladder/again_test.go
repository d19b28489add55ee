package ladder

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint"
	"kist/agent/model"
)

// A climber is a model under test, of a server that takes tools or not.
type climber struct {
	*Model
	fake  *fake
	takes map[Rung]bool
}

func newClimber(opts Options, takes ...Rung) *climber {
	c := &climber{takes: map[Rung]bool{Text: true}, fake: &fake{info: model.Info{Tools: true, Format: true, Made: "1"}}}
	for _, r := range takes {
		c.takes[r] = true
	}
	c.fake.answer = func(req model.Request) ([]model.Event, error) {
		if !c.takes[rungOf(req)] {
			return nil, &endpoint.Error{Status: 400, Err: fmt.Errorf("not so")}
		}
		return says("Fine.")(req)
	}
	c.Model = New(c.fake, opts)
	return c
}

func rungOf(req model.Request) Rung {
	switch {
	case len(req.Tools) > 0:
		return Native
	case req.Format != nil:
		return Union
	}
	return Text
}

// asks makes a request after so many steps of a turn, whose last made sense or not, and
// returns the rungs on which the server was asked.
func (c *climber) asks(t *testing.T, steps int, sense bool) (rungs string) {
	t.Helper()
	req := model.Request{Tools: tools, Messages: []model.Message{{Role: model.User, Text: "go"}}}
	for i := range steps {
		id := fmt.Sprint(i)
		req.Messages = append(req.Messages,
			model.Message{Role: model.Assistant, Calls: []model.Call{{ID: id, Name: "search", Arguments: []byte(`{}`)}}},
			model.Message{Role: model.ToolRole, CallID: id, Tool: "search", Text: `{}`, Invalid: !sense})
	}
	c.fake.asked = nil
	for _, err := range c.Generate(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range c.fake.asked {
		rungs += rungOf(r).String() + " "
	}
	return rungs
}

func (c *climber) expect(t *testing.T, what, want string, steps int, sense bool) {
	t.Helper()
	if got := c.asks(t, steps, sense); got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

const day = 24 * time.Hour

// A model that came down is tried from the top after a day, at the beginning of a turn; each
// time that this fails, after as long again.
func TestTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := options()
		opts.Again = day
		c := newClimber(opts, Union)
		c.expect(t, "the first turn", "native union ", 0, true)
		c.expect(t, "the next", "union ", 0, true)
		time.Sleep(day - time.Minute)
		c.expect(t, "too early", "union ", 0, true)
		time.Sleep(time.Minute)
		c.expect(t, "within a turn", "union ", 1, true)
		c.expect(t, "a turn a day later", "native union ", 0, true)
		time.Sleep(day)
		c.expect(t, "the second time", "native union ", 0, true)
		time.Sleep(day)
		c.expect(t, "it failed for two days", "union ", 0, true)
		time.Sleep(day)
		c.expect(t, "the third time", "native union ", 0, true)
		c.takes[Native] = true
		time.Sleep(3*day + 23*time.Hour)
		c.expect(t, "too early again", "union ", 0, true)
		time.Sleep(time.Hour)
		c.expect(t, "it works now", "native ", 0, true)
		if r, d := c.Stand(); r != Union || d.Since.IsZero() {
			t.Errorf("what is kept before it has called anything: %v, %+v", r, d)
		}
		c.expect(t, "and goes on", "native ", 1, true)
		if r, d := c.Stand(); r != Native || d != (Down{}) {
			t.Errorf("what is kept: %v, %+v", r, d)
		}
		time.Sleep(365 * day)
		c.expect(t, "for good", "native ", 0, true)
	})
}

// Calls that make no sense on the higher rung put a model back at once, to where it was.
func TestTriedInVain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := options()
		opts.Again, opts.From, opts.Down = day, Text, Down{Since: time.Now().Add(-day), Tried: time.Now().Add(-day)}
		c := newClimber(opts, Native, Union)
		c.expect(t, "tried", "native ", 0, true)
		c.expect(t, "nonsense", "union ", 1, false)
		c.expect(t, "the next turn", "text ", 0, true)
		if r, d := c.Stand(); r != Text || !d.Tried.Equal(time.Now()) || d.Tried.Sub(d.Since) != day {
			t.Errorf("%v, %+v", r, d)
		}
		// A rung between that works is kept.
		c.takes[Native] = false
		time.Sleep(day)
		c.expect(t, "tried again", "native union ", 0, true)
		c.expect(t, "between", "union ", 1, true)
		if r, _ := c.Stand(); r != Union {
			t.Errorf("%v", r)
		}
	})
}

// Another server or model is tried at once, also by the next daemon; what is kept of it goes on.
func TestMadeAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := options()
		opts.Again = day
		c := newClimber(opts)
		c.expect(t, "the first turn", "native union text ", 0, true)
		rung, down := c.Stand()
		if want := (Down{Since: time.Now(), Tried: time.Now(), Made: "1"}); rung != Text || down != want {
			t.Error(cmp.Diff(want, down), rung)
		}
		opts.From, opts.Down = rung, down
		c = newClimber(opts, Native)
		c.expect(t, "the same server", "text ", 0, true)
		c.fake.info.Made = "2"
		c.expect(t, "another one, within a turn", "text ", 1, true)
		c.expect(t, "another one", "native ", 0, true)
		c.expect(t, "it works", "native ", 1, true)
		opts.Down.Made = ""
		c = newClimber(opts, Native)
		c.expect(t, "it wasn't told then", "text ", 0, true)
		opts.Down = Down{}
		c = newClimber(opts, Native)
		c.expect(t, "it isn't known since when", "native ", 0, true)
		opts.Again = 0
		c = newClimber(opts, Native)
		c.expect(t, "never", "text ", 0, true)
		opts.Again = day
		c = newClimber(opts, Native)
		c.fake.info.Tools = false
		c.expect(t, "its server says that it has no tools", "union text ", 0, true)
	})
}
