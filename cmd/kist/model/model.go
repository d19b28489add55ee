/*
Package model holds the commands about language models: which are used, which there are,
how one does. They are a room of their own beside the other commands, and are given what
they need of them.
*/
package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// An App is what the commands need of the program around them.
type App struct {
	// RPC makes a command's function of one that gets a connection.
	RPC func(func(context.Context, *dial.Client, []string) error) func(*cobra.Command, []string) error
	// Show prints a response: as JSON where that is asked for, else by human, whose print
	// makes its arguments fit for a terminal.
	Show func(m proto.Message, human func(print Printf)) error
	// Line is Show for one message of a stream.
	Line func(m proto.Message, human func(print Printf)) error
	// Log prints what is not the answer.
	Log Printf
	// Group is what a command does that only holds others.
	Group func(*cobra.Command, []string) error
	// Hint gives an error a sentence about what to do.
	Hint func(err error, hint string) error
	// Settings is the file of this machine's settings.
	Settings func() string
}

// Printf prints by a constant format.
type Printf = func(format string, args ...any)

// Commands returns the verbs of kist model.
func Commands(a App) []*cobra.Command {
	return []*cobra.Command{show(a), list(a), use(a), test(a), pull(a), key(a)}
}

func show(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show which models are used and how they do",
		Long: "Show for each role which model has it, where it is, how large a window it works with, how its\n" +
			"calls of tools are read (native: by the server; union: by a schema; text: from its words), how\n" +
			"fast it was last, what it costs, and what went wrong. Where calls had to be read in a lower way, the higher one is\n" +
			"tried again after a day, or at once where the server tells of another version or model.",
		Example: "  kist model show",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Model.GetModels(ctx, &v1.GetModelsRequest{})
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				for _, role := range r.Roles {
					printRole(print, role)
				}
				if len(r.Private) > 0 {
					print("kept from remote models: %s\n", strings.Join(r.Private, ", "))
				}
				print("settings: %s\n", r.Config)
			})
		}),
	}
}

func printRole(print Printf, r *v1.ModelRole) {
	print("%s: %s, %s\n", r.Role, r.Model, r.State)
	if r.Url != "" {
		where := "on this machine"
		if r.Remote {
			where = "remote: what it is sent leaves this machine"
		}
		print("  at %s, %s\n", r.Url, where)
	}
	if r.Context > 0 {
		print("  a window of %d tokens\n", r.Context)
	}
	if r.Rung != "" {
		print("  calls: %s\n", r.Rung)
	}
	if r.TokensPerSecond > 0 {
		print("  %.1f tokens a second\n", r.TokensPerSecond)
	}
	if r.Images {
		print("  it takes images, of which kist sends none\n")
	}
	if p := r.Price; p != nil {
		from := "by the settings"
		if p.Told {
			from = "as its server tells, in its currency"
		}
		print("  a million tokens cost %g in, %g out, %s\n", p.Input, p.Output, from)
	}
	if r.Error != "" {
		print("  %s\n", r.Error)
	}
	if r.Hint != "" {
		print("  hint: %s\n", r.Hint)
	}
}

// Sentence tells of a role in a line: the model, how it does, where it is, what it takes and how
// fast it was. Why it fails is told beside it.
func Sentence(r *v1.ModelRole) string {
	s := r.Model
	if r.Role != "chat" {
		s = r.Role + ": " + s
	}
	if r.Url == "" {
		return s
	}
	if r.Error == "" {
		s += ", " + r.State
	}
	s += ", at " + r.Url
	if r.Remote {
		s += " (remote)"
	}
	if r.Context > 0 {
		s += fmt.Sprintf(", a window of %d tokens", r.Context)
	}
	if r.TokensPerSecond > 0 {
		s += fmt.Sprintf(", %.1f tokens a second", r.TokensPerSecond)
	}
	return s
}

// Chosen reports whether a role has something else than what kist does by itself.
func Chosen(r *v1.ModelRole) bool { return r.Url != "" || r.Error != "" }

func list(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the models that could be used",
		Long: "Ask the servers of the settings, and Ollama where it usually is on this machine, which models\n" +
			"they have.",
		Example: "  kist model list",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.All(ctx, &v1.ListModelsRequest{}, k.Model.ListModels)
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				models := 0
				for _, s := range r.Servers {
					models += len(s.Models)
					printServer(print, s)
				}
				if models == 0 {
					a.Log("no models found; kist works without one. For one: install Ollama and pull a model, or name a server in the settings (kist model show says where they are)\n")
					return
				}
				a.Log("to use one: kist model use %s\n", firstModel(r))
			})
		}),
	}
}

func firstModel(r *v1.ListModelsResponse) string {
	for _, s := range r.Servers {
		if len(s.Models) > 0 {
			return s.Models[0].Name
		}
	}
	return "offline"
}

func printServer(print Printf, s *v1.ModelServer) {
	if s.Error != "" && !s.Configured {
		return // nobody asked for it
	}
	if s.Error != "" {
		where := s.Kind
		if s.Url != "" {
			where += " at " + s.Url
		}
		print("%s: %s\n", where, s.Error)
		if s.Hint != "" {
			print("  hint: %s\n", s.Hint)
		}
	}
	for _, m := range s.Models {
		extra := ""
		if m.Size > 0 {
			extra = fmt.Sprintf("  %.1f GB", float64(m.Size)/1e9)
		}
		if m.Remote {
			extra += "  remote"
		}
		print("%s%s\n", m.Name, extra)
	}
}

func use(a App) *cobra.Command {
	role := "chat"
	cmd := &cobra.Command{
		Use:   "use MODEL",
		Short: "Use a model from the next turn on",
		Long: "Give a role to a model: for chat ollama/NAME, openai/NAME, anthropic/NAME or offline; for fallback\n" +
			"the same, one that takes over where chat's can't be had (offline: only kist itself does); for embed\n" +
			"ollama/NAME, openai/NAME or builtin; for fast, which titles and sums up conversations, words questions\n" +
			"and audits, and finds facts to remember, each checked, as for chat (offline: kist does that alone). The choice is written into the settings of this machine and\n" +
			"is for all of its vaults; running daemons of other vaults read it when they start. chat and fallback\n" +
			"count from the next turn on, embed from the next start. Where the servers are, the settings say.",
		Example: "  kist model use ollama/qwen3:8b\n  kist model use --role fallback anthropic/claude-sonnet-5\n  kist model use offline",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Model.UseModel(ctx, &v1.UseModelRequest{Role: role, Model: args[0]})
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				printRole(print, r.Role)
				a.Log("written to %s\n", r.Config)
				if r.Role.Role == "embed" {
					a.Log("it counts when the daemon starts again\n")
				}
				if r.Role.Remote {
					a.Log("this model is remote: what you say, and what of the vault belongs to it, is sent there\n")
				}
			})
		}),
	}
	cmd.Flags().StringVar(&role, "role", role, "chat, fallback, embed or fast")
	return cmd
}

func pull(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "pull MODEL",
		Short: "Have Ollama fetch a model",
		Long: "Have the Ollama server of the settings, or of this machine, fetch a model from its library. That\n" +
			"may be some gigabytes; what was fetched stays when it is broken off, and the next pull goes on.",
		Example: "  kist model pull qwen3:8b",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			stream, err := k.Model.PullModel(ctx, &v1.PullModelRequest{Model: args[0]})
			if err != nil {
				return err
			}
			defer stream.Close()
			last, percent := "", int64(-10)
			for stream.Receive() {
				m := stream.Msg()
				now := int64(-10)
				if m.Total > 0 {
					now = m.Done * 100 / m.Total
				}
				if m.Status == last && now < percent+10 {
					continue // a line for each tenth is enough
				}
				last, percent = m.Status, now
				if err := a.Line(m, func(print Printf) { printPull(print, m) }); err != nil {
					return err
				}
			}
			return stream.Err()
		}),
	}
}

func printPull(print Printf, m *v1.PullModelResponse) {
	if m.Total == 0 {
		print("%s\n", m.Status)
		return
	}
	print("%s: %d %% of %.1f GB\n", m.Status, m.Done*100/m.Total, float64(m.Total)/1e9)
}

// errFailed: a check failed, which was told already.
var errFailed = errors.New("not all of it works")

func test(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "test [MODEL]",
		Short: "Try a model out",
		Long: "Ask a model a few things, the one that is used or another: whether its server answers, whether\n" +
			"it answers in words, whether it uses tools and how its calls are read, and whether the server\n" +
			"reads all that it is sent. A large model may need minutes to load. What it is asked counts towards\n" +
			"the limits of what models may use.",
		Example: "  kist model test\n  kist model test ollama/qwen3:8b",
		Args:    cobra.MaximumNArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			req := &v1.TestModelRequest{}
			if len(args) > 0 {
				req.Model = args[0]
			}
			stream, err := k.Model.TestModel(ctx, req)
			if err != nil {
				return err
			}
			defer stream.Close()
			failed := false
			for stream.Receive() {
				m := stream.Msg()
				failed = failed || m.Result == "failed"
				if err := a.Line(m, func(print Printf) {
					print("%s: %s (%.1f s)\n", m.Result, m.What, float64(m.Millis)/1000)
					if m.Detail != "" {
						print("  %s\n", m.Detail)
					}
				}); err != nil {
					return err
				}
			}
			if err := stream.Err(); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if failed {
				return errFailed
			}
			return nil
		}),
	}
}
