/*
Package lsp is kist as a language server, the command kist lsp: completions, definitions,
references, renames, faults and more, for any editor that speaks the protocol of version 3.16 or
newer on standard input and output.

It is a thin client of the daemon. A [server] keeps the texts of open documents, turns each
request into a call of LanguageService with the texts that aren't saved, and the answer into
the protocol's form. It reads no file of the vault, and finds the daemon again when that was
started anew. Notifications (an opened document, a change) are taken in in their order and
before what is asked after them; requests are answered concurrently.

Beside the protocol it sends kist/operation, {id, status, reason, paths, from}, whenever an
operation changed documents, so that an editor can load them again; and kist/renamed, {from, to},
of a document that was never saved, to one whose initializationOptions are {"follows": true}.
*/
package lsp

import (
	"context"
	"errors"
	"io"
	"runtime/debug"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/spf13/cobra"

	"kist/rpc/dial"
)

// An App is what the command needs of the program around it.
type App struct {
	In  io.Reader // the command's own, as Out is, which nothing else may write to
	Out io.Writer
	// Find returns the vault's folder: the one that the command line names, else the one above
	// a folder of the editor's.
	Find func(from string) (string, error)
	// Connect finds or starts the daemon, for a client of that name, and tells log of it.
	Connect func(ctx context.Context, vault, client string, log func(string)) (*dial.Client, error)
	// Log prints what is neither an answer nor for the editor.
	Log func(format string, args ...any)
}

// memory is how much the process may hold before it collects garbage more eagerly, in bytes:
// what it needs is the texts of open documents.
const memory = 16 << 20

// Command returns kist lsp.
func Command(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Be a language server for editors, on standard input and output",
		Long: "Be a language server for Markdown in a vault: links, tags, headings and front matter are completed,\n" +
			"links lead where they lead, what is wrong with a document is shown where it is, and a rename of a note,\n" +
			"a heading or a tag changes all files in one operation that can be undone.\n\n" +
			"An editor starts it, and speaks the Language Server Protocol with it; it talks to the vault's daemon,\n" +
			"which it starts where none runs. docs/editors.md says how editors are set up.",
		Example: "  kist lsp --vault ~/notes",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			debug.SetMemoryLimit(memory)
			debug.SetGCPercent(50)
			a.In, a.Out = cmd.InOrStdin(), cmd.OutOrStdout()
			return Serve(cmd.Context(), a)
		},
	}
}

// Serve speaks the protocol until the editor says exit or closes its end.
func Serve(ctx context.Context, a App) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newServer(ctx, a)
	in := &guard{in: a.In}
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{
		AllowPush: true, DisableBuiltin: true, Concurrency: 4,
		NewContext: func() context.Context { return ctx },
	})
	s.rpc.Start(channel.LSP(in, nopCloser{a.Out}))
	done := make(chan error, 1)
	go func() { done <- s.rpc.Wait() }()
	var err error
	select { // what reads may wait for an editor that says nothing more
	case err = <-done:
	case <-s.left:
	case <-ctx.Done():
	}
	s.close()
	if in.fault != nil {
		return in.fault
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
