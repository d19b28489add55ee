/*
Package measure holds the verbs of kist bench: how well searches rank, and how a language
model does. They are a room of their own beside the other commands, and are given what they
need of them.
*/
package measure

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kist/bench"
)

// An App is what the commands need of the program around them.
type App struct {
	// JSON reports whether that is asked for, and Value prints as such.
	JSON  func() bool
	Value func(v any) error
	// Print prints what is the answer, and Log what isn't; both make arguments fit for a terminal.
	Print, Log Printf
	// Table prints rows, the first of which is the head.
	Table func(rows [][]string) error
	// Bar begins to show progress, until end is called.
	Bar func() (show bench.Progress, end func())
	// Agree asks a question and returns an error unless whoever sits at the terminal says
	// yes, or said so beforehand.
	Agree func(ctx context.Context, question string, yes bool) error
	// Usage makes an error one of the command line, and Hint gives it a hint.
	Usage func(err error) error
	Hint  func(err error, hint string) error
}

// Printf prints by a constant format.
type Printf = func(format string, args ...any)

// Commands returns the verbs of kist bench.
func Commands(a App) []*cobra.Command { return []*cobra.Command{quality(a), models(a)} }

func quality(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "quality DIR",
		Short: "Measure how well searches rank a test collection",
		Long: "Measure how well searches rank a test collection: a folder of Markdown documents with\n" +
			"queries.tsv (id, text) and qrels.tsv (query, document, grade), where a document's id is its\n" +
			"file's name without .md. Printed are nDCG@10 with linear gain, mean average precision and\n" +
			"recall@20, means of all queries that have a relevant document. The folder is only read.",
		Example: "  kist bench quality ~/cranfield",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			show, end := a.Bar()
			r, err := bench.Quality(cmd.Context(), args[0], show)
			end()
			if err != nil {
				return err
			}
			if a.JSON() {
				return a.Value(r)
			}
			a.Print("%d documents, %d queries\n", r.Documents, r.Queries)
			rows := [][]string{{"ranked by", "nDCG@10", "MAP", "recall@20"}}
			for _, m := range r.Modes {
				rows = append(rows, []string{m.Mode, fmt.Sprintf("%.3f", m.NDCG10), fmt.Sprintf("%.3f", m.MAP), fmt.Sprintf("%.3f", m.Recall20)})
			}
			return a.Table(rows)
		},
	}
}
