//go:build live

package live

import (
	"context"
	"encoding/json"
	"flag"
	"iter"
	"os"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/openai"
	"kist/agent/tool/dialect"
	"kist/agent/window"
	"kist/bench/talk"
)

var (
	requests   = flag.Int("requests", 12, "requests on each rung")
	within     = flag.Duration("within", 60*time.Second, "no further request on a rung is begun after so long; 0: all are made")
	perTurn    = flag.Duration("turn", 5*time.Minute, "how long a turn may take")
	size       = flag.Int("window", 4096, "tokens of the window in which requests are made")
	situations = flag.Int("situations", 2000, "for each size of a window")
	seed       = flag.Uint64("seed", 1, "of the requests")
)

// A server is the one that is tried.
type server struct{ url, model string }

func liveServer(t *testing.T) server {
	t.Helper()
	s := server{url: os.Getenv("KIST_LIVE_URL"), model: os.Getenv("KIST_LIVE_MODEL")}
	if s.url == "" {
		t.Fatal("KIST_LIVE_URL holds no address")
	}
	if s.model == "" {
		names, err := openai.Models(t.Context(), s.endpoint(t))
		if err != nil || len(names) == 0 {
			t.Fatalf("%d models, %v", len(names), err)
		}
		s.model = names[0]
	}
	return s
}

func (s server) endpoint(t *testing.T) *endpoint.Endpoint {
	t.Helper()
	e, err := endpoint.New(s.url, os.Getenv("KIST_LIVE_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// client is the server's client, with tools in its language, as package models makes it.
func (s server) client(t *testing.T, p endpoint.Patience) model.Described {
	e := s.endpoint(t)
	kind := dialect.AsIs
	if e.Local() {
		kind = dialect.Grammar
	}
	return spoken{openai.NewChat(e, s.model, p), kind}
}

type spoken struct {
	model.Described
	kind dialect.Kind
}

func (s spoken) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	req.Tools = dialect.For(s.kind, req.Tools)
	return s.Described.Generate(ctx, req)
}

// chat is a model in all its layers, from a rung on, in a window of so many tokens. With
// words an answer held to a schema may do without a call.
func (s server) chat(t *testing.T, from ladder.Rung, size int, words bool, p endpoint.Patience) *ladder.Model {
	return ladder.New(window.New(s.client(t, p), size), ladder.Options{
		From: from, Offer: window.Tools, Schema: func(tools []model.Tool) json.RawMessage { return dialect.Union(tools, words) },
	})
}

// A stage is one of package talk, in a test.
type stage struct{ *talk.Stage }

func newStage(t *testing.T, m model.Model) stage {
	t.Helper()
	s, err := talk.NewStage(t.Context(), t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return stage{s}
}

// play runs a turn and holds it to what every turn has to do.
func (s stage) play(t *testing.T, m agent.Message) talk.Turn {
	t.Helper()
	turn, err := s.Play(t.Context(), m, *perTurn)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range turn.Faults {
		t.Errorf("%q: %s", m.Text, fault.Text)
	}
	return turn
}
