package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// This file holds the commands that change a document's sections and list items.

// A place is where a text goes that a section gets.
type place struct {
	add, prepend  bool
	after, before string
	level         int32
}

func docSectionCommand(c *cli) *cobra.Command {
	var at place
	var text, reason string
	cmd := &cobra.Command{
		Use:   "section PATH HEADING",
		Short: "Replace the text below a heading by standard input, or add a section",
		Long: "Replace the text below a heading, or a heading path such as \"Plan > Costs\", by standard\n" +
			"input; or add to it. With --insert-after or --insert-before, HEADING is that of a new\n" +
			"section beside the named one, whose level it gets unless --level says otherwise.",
		Example: "  echo \"- Ask the yard\" | kist doc section projects/houseboat/project.md \"Next steps\" --append\n" +
			"  kist doc section notes/paint.md Colours --insert-after Supplier < colours.md",
		Args: cobra.ExactArgs(2),
		PreRunE: func(*cobra.Command, []string) (err error) {
			if err := at.check(); err != nil || at.inserts() && c.interactive() {
				return err // a new section may be empty
			}
			text, err = c.textFrom(nil, "the section's text")
			return err
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			if at.inserts() {
				r, err := k.Vault.InsertSection(ctx, &v1.InsertSectionRequest{
					Path: c.inVault(args[0]), Heading: args[1], Text: text, Reason: reason,
					Beside: orElse(at.after, at.before), Before: at.before != "", Level: at.level,
				})
				if err != nil {
					return err
				}
				return c.show(r, func(p *printer) { p.opLine(r.Operation) })
			}
			r, err := k.Vault.EditSection(ctx, &v1.EditSectionRequest{
				Path: c.inVault(args[0]), Heading: args[1], Text: text, How: at.how(), Reason: reason,
			})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&at.add, "append", false, "add at the section's end instead")
	f.BoolVar(&at.prepend, "prepend", false, "add below the heading instead")
	f.StringVar(&at.after, "insert-after", "", "add a section behind this one and all below it")
	f.StringVar(&at.before, "insert-before", "", "add a section before this one")
	f.Int32Var(&at.level, "level", 0, "the new heading's level, 1 to 6")
	reasonFlag(cmd, &reason)
	return cmd
}

func (p place) inserts() bool { return p.after != "" || p.before != "" }

func (p place) check() error {
	n := 0
	for _, set := range []bool{p.add, p.prepend, p.after != "", p.before != ""} {
		if set {
			n++
		}
	}
	switch {
	case n > 1:
		return usagef("--append, --prepend, --insert-after and --insert-before exclude each other")
	case p.level != 0 && !p.inserts():
		return usagef("--level is of a new section; it needs --insert-after or --insert-before")
	}
	return nil
}

// how is the way to change a section that is there.
func (p place) how() string {
	switch {
	case p.add:
		return "append"
	case p.prepend:
		return "prepend"
	}
	return ""
}

func docItemCommand(c *cli) *cobra.Command {
	var section, reason, text string
	var number int32
	var task bool
	cmd := &cobra.Command{
		Use:   "item PATH TEXT",
		Short: "Add an item to a list, or change the text of a checkbox",
		Long: "Add an item at the end of the last list of a section, or of the document, written as\n" +
			"that list is. With --line the text replaces that of the checkbox on that line. Without\n" +
			"TEXT it is read from standard input.",
		Example: "  kist doc item notes/packing.md --section Kitchen \"the big pot\"\n" +
			"  kist doc item notes/packing.md --line 12 \"two tents\"",
		Args: cobra.MinimumNArgs(1),
		PreRunE: func(cmd *cobra.Command, args []string) (err error) {
			if line := cmd.Flags().Changed("line"); line && (section != "" || task) {
				return usagef("--line is for an item that is there; --section and --task are for a new one")
			} else if line && number < 1 {
				return usagef("lines are counted from 1")
			}
			text, err = c.words(args[1:], "the item's text")
			return err
		},
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			path := c.inVault(args[0])
			if number > 0 {
				r, err := k.Vault.EditItem(ctx, &v1.EditItemRequest{Path: path, Line: number, Text: text, Reason: reason})
				if err != nil {
					return err
				}
				return c.show(r, func(p *printer) { p.opLine(r.Operation) })
			}
			r, err := k.Vault.AppendItem(ctx, &v1.AppendItemRequest{Path: path, Section: section, Text: text, Task: task, Reason: reason})
			if err != nil {
				return err
			}
			return c.show(r, func(p *printer) { p.opLine(r.Operation) })
		}),
	}
	f := cmd.Flags()
	f.StringVar(&section, "section", "", "the heading of the section whose list it is (else the last one)")
	f.BoolVar(&task, "task", false, "with a checkbox, whatever the other items have")
	f.Int32Var(&number, "line", 0, "change the checkbox on this line instead")
	reasonFlag(cmd, &reason)
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
