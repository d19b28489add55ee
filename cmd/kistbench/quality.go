package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"kist/bench"
)

func (p *program) qualityCommand() *cobra.Command {
	var sentences int
	var seed uint64
	c := &cobra.Command{
		Use:   "quality DIR",
		Short: "Measure how well searches rank a test collection",
		Long: "Measure how well searches rank a test collection: a folder of Markdown documents with\n" +
			"queries.tsv (id, text) and qrels.tsv (query, document, grade), where a document's id is its\n" +
			"file's name without .md. Printed are nDCG@10 with linear gain, mean average precision and\n" +
			"recall@20, means of all queries that have a relevant document. The folder is only read.\n" +
			"Misspelt queries have a letter wrong, missing, too much or in another's place in three of ten\n" +
			"words of four letters and more.\n" +
			"With --sentences any folder of Markdown will do: a sentence is taken out of so many documents\n" +
			"of a copy and searched for. Printed are the mean reciprocal rank of the document, the share\n" +
			"among the first ten, and what vectors add, with its interval of 95%.",
		Example: "  kistbench quality ~/cranfield\n  kistbench quality --sentences 400 ~/notes",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if sentences > 0 {
				return p.sentences(cmd.Context(), args[0], sentences, seed)
			}
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
			if err := p.table(rows); err != nil {
				return err
			}
			keeps := r.Keeps()
			for _, mode := range slices.Sorted(maps.Keys(keeps)) {
				fmt.Fprintf(p.out, "three of ten words misspelt: %s keeps %.1f%% of its nDCG@10\n", mode, 100*keeps[mode])
			}
			return nil
		},
	}
	c.Flags().IntVar(&sentences, "sentences", 0, "take a sentence out of so many documents and search for it")
	c.Flags().Uint64Var(&seed, "seed", 1, "of the documents and sentences that are drawn")
	return c
}

func (p *program) sentences(ctx context.Context, dir string, n int, seed uint64) error {
	show, end := p.progress()
	r, err := bench.Sentences(ctx, dir, n, seed, show)
	end()
	if err != nil {
		return err
	}
	if p.json {
		return p.value(r)
	}
	fmt.Fprintf(p.out, "%d documents, %d sentences\n", r.Documents, r.Sentences)
	rows := [][]string{{"ranked by", "MRR@10", "in 10"}}
	for _, m := range r.Modes {
		rows = append(rows, []string{m.Mode, fmt.Sprintf("%.3f", m.MRR), fmt.Sprintf("%.3f", m.In10)})
	}
	if err := p.table(rows); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "hybrid over text: %+.3f [%+.3f, %+.3f]\n", r.Over.Mean, r.Over.Low, r.Over.High)
	return err
}
