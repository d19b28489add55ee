package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kist/bench"
)

func (p *program) qualityCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "quality DIR",
		Short: "Measure how well searches rank a test collection",
		Long: "Measure how well searches rank a test collection: a folder of Markdown documents with\n" +
			"queries.tsv (id, text) and qrels.tsv (query, document, grade), where a document's id is its\n" +
			"file's name without .md. Printed are nDCG@10 with linear gain, mean average precision and\n" +
			"recall@20, means of all queries that have a relevant document. The folder is only read.",
		Example: "  kistbench quality ~/cranfield",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			show, end := p.progress()
			r, err := bench.Quality(cmd.Context(), args[0], show)
			end()
			if err != nil {
				return err
			}
			if p.json {
				return p.value(r)
			}
			fmt.Fprintf(p.out, "%d documents, %d queries\n", r.Documents, r.Queries)
			rows := [][]string{{"ranked by", "nDCG@10", "MAP", "recall@20"}}
			for _, m := range r.Modes {
				rows = append(rows, []string{m.Mode, fmt.Sprintf("%.3f", m.NDCG10), fmt.Sprintf("%.3f", m.MAP), fmt.Sprintf("%.3f", m.Recall20)})
			}
			return p.table(rows)
		},
	}
}
