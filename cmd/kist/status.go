package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kist/cmd/kist/machine"
	"kist/cmd/kist/model"
	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func statusCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show the vault, its daemon and its index",
		Long: "Show the vault, where its daemon listens, how fresh the index is, the memory in use, and the models:\n" +
			"where they are, their windows, how fast they were, and how one failed last.",
		Example: "  kist status --json",
		Args:    cobra.NoArgs,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := k.Daemon.GetStatus(ctx, &v1.GetStatusRequest{})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				p.Table(statusRows(p, r))
				if n := len(r.Index.GetProblems()); n > 0 {
					c.log.Printf("%s: kist index status names them\n", output.Plural(n, "file")+" with problems")
				}
				if r.Version != machine.Version() {
					c.log.Printf("the daemon is version %s, this program %s\n", r.Version, machine.Version())
				}
			})
		}),
	}
}

// vanishedHint is what to do about documents that are gone all at once.
const vanishedHint = "bring them back, or let kist index rebuild confirm that they are meant to be gone"

func statusRows(p *printer, r *v1.GetStatusResponse) output.Table {
	var t output.Table
	row := func(name string, value any) { t.Add(p.Paint(output.Dim, name), value) }
	row("vault", p.Paint(output.Bold, r.Vault))
	if r.ReadOnly != "" {
		row("read-only", p.Paint(output.Red, r.ReadOnly))
	}
	if r.Vanished != "" {
		row("vanished", p.Paint(output.Red, r.Vanished))
		row("", vanishedHint)
	}
	row("policy", policyText(r.Policy))
	for _, h := range r.HeldOpen {
		row("held open", heldOpen(h))
	}
	for _, name := range r.ConflictCopies {
		row("conflict copy", name)
	}
	if more := int(r.ConflictCopyCount) - len(r.ConflictCopies); more > 0 {
		row("conflict copy", fmt.Sprintf("and %d more", more))
	}
	row("address", r.Url)
	row("socket", r.Socket)
	row("daemon", fmt.Sprintf("version %s, process %d, since %s", r.Version, r.Pid, when(r.Started)))
	row("device", r.Device)
	row("sync", r.Sync.GetSentence())
	row("watcher", r.Watcher)
	if !r.Compared {
		row("history", "still being compared with the documents")
	}
	if n := len(r.LogProblems); n > 0 {
		row("log", p.Paint(output.Yellow, string(output.Plural(n, "record"))+" can't be read and nothing of them counts; kist doctor names them"))
	}
	if r.Index != nil {
		indexRows(&t, p, r.Index)
	}
	modelRows(row, p, r)
	row("memory", size(r.Memory.GetAnonymousBytes())+" resident, "+size(r.Memory.GetHeapBytes())+" heap")
	return t
}

// modelRows are of the model that answers, and of those that somebody has chosen beside it.
func modelRows(row func(string, any), p *printer, r *v1.GetStatusResponse) {
	if len(r.Models) == 0 {
		row("model", r.Model)
	}
	for i, m := range r.Models {
		name := ""
		if i == 0 {
			name = "model"
		} else if !model.Chosen(m) {
			continue
		}
		row(name, model.Sentence(m))
		if m.Error != "" {
			row("", p.Paint(output.Yellow, "failing: "+m.Error))
			row("", m.Hint)
		}
	}
}

// heldOpen says that a document is held open and what becomes of it.
func heldOpen(h *v1.HeldOpen) string {
	by := "another program"
	if len(h.Programs) > 0 {
		by = strings.Join(h.Programs, ", ")
	}
	return fmt.Sprintf("%s is held open by %s; what it saves is merged (%s so far)", h.Path, by, output.Plural(int(h.Saves), "save"))
}

// size shows a decimal number of bytes in MiB.
func size(bytes string) string {
	n, err := strconv.ParseFloat(bytes, 64)
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%.0f MiB", n/(1<<20))
}

func downCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "down",
		Short:   "Stop the vault's daemon",
		Long:    "Stop the vault's daemon and wait until it is gone. Nothing happens if none runs.",
		Example: "  kist down",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.down(cmd.Context())
		},
	}
}

// down stops the daemon, and again should another one have been about to start.
// Where none runs, all is already as it should be.
func (c *cli) down(ctx context.Context) error {
	vault, err := dial.Find(c.vault)
	if err != nil {
		return err
	}
	paths, err := dial.PathsFor(vault)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for what := "no daemon runs for "; ; what = "stopped the daemon of " {
		k, err := c.connect(ctx, false)
		if isGone(ctx, paths, 0) && errors.Is(err, dial.ErrUnreachable) {
			return c.stopped(what + vault)
		}
		if err != nil {
			return err
		}
		_, err = k.Daemon.Stop(ctx, &v1.StopRequest{})
		k.Close()
		if err != nil {
			return err
		}
		if !isGone(ctx, paths, 4*time.Second) && ctx.Err() != nil {
			return hintError{fmt.Errorf("the daemon of %s has not stopped yet", vault), "see its log: " + paths.Log}
		}
	}
}

// isGone reports whether no daemon holds the vault any more within a time.
func isGone(ctx context.Context, paths dial.Paths, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return dial.WaitGone(ctx, paths) == nil
}

func (c *cli) stopped(what string) error {
	if c.json {
		return c.out.JSON(&v1.StopResponse{})
	}
	c.log.Printf("%s\n", what)
	return nil
}
