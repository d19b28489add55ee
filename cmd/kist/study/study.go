// Package study holds the commands that read a project as a whole: audit, completeness, forecast.
package study

import (
	"context"

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
	// Text prints Markdown.
	Text func(string)
	// Projects completes a project's name.
	Projects cobra.CompletionFunc
}

// Printf prints by a constant format.
type Printf = func(format string, args ...any)

// Commands returns the verbs of kist project that read one as a whole.
func Commands(a App) []*cobra.Command {
	return []*cobra.Command{a.audit(), a.completeness(), a.forecast()}
}

func (a App) audit() *cobra.Command {
	return a.command("audit", "Read a project critically",
		"Say what is missing in a project, what contradicts itself, what carries a risk and what can't work\nout, each with the lines that show it. Nothing is changed, and no model is asked.",
		func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Project.AuditProject(ctx, &v1.AuditProjectRequest{Project: args[0]})
			if err != nil {
				return err
			}
			return a.Show(r, func(Printf) { a.Text(r.Text) })
		})
}

func (a App) completeness() *cobra.Command {
	return a.command("completeness", "Say how much of a project is written down",
		"Say how much is written on each of a project's nine sides, of ten, and where. * marks the three that\nevery project needs.",
		func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Project.GetCompleteness(ctx, &v1.GetCompletenessRequest{Project: args[0]})
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				for _, d := range r.Dimensions {
					core, at := " ", "nothing yet"
					if d.Core {
						core = "*"
					}
					if len(d.Evidence) > 0 {
						at = d.Evidence[0].Text
					}
					print("%s %-28s %2.0f/10  %s\n", core, d.Heading, d.Completeness*10, at)
				}
				print("%.0f %% in all\n", r.Completeness*100)
			})
		})
}

func (a App) forecast() *cobra.Command {
	return a.command("forecast", "Say when a project will be done",
		"Play the rest of a project many times, from its own tasks and history, and say when it will be done,\nhow likely each deadline is met and what moves the date. Nothing is changed, and no model is asked.",
		func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Project.ForecastProject(ctx, &v1.ForecastProjectRequest{Project: args[0]})
			if err != nil {
				return err
			}
			return a.Show(r, func(Printf) { a.Text(r.Text) })
		})
}

func (a App) command(verb, short, long string, run func(context.Context, *dial.Client, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: verb + " PROJECT", Short: short, Long: long, Example: "  kist project " + verb + " houseboat",
		Args: cobra.ExactArgs(1), ValidArgsFunction: a.Projects, RunE: a.RPC(run),
	}
}
