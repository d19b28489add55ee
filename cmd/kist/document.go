package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func docCommand(c *cli) *cobra.Command {
	cmd := groupCommand(c, "doc", "Documents: show, set, unset, section, check", "  kist doc show welcome.md",
		docShowCommand(c), docSetCommand(c), docUnsetCommand(c), docSectionCommand(c), docCheckCommand(c))
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
			r, err := k.Vault.GetDocument(ctx, &v1.GetDocumentRequest{Path: c.inVault(args[0])})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) {
				c.log.problems(r.Document.Problems)
				if outline {
					p.outline(r.Document)
					return
				}
				p.raw(r.Document.Text)
			})
		}),
	}
	cmd.Flags().BoolVar(&outline, "outline", false, "its properties and headings instead of its text")
	return cmd
}

// outline prints a document's properties and headings with their lines.
func (p *printer) outline(d *v1.Document) {
	var t table
	for _, pr := range d.Properties {
		t.add(p.paint(dim, lineRef(d.Path, pr.Line)), pr.Key+":", oneLineSafe(pr.Value))
	}
	for _, s := range d.Sections {
		if s.Level > 0 {
			t.add(p.paint(dim, lineRef(d.Path, s.Line)), strings.Repeat("#", int(s.Level)), p.paint(bold, s.Heading))
		}
	}
	p.table(t)
}

func oneLineSafe(s string) safe { return safe(oneLine(s)) }

// problems prints what is wrong with files, and what to do.
func (p *printer) problems(problems []*v1.Problem) {
	for _, pr := range problems {
		at := pr.Path
		if pr.Line > 0 {
			at = lineRef(at, pr.Line)
			if pr.Column > 0 {
				at = lineRef(at, pr.Column)
			}
		}
		p.printf("%s: %s\n", p.paint(bold, at), pr.Message)
		if pr.Hint != "" {
			p.printf("    %s\n", pr.Hint)
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

func docSectionCommand(c *cli) *cobra.Command {
	var req v1.EditSectionRequest
	var add, prepend bool
	cmd := &cobra.Command{
		Use:     "section PATH HEADING",
		Short:   "Replace the text below a heading by standard input",
		Long:    "Replace the text below a heading, or a heading path such as \"Plan > Costs\", by standard input; or add to it.",
		Example: "  echo \"- Ask the yard\" | kist doc section projects/houseboat/project.md \"Next steps\" --append",
		Args:    cobra.ExactArgs(2),
		PreRunE: func(*cobra.Command, []string) (err error) {
			switch {
			case add && prepend:
				return usagef("--append and --prepend exclude each other")
			case add:
				req.How = "append"
			case prepend:
				req.How = "prepend"
			}
			req.Text, err = c.textFrom(nil, "the section's text")
			return err
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Path, req.Heading = c.inVault(args[0]), args[1]
			r, err := k.Vault.EditSection(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	cmd.Flags().BoolVar(&add, "append", false, "add at the section's end instead")
	cmd.Flags().BoolVar(&prepend, "prepend", false, "add below the heading instead")
	reasonFlag(cmd, &req.Reason)
	return cmd
}

func docCheckCommand(c *cli) *cobra.Command {
	var req v1.CheckItemRequest
	var off bool
	cmd := &cobra.Command{
		Use:     "check PATH LINE",
		Short:   "Tick the checkbox on a line",
		Long:    "Tick the checkbox on a line, or clear it.",
		Example: "  kist doc check notes/packing.md 12",
		Args:    cobra.ExactArgs(2),
		PreRunE: func(_ *cobra.Command, args []string) error {
			n, err := strconv.ParseInt(args[1], 10, 32)
			if err != nil || n < 1 {
				return usagef("%q is not a line number", args[1])
			}
			req.Line, req.Checked = int32(n), !off
			return nil
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Path = c.inVault(args[0])
			r, err := k.Vault.CheckItem(ctx, &req)
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	cmd.Flags().BoolVar(&off, "off", false, "clear it instead")
	reasonFlag(cmd, &req.Reason)
	return cmd
}
