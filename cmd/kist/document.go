package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"kist/cmd/kist/output"
	"kist/cmd/kist/whole"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func docCommand(c *cli) *cobra.Command {
	show, _ := c.shows()
	cmd := groupCommand(c, "doc", "Documents: list, show, create, move, delete, set, unset, section, item, check", "  kist doc show welcome.md",
		docShowCommand(c), docSetCommand(c), docUnsetCommand(c), docSectionCommand(c), docItemCommand(c), docCheckCommand(c))
	cmd.AddCommand(whole.Commands(whole.App{
		RPC: c.rpc, Show: show, Path: c.inVault, Sure: c.sure, Log: c.log.Printf,
		Done: c.done,
		Text: func(args []string) (string, error) { return c.textFrom(args, "the text") },
	})...)
	cmd.Long = "Read and splice any document. A change touches the bytes it is about and no other.\n" +
		"Paths are counted from the vault's root."
	return cmd
}

func docShowCommand(c *cli) *cobra.Command {
	var outline bool
	cmd := &cobra.Command{
		Use:   "show PATH",
		Short: "Print a document",
		Long: "Print a document, or its outline. On a terminal control characters are made visible;\n" +
			"elsewhere the bytes are those of the file.",
		Example: "  kist doc show projects/houseboat/project.md --outline",
		Args:    cobra.ExactArgs(1),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := dial.Document(ctx, c.inVault(args[0]), k.Vault.GetDocument)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				c.log.problems(r.Document.Problems)
				if outline {
					p.outline(r.Document)
					return
				}
				p.Raw(append([]byte(r.Document.GetContent()), r.Document.Text...)) // one of them
			})
		}),
	}
	cmd.Flags().BoolVar(&outline, "outline", false, "its properties and headings instead of its text")
	return cmd
}

// outline prints a document's properties and headings with their lines.
func (p *printer) outline(d *v1.Document) {
	var t output.Table
	for _, pr := range d.Properties {
		t.Add(p.Paint(output.Dim, output.LineRef(d.Path, pr.Line)), pr.Key+":", oneLineSafe(pr.Value))
	}
	for _, s := range d.Sections {
		if s.Level > 0 {
			t.Add(p.Paint(output.Dim, output.LineRef(d.Path, s.Line)), strings.Repeat("#", int(s.Level)), p.Paint(output.Bold, s.Heading))
		}
	}
	p.Table(t)
}

func oneLineSafe(s string) output.Safe { return output.Safe(output.OneLine(s)) }

// problems prints what is wrong with files, and what to do.
func (p *printer) problems(problems []*v1.Problem) {
	for _, pr := range problems {
		at := pr.Path
		if pr.Line > 0 {
			at = output.LineRef(at, pr.Line)
			if pr.Column > 0 {
				at = output.LineRef(at, pr.Column)
			}
		}
		p.Printf("%s: %s\n", p.Paint(output.Bold, at), pr.Message)
		if pr.Hint != "" {
			p.Printf("    %s\n", pr.Hint)
		}
	}
}

func docSetCommand(c *cli) *cobra.Command {
	var req v1.SetPropertyRequest
	cmd := &cobra.Command{
		Use:     "set PATH KEY VALUE",
		Short:   "Set a front-matter key",
		Long:    "Set a front-matter key to a YAML value on one line. The other keys keep every byte.",
		Example: "  kist doc set notes/paint.md tags \"[boat, paint]\"",
		Args:    cobra.ExactArgs(3),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Path, req.Key, req.Value = c.inVault(args[0]), args[1], args[2]
			r, err := k.Vault.SetProperty(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func docUnsetCommand(c *cli) *cobra.Command {
	var req v1.UnsetPropertyRequest
	cmd := &cobra.Command{
		Use:     "unset PATH KEY",
		Short:   "Remove a front-matter key",
		Long:    "Remove a front-matter key with its value. The other keys keep every byte.",
		Example: "  kist doc unset notes/paint.md draft",
		Args:    cobra.ExactArgs(2),
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Path, req.Key = c.inVault(args[0]), args[1]
			r, err := k.Vault.UnsetProperty(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	reasonFlag(cmd, &req.Reason)
	return cmd
}
