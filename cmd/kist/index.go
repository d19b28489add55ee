package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kist/cmd/kist/console"
	"kist/cmd/kist/find"
	"kist/cmd/kist/output"
	"kist/cmd/kist/terminal"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func indexCommand(c *cli) *cobra.Command {
	return groupCommand(c, "index", "The index: status, rebuild, wait", "  kist index status",
		indexStatusCommand(c), indexRebuildCommand(c), indexWaitCommand(c))
}

func indexStatusCommand(c *cli) *cobra.Command {
	var watch bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what the index holds and what it could not read",
		Long: "Show what the index holds, how far it is behind the files, and which files it could not fully\n" +
			"read and why. With --watch, show the progress of a build until it is done, as JSON a status a line.",
		Example: "  kist index status --json",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			if watch {
				return c.watchIndex(ctx, k)
			}
			r, err := k.Index.GetIndexStatus(ctx, &v1.GetIndexStatusRequest{})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				var t output.Table
				indexRows(&t, p, r)
				p.Table(t)
				p.problems(r.Problems)
			})
		}),
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "show progress until the index is ready")
	return cmd
}

// watchIndex shows the progress of a build until it is done.
func (c *cli) watchIndex(ctx context.Context, k *dial.Client) error {
	stream, err := k.Index.WatchIndex(ctx, &v1.WatchIndexRequest{UntilReady: true})
	if err != nil {
		return err
	}
	defer stream.Close()
	bar := c.newBar()
	var last *v1.GetIndexStatusResponse
	for stream.Receive() {
		last = stream.Msg().Status
		if c.json {
			if err := c.out.JSONLine(last); err != nil {
				return err
			}
			continue
		}
		bar.Show(int(last.Progress.GetDone()), int(last.Progress.GetTotal()), "indexing")
	}
	bar.End()
	if err := stream.Err(); err != nil || c.json || last == nil {
		return err
	}
	var t output.Table
	indexRows(&t, c.out, last)
	c.out.Table(t)
	return nil
}

// indexRows adds what an index status says, its problems aside.
func indexRows(t *output.Table, p *printer, r *v1.GetIndexStatusResponse) {
	t.Add(p.Paint(output.Dim, "index"), statusText(p, r.State))
	if r.State == "building" && r.Progress != nil {
		text := fmt.Sprintf("%d of %d files", r.Progress.Done, r.Progress.Total)
		if r.Progress.PerSecond > 0 {
			text += console.Pace(r.Progress.PerSecond, r.Progress.SecondsLeft)
		}
		t.Add(p.Paint(output.Dim, "progress"), text)
	}
	t.Add(p.Paint(output.Dim, "documents"), r.Documents)
	t.Add(p.Paint(output.Dim, "sections"), r.Sections)
	f := r.Freshness
	t.Add(p.Paint(output.Dim, "pending"), f.GetPending())
	t.Add(p.Paint(output.Dim, "failed"), f.GetFailed())
	t.Add(p.Paint(output.Dim, "vectors"), vectorsText(r.Vectors))
	if e := r.Vectors.GetEmbedder(); e != nil {
		t.Add(p.Paint(output.Dim, "embedder"), embedderText(e))
		if e.Problem != "" {
			t.Add(p.Paint(output.Dim, "problem"), p.Paint(output.Yellow, e.Problem))
		}
	}
	if r.Notice != "" {
		t.Add(p.Paint(output.Dim, "notice"), p.Paint(output.Yellow, r.Notice))
	}
}

// vectorsText says whether search goes by meaning.
func vectorsText(v *v1.VectorStatus) string {
	switch {
	case v.GetState() == "none" && v.GetEmbedder().GetInUse():
		return "none built in: search uses the embedder's"
	case v.GetState() == "none":
		return "none: search goes by words alone"
	case v.GetState() != "ready":
		return terminal.Line(v.GetState())
	case v.GetPending() > 0:
		return fmt.Sprintf("%d by %s, %d to come", v.GetDocuments(), terminal.Line(v.GetModel()), v.GetPending())
	}
	return fmt.Sprintf("%d by %s", v.GetDocuments(), terminal.Line(v.GetModel()))
}

// embedderText says how far a server has embedded the documents.
func embedderText(e *v1.EmbedderStatus) string {
	text := fmt.Sprintf("%s %s: %d documents", terminal.Line(e.Model), terminal.Line(e.State), e.Documents)
	if e.Pending > 0 {
		text += fmt.Sprintf(", %d to come", e.Pending)
	}
	if e.Skipped > 0 {
		text += fmt.Sprintf(", %d passages refused", e.Skipped)
	}
	if !e.InUse {
		text += "; not in use yet"
	}
	return text
}

func indexRebuildCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "rebuild",
		Short: "Build the index anew from the files",
		Long: "Build the index anew from the files. It changes no document; searches go on meanwhile.\n" +
			"Documents that vanished all at once, which kist status tells of, count as deleted then.",
		Example: "  kist index rebuild",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			stream, err := k.Index.RebuildIndex(ctx, &v1.RebuildIndexRequest{})
			if err != nil {
				return err
			}
			defer stream.Close()
			bar := c.newBar()
			for stream.Receive() {
				msg := stream.Msg()
				if c.json {
					if err := c.out.JSONLine(msg); err != nil {
						return err
					}
					continue
				}
				bar.Show(int(msg.Progress.GetDone()), int(msg.Progress.GetTotal()), "indexing")
			}
			bar.End()
			return stream.Err()
		}),
	}
}

func indexWaitCommand(c *cli) *cobra.Command {
	var seq int32
	cmd := &cobra.Command{
		Use:     "wait",
		Short:   "Wait until the index holds what the vault knows",
		Long:    "Wait until the index holds every change that the vault knows of now, or one sequence number.",
		Example: "  kist index wait && kist search paint",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Index.WaitIndex(ctx, &v1.WaitIndexRequest{Seq: seq})
			if err != nil {
				return err
			}
			return c.show(r, func(*printer) { find.Freshness(c.log.Printer, r.Freshness) })
		}),
	}
	cmd.Flags().Int32Var(&seq, "seq", 0, "a sequence number to wait for")
	return cmd
}
