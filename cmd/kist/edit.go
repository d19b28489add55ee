package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kist/cmd/kist/editor"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func opEditCommand(c *cli) *cobra.Command {
	var in, file string
	cmd := &cobra.Command{
		Use:   "edit ID",
		Short: "Change what a proposed operation would do",
		Long: "Change what a proposed operation would do: kist opens the text that the file would hold\n" +
			"in $VISUAL or $EDITOR, or takes it from a file or standard input. The operation goes on\n" +
			"waiting for approval, with another digest. Of several files --path says which.",
		Example: "  kist op edit 8F3KQ2ZC\n  kist op edit 8F3KQ2ZC --text-file - < better.md",
		Args:    opID,
		RunE: c.rpc(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := dial.Operation(ctx, args[0], true, k.Operation.GetOperation)
			if err != nil {
				return err
			}
			change, err := editable(r.Operation, c.inVault(in))
			if err != nil {
				return err
			}
			return c.editProposal(ctx, k, r.Operation, change, file)
		}),
	}
	cmd.Flags().StringVar(&in, "path", "", "which of the operation's files")
	cmd.Flags().StringVar(&file, "text-file", "", "take the text from a file, or - for standard input")
	return cmd
}

// editable returns the change whose text is to be edited: that of a path, or the
// only one with a text.
func editable(op *v1.Operation, at string) (*v1.FileChange, error) {
	if op.Status != "proposed" {
		return nil, hintError{
			fmt.Errorf("operation %s is %s", shortID(op.Id), op.Status),
			"only an operation that waits for approval can be edited",
		}
	}
	var paths []string
	for _, ch := range op.Changes {
		if ch.Text != nil {
			paths = append(paths, ch.Path)
		}
	}
	if at == "" && len(paths) == 1 {
		at = paths[0]
	}
	i := slices.IndexFunc(op.Changes, func(ch *v1.FileChange) bool { return ch.Text != nil && ch.Path == at })
	switch {
	case i >= 0:
		return op.Changes[i], nil
	case len(paths) == 0:
		return nil, errors.New("the operation leaves no text that could be edited")
	case at == "":
		return nil, usagef("the operation is about several files; choose one with --path: %s", strings.Join(paths, ", "))
	}
	return nil, usagef("the operation leaves no text in %s; its files are %s", at, strings.Join(paths, ", "))
}

// editProposal gets another text and makes the operation leave that. A text that
// was written in an editor is kept if it can't be used.
func (c *cli) editProposal(ctx context.Context, k *dial.Client, op *v1.Operation, change *v1.FileChange, file string) error {
	var draft editor.Draft
	var err error
	text := ""
	switch {
	case file != "":
		text, err = c.readText(file)
	case c.canAsk():
		if draft, err = editor.New(change.GetText(), change.Path); err == nil {
			text, err = draft.Edit(ctx, c.in, c.log.Out)
		}
	default:
		err = usageError{hintError{errors.New("nobody is here to edit"), "give the text with --text-file"}}
	}
	if err != nil {
		return kept(draft, err)
	}
	if text == change.GetText() {
		c.log.Printf("nothing was changed\n")
		return errors.Join(draft.Remove(), c.show(&v1.EditOperationResponse{Operation: op}, func(*printer) {}))
	}
	if text == "" || !utf8.ValidString(text) {
		return kept(draft, usageError{hintError{errors.New("the text is empty, or not UTF-8"), "nothing was changed; reject the operation if it should not happen"}})
	}
	r, err := k.Operation.EditOperation(ctx, &v1.EditOperationRequest{
		Id: op.Id, Digest: op.Digest, Texts: []*v1.FileText{{Path: change.Path, Text: text}},
	})
	if err != nil {
		return kept(draft, err)
	}
	return errors.Join(draft.Remove(), c.show(r, func(p *printer) {
		p.operation(r.Operation)
		c.log.Printf("\nIt still waits for approval.\n")
	}))
}

func (c *cli) readText(file string) (string, error) {
	var b []byte
	var err error
	if file == "-" {
		b, err = io.ReadAll(c.in)
	} else {
		b, err = os.ReadFile(file)
	}
	if err != nil {
		return "", fmt.Errorf("read the text: %w", err)
	}
	return string(b), nil
}

// kept adds to an error where the text is that somebody wrote in vain.
func kept(d editor.Draft, err error) error {
	if d.File() == "" {
		return err
	}
	return hintError{err, "your text is kept in " + d.File()}
}
