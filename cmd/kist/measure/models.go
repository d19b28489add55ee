package measure

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kist/bench/chat"
	"kist/bench/talk"
)

func models(a App) *cobra.Command {
	var opts chat.Options
	var yes bool
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how a language model does, and how its calls are best read",
		Long: "Ask a language model for things (new tasks with dates, projects, memories, searches, new names)\n" +
			"and look in the files whether they were done: as many requests on each rung of the ladder on\n" +
			"which kist reads a model's calls (native: by the server; union: by a schema; text: from its\n" +
			"words), and of the offline partner alone beside them. kist goes down that ladder by itself.\n" +
			"Right is what was done, by model what of it the model did itself: what is told for keeping kist\n" +
			"keeps anyway, and the partner takes over where a model makes no sense. Invalid, no end and raw\n" +
			"are calls that ran without being valid, turns that came to no end in words, and output that\n" +
			"no person should see: with any model they have to be 0, else the command fails. Times are p50\n" +
			"and p95; tokens a second include the reading of the question. kist's share is of a turn's time.\n\n" +
			"The model is that of this machine's settings or what --model and --url name, and is sent\n" +
			"made-up notes only: each request is made in a temporary vault, which is removed. No daemon is\n" +
			"needed. Interrupted, it prints what was measured so far. A remote model may cost money, so\n" +
			"that the command asks first.",
		Example: "  kist model bench\n  kist model bench --model ollama/qwen3:8b --requests 30\n  kist model bench --url http://127.0.0.1:8080/v1",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.Requests < 1 || opts.Turn <= 0 || opts.Within < 0 {
				return a.Usage(errors.New("--requests and --turn have to be above zero, --within not below"))
			}
			opts.Agree = func(r chat.Report) error { return agree(cmd.Context(), a, r, yes) }
			show, end := a.Bar()
			opts.Progress = show
			r, err := chat.Measure(cmd.Context(), opts)
			end()
			if r != nil {
				err = errors.Join(report(a, r), err)
			}
			return explained(a, err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.Model, "model", "", "ollama/NAME, openai/NAME or anthropic/NAME (else the settings' chat model); with --url NAME alone")
	f.StringVar(&opts.URL, "url", "", "a server with OpenAI's interface in place of the settings'; it is sent no key")
	f.IntVar(&opts.Requests, "requests", chat.DefaultRequests, "requests on each rung")
	f.DurationVar(&opts.Within, "within", 0, "begin no further request on a rung after so long; 0: make all")
	f.DurationVar(&opts.Turn, "turn", chat.DefaultTurn, "how long a turn may take before it counts as one without an end")
	f.Uint64Var(&opts.Seed, "seed", 1, "of the requests: the same seed asks the same")
	f.BoolVar(&yes, "yes", false, "agree beforehand to ask a remote model")
	return cmd
}

// agree has the user agree to what may cost money.
func agree(ctx context.Context, a App, r chat.Report, yes bool) error {
	a.Log("%s at %s is remote: what it is sent leaves this machine, and may cost money. It would be sent %d messages (%d on each of %d rungs), made up for this. Each takes one request or several, of some 5,000 tokens.\n",
		r.Model, r.URL, r.Messages, r.Messages/len(talk.Rungs()), len(talk.Rungs()))
	return a.Agree(ctx, "Send them?", yes)
}

// explained gives an error the hint that it brings, or makes it one of usage.
func explained(a App, err error) error {
	if h, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		err = a.Hint(err, h.Hint())
	}
	if errors.Is(err, chat.ErrOptions) {
		return a.Usage(err)
	}
	return err
}

func report(a App, r *chat.Report) error {
	if a.JSON() {
		return a.Value(r)
	}
	where, window := "on this machine", ""
	if r.Remote {
		where = "remote"
	}
	if r.Window > 0 {
		window = fmt.Sprintf(", a window of %d tokens", r.Window)
	}
	a.Print("%s at %s, %s%s; %d requests, seed %d\n\n", r.Model, r.URL, where, window, r.Requests, r.Seed)
	rows := [][]string{{"calls read", "turns", "right", "by model", "invalid", "no end", "raw", "first text", "a turn", "tokens/s", "kist's share"}}
	for _, s := range r.Rungs {
		rows = append(rows, row(s))
	}
	if err := a.Table(rows); err != nil {
		return err
	}
	for _, s := range r.Rungs {
		note(a, s)
	}
	return nil
}

func row(s *talk.Score) []string {
	out := []string{
		s.Rung, fmt.Sprint(s.Turns), part(s.Right, s.Turns), part(s.Alone, s.Turns),
		fmt.Sprint(s.Invalid), fmt.Sprint(s.Endless), fmt.Sprint(s.Raw), times(s.FirstText), times(s.Turn), "", "",
	}
	if s.Ended == "" { // the partner alone
		out[3] = ""
		return out
	}
	if s.Speed > 0 {
		out[9] = fmt.Sprintf("%.1f", s.Speed)
	}
	if s.Turns > 0 {
		out[10] = fmt.Sprintf("%.2f%% (%.0f ms)", 100*s.OwnShare, s.OwnMillis)
	}
	return out
}

func part(n, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%d (%d%%)", n, 100*n/of)
}

// times are in seconds where they are long.
func times(t *talk.Times) string {
	switch {
	case t == nil:
		return ""
	case t.P95 >= 1000:
		return fmt.Sprintf("%.1f / %.1f s", t.P50/1000, t.P95/1000)
	}
	return fmt.Sprintf("%.0f / %.0f ms", t.P50, t.P95)
}

// note says what a row doesn't.
func note(a App, s *talk.Score) {
	if s.Ended != "" && s.Ended != s.Rung {
		a.Log("%s: that didn't work here; at last its calls were read as %s\n", s.Rung, s.Ended)
	}
	if s.Beside+s.Failed > 0 {
		a.Log("%s: the offline partner took %d turns over, %d failed\n", s.Rung, s.Beside, s.Failed)
	}
	for _, f := range s.Faults {
		a.Log("%s: %s\n", s.Rung, f)
	}
	if s.Lost != "" {
		a.Log("%s: ended early (%s)\n", s.Rung, s.Lost)
	}
}
