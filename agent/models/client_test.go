package models

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/tool/dialect"
	"kist/agent/window"
)

// slow is a model whose server takes some time to tell of it, and answers at once.
type slow struct {
	takes time.Duration // negative: it hangs
	asked int
	req   model.Request
}

func (s *slow) Name() string { return "slow" }
func (s *slow) Info(ctx context.Context) (model.Info, error) {
	s.asked++
	wait := make(<-chan time.Time)
	if s.takes >= 0 {
		wait = time.After(s.takes)
	}
	select {
	case <-wait:
		return model.Info{Tools: true, Context: 9000}, nil
	case <-ctx.Done():
		return model.Info{}, ctx.Err()
	}
}

func (s *slow) Generate(_ context.Context, req model.Request) iter.Seq2[model.Event, error] {
	s.req = req
	return func(yield func(model.Event, error) bool) {
		_ = yield(model.Event{Text: "big"}, nil) && yield(model.Event{Stop: model.End}, nil)
	}
}

func clientOf(t *testing.T, m model.Described) *client {
	t.Helper()
	e, err := endpoint.New("http://127.0.0.1:1", "")
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(e)
	c.Described = m
	return c
}

// A server that tells nothing of a model holds a turn up once, and not for long.
func TestInfoIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{takes: -1}
		c := clientOf(t, s)
		m := ladder.New(window.New(c, 0), ladder.Options{Schema: union, Offer: window.Tools})
		for _, want := range []time.Duration{askWithin, 0, 0} {
			began := time.Now()
			if text, _, err := hear(t.Context(), m); text != "big" || err != nil || time.Since(began) != want {
				t.Errorf("%q, %v after %v, want %v", text, err, time.Since(began), want)
			}
		}
		_, err := c.Info(t.Context())
		if e, ok := errors.AsType[*endpoint.Error](err); !ok || e.Hint() == "" || strings.Contains(err.Error(), "context") {
			t.Errorf("%v", err)
		}
		time.Sleep(quietFor)
		s.takes = time.Second
		if info, err := c.Info(t.Context()); err != nil || info.Context != 9000 || s.asked != 2 {
			t.Errorf("asked %d times: %+v, %v", s.asked, info, err)
		}
	})
}

// Many who ask at once don't wait one after the other, and one who gives up spoils
// nothing for the others.
func TestInfoAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{takes: -1}
		c := clientOf(t, s)
		began := time.Now()
		var all sync.WaitGroup
		for i := range 5 {
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Second)
				defer cancel()
				if _, err := c.Info(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%d: %v", i, err)
				}
				if took := time.Since(began); took > time.Duration(i)*time.Second {
					t.Errorf("%d waited for %v", i, took)
				}
			})
		}
		all.Wait()
		if c.silent != nil {
			t.Errorf("somebody gave up, and the server counts as silent: %v", c.silent)
		}
		s.takes = 0
		if _, err := c.Info(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Each server gets its own language.
func TestLanguages(t *testing.T) {
	tool := model.Tool{Name: "create_task", Schema: []byte(`{"type":"object","properties":{"title":{"type":"string","maxLength":9},"due":{"type":"string"}},"required":["title"]}`)}
	for _, c := range []struct {
		kind, url     string
		tools, format dialect.Kind
	}{
		{"ollama", "http://127.0.0.1:1", dialect.Grammar, dialect.AsIs},
		{"openai", "http://localhost:1/v1", dialect.Grammar, dialect.AsIs},
		{"openai", "https://models.example/v1", dialect.AsIs, dialect.AsIs},
		{"openai", "https://api.openai.com/v1", dialect.AsIs, dialect.Strict},
		{"anthropic", "https://api.anthropic.com", dialect.AsIs, dialect.AsIs},
	} {
		s := &slow{}
		chat, err := at(c.kind, "x", c.url).open(c.kind+"/x", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if chat.Local != !strings.HasPrefix(c.url, "https") || chat.Name() != c.kind+"/x" {
			t.Errorf("%+v", chat)
		}
		e, _ := endpoint.New(c.url, "")
		got := at(c.kind, "x", c.url).client(c.kind, "x", e, nil)
		got.Described = s
		format := union([]model.Tool{tool})
		for range got.Generate(t.Context(), model.Request{Tools: []model.Tool{tool}, Format: format}) {
		}
		if has := strings.Contains(string(s.req.Tools[0].Schema), "maxLength"); has != (c.tools == dialect.AsIs) {
			t.Errorf("%s: %s", c.url, s.req.Tools[0].Schema)
		}
		if same := string(s.req.Format) == string(format); same != (c.format == dialect.AsIs) {
			t.Errorf("%s: %s", c.url, s.req.Format)
		}
	}
}
