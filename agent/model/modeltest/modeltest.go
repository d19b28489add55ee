/*
Package modeltest is what every model has to hold to, whether it is a client of a server,
the offline partner or a script: the agent relies on it.
*/
package modeltest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"kist/agent/model"
)

// Test runs the suite. request returns a request that the model, as made by open, answers
// in words, and calls one that it answers with calls of tools.
func Test(t *testing.T, open func(t *testing.T) model.Model, request, calls model.Request) {
	t.Run("words end with a stop", func(t *testing.T) {
		a := read(t.Context(), open(t), request)
		if a.err != nil || a.text == "" || a.calls != 0 || a.stop != model.End {
			t.Errorf("%+v", a)
		}
	})
	t.Run("calls end with a stop", func(t *testing.T) {
		a := read(t.Context(), open(t), calls)
		if a.err != nil || a.calls == 0 || a.stop != model.Calls {
			t.Errorf("%+v", a)
		}
	})
	t.Run("a choice of none is answered in words", func(t *testing.T) {
		none := calls
		none.Choice = model.None
		if a := read(t.Context(), open(t), none); a.err != nil || a.calls != 0 || a.text == "" {
			t.Errorf("%+v", a)
		}
	})
	t.Run("a choice of required is answered by calls", func(t *testing.T) {
		required := calls
		required.Choice = model.Required
		if a := read(t.Context(), open(t), required); a.err != nil || a.calls == 0 || a.stop != model.Calls {
			t.Errorf("%+v", a)
		}
	})
	t.Run("nobody has to listen to the end", func(t *testing.T) {
		for range open(t).Generate(t.Context(), request) {
			break
		}
	})
	t.Run("a cancelled request ends with the context's error", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if a := read(ctx, open(t), request); !errors.Is(a.err, context.Canceled) || a.stop != "" {
			t.Errorf("%+v", a)
		}
	})
	t.Run("it has a name", func(t *testing.T) {
		if open(t).Name() == "" {
			t.Error("none")
		}
	})
	t.Run("requests at the same time", func(t *testing.T) {
		m := open(t)
		var asking sync.WaitGroup
		for range 8 {
			asking.Go(func() {
				if a := read(t.Context(), m, request); a.err != nil || a.stop == "" {
					t.Errorf("%+v", a)
				}
			})
		}
		asking.Wait()
	})
}

// An answer is what a stream told, with the faults of its form as an error.
type answer struct {
	text  string
	calls int
	stop  model.Stop
	err   error
}

func read(ctx context.Context, m model.Model, req model.Request) (a answer) {
	if req.Brief == nil {
		req.Brief = func(int) model.Brief { return model.Brief{Rules: "You are a test.", Now: "It is Monday."} }
	}
	for e, err := range m.Generate(ctx, req) {
		switch {
		case a.err != nil:
			a.err = errors.Join(a.err, errors.New("and the stream went on after the error"))
			return a
		case a.stop != "":
			a.err = errors.New("the stream went on after its stop")
			return a
		case err != nil:
			a.err = err
		case set(e) != 1:
			a.err = errors.New("an event with not exactly one field")
			return a
		}
		if e.Back {
			a.text = ""
		}
		a.text += e.Text
		if e.Call != nil {
			a.calls++
		}
		a.stop = e.Stop
	}
	if a.err == nil && a.stop == "" {
		a.err = errors.New("the stream ended without a stop")
	}
	return a
}

// set counts the fields of an event that are set.
func set(e model.Event) (n int) {
	for _, is := range []bool{e.Text != "", e.Thinking != "", e.Back, e.Call != nil, e.State != nil, e.By != nil, e.Notice != "", e.Ask != nil, e.Usage != nil, e.Stop != ""} {
		if is {
			n++
		}
	}
	return n
}
