package talk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"kist/agent"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/route"
)

// partner is the name of the offline partner.
const partner = "offline"

// A Chat is a model whose calls are read on a rung.
type Chat interface {
	model.Model
	Rung() ladder.Rung
}

// Options say what to ask, and of whom.
type Options struct {
	Dir      string                               // a folder for the vaults, each of which is removed when its turn is over
	Requests int                                  // on each rung
	Seed     uint64                               // of the requests
	Turn     time.Duration                        // how long a turn may take until it counts as one without an end
	Within   time.Duration                        // no further request on a rung is begun after so long; 0: all are made
	Open     func(from ladder.Rung) (Chat, error) // the model, with its calls read from a rung on

	Progress func(rung string, done, total int)     // nil: nobody wants to know
	Heard    func(rung string, said string, t Turn) // is told of each turn; may be nil
}

// Rungs are those of the ladder.
func Rungs() []ladder.Rung { return []ladder.Rung{ladder.Native, ladder.Union, ladder.Text} }

// Messages is how many messages so many requests come to, on all rungs together.
func Messages(requests int) int { return len(Rungs()) * (requests + 1) }

// Run makes the requests on each rung of the ladder, and before that of the offline partner
// alone, whose score is the last. After the first request on a rung "go" is said, for which a
// model may take more steps and is held to a schema: that counts for nothing but its faults.
// The partner does nothing at once in the model's place here. Where ctx ends, or the server
// can't be reached any more, the scores are those of the turns until then, and the error says
// so; of the turn in which ctx ended nothing is told.
func Run(ctx context.Context, opts Options) (scores []*Score, err error) {
	r := &run{Options: opts, partner: offline.New(), wishes: Wishes(opts.Requests, opts.Seed)}
	alone, err := r.rung(ctx, partner, nil)
	for _, from := range Rungs() {
		if err != nil {
			break
		}
		chat, openErr := opts.Open(from)
		if err = openErr; err == nil {
			var s *Score
			s, err = r.rung(ctx, from.String(), chat)
			scores = append(scores, s)
		}
	}
	return append(scores, alone), err
}

// partnerTurn is how long a turn of the partner may take at least: how long one of a model
// may, says nothing of a busy machine.
const partnerTurn = time.Minute

type run struct {
	Options
	partner *offline.Partner
	wishes  []Wish
}

// rung makes the requests of one model; nil: of the partner alone.
func (r *run) rung(ctx context.Context, name string, chat Chat) (_ *Score, err error) {
	s := &Score{Rung: name, Kinds: map[string]int{}}
	defer s.sums()
	if chat == nil {
		patient := *r
		patient.Turn = max(r.Turn, partnerTurn)
		r = &patient
	}
	began := time.Now()
	for i, w := range r.wishes {
		if r.Within > 0 && i > 0 && time.Since(began) > r.Within {
			break
		}
		if r.Progress != nil {
			r.Progress(name, i, len(r.wishes))
		}
		err = r.request(ctx, s, chat, w, i == 0)
		if chat != nil {
			s.Ended = chat.Rung().String()
		}
		if err != nil {
			if s.Lost = err.Error(); ctx.Err() != nil {
				s.Lost = "interrupted"
			}
			return s, err
		}
	}
	return s, nil
}

// request makes one on a stage of its own.
func (r *run) request(ctx context.Context, s *Score, chat Chat, w Wish, goes bool) (err error) {
	dir, err := os.MkdirTemp(r.Dir, "stage-")
	if err != nil {
		return fmt.Errorf("make a vault to talk in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	// A router for each, since one doesn't ask a model that has just failed.
	router := route.New(r.partner)
	if chat != nil {
		router.Use(chat, false)
	}
	stage, err := NewStage(ctx, dir, router)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	session, err := r.ask(ctx, s, stage, w)
	if err == nil && goes && session != "" {
		err = r.goOn(ctx, s, stage, session)
	}
	if lost := router.State().Err; err == nil && away(lost) {
		return lost
	}
	return err
}

// ask says what is wanted and judges what became of it.
func (r *run) ask(ctx context.Context, s *Score, stage *Stage, w Wish) (session string, err error) {
	watched, watch := endpoint.Watched(ctx)
	t, err := stage.Play(watched, agent.Message{Session: "new", Project: "houseboat", Text: w.Text, Client: "bench"}, r.Turn)
	if err != nil {
		return "", err
	}
	waited := watch.Waited()
	after, err := stage.Texts(ctx)
	if err != nil {
		return "", err
	}
	s.take(w, t, w.Done(after, t), waited)
	s.Requests += watch.Asked()
	r.heard(s.Rung, w.Text, t)
	if t.Failed != nil {
		return "", nil
	}
	return t.Session, nil
}

func (r *run) goOn(ctx context.Context, s *Score, stage *Stage, session string) error {
	const text = "go"
	t, err := stage.Play(ctx, agent.Message{Session: session, Text: text, Client: "bench"}, r.Turn)
	if err == nil {
		s.fault(text, t)
		r.heard(s.Rung, text, t)
	}
	return err
}

func (r *run) heard(rung, said string, t Turn) {
	if r.Heard != nil {
		r.Heard(rung, said, t)
	}
}

// away: the server can't be reached, or doesn't take the key, the name or any more for now.
// One that was silent may well answer the next request.
func away(err error) bool {
	e, ok := errors.AsType[*endpoint.Error](err)
	return ok && !e.Refused() && e.Status != 200 && !errors.Is(err, endpoint.ErrSilent) && !errors.Is(err, endpoint.ErrTooLong)
}
