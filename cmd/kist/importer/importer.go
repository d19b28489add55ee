// Package importer holds the commands that bring in what was made elsewhere: conversations, and
// notes that are to be projects.
package importer

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// An App is what the commands need of the program around them.
type App struct {
	// RPC makes a command's function of one that gets a connection.
	RPC func(func(context.Context, *dial.Client, []string) error) func(*cobra.Command, []string) error
	// Show prints a response: as JSON where that is asked for, else by human, whose print
	// makes its arguments fit for a terminal.
	Show func(m proto.Message, human func(print Printf)) error
	// Sure asks a question, unless the answer is yes already; an error is a no, or that nobody is there.
	Sure func(ctx context.Context, question string, yes bool) error
	// Log prints what is not the answer.
	Log Printf
}

// Printf prints by a constant format.
type Printf = func(format string, args ...any)

// Commands returns the verbs of kist import.
func Commands(a App) []*cobra.Command {
	return []*cobra.Command{command(a, "chatgpt", "ChatGPT"), command(a, "claude", "Claude")}
}

func command(a App, source, name string) *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:   source + " FILE",
		Short: "Make a note of each conversation in an export of " + name,
		Long: "Make a note of each conversation in an export of " + name + ". FILE is the .zip as it came, or the\n" +
			"conversations.json in it. The notes are made in imports/" + source + "; they count as from outside. What\n" +
			"would be done is shown before, and done after a yes (or --yes), as one batch that can be undone.\n\n" +
			"A later export can be imported again: conversations that changed since change their notes,\n" +
			"wherever you moved those. Notes whose text you edited are left alone, and named. Of a conversation,\n" +
			"the text that you saw is imported; pictures, files and what its tools did are not.",
		Example: "  kist import " + source + " export.zip\n  kist import " + source + " conversations.json --yes",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			file, err := filepath.Abs(args[0]) // the daemon reads it, from where it is
			if err != nil {
				return err
			}
			return a.bring(ctx, k, &v1.ImportConversationsRequest{Source: source, File: file}, yes)
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "without a question")
	return cmd
}

// bring asks, and then has the notes made.
func (a App) bring(ctx context.Context, k *dial.Client, req *v1.ImportConversationsRequest, yes bool) error {
	req.Preview = true
	r, err := k.Vault.ImportConversations(ctx, req)
	if err != nil {
		return err
	}
	if r.Created+r.Updated == 0 {
		return a.show(r)
	}
	if !yes {
		a.Log("%s to make, %s to change, %d unchanged\n", notes(r.Created), notes(r.Updated), r.Unchanged)
	}
	if err := a.Sure(ctx, "Import them?", yes); err != nil {
		return err
	}
	req.Preview = false
	if r, err = k.Vault.ImportConversations(ctx, req); err != nil {
		return err
	}
	return a.show(r)
}

func (a App) show(r *v1.ImportConversationsResponse) error {
	return a.Show(r, func(print Printf) {
		print("%s made, %s changed, %d unchanged\n", notes(r.Created), notes(r.Updated), r.Unchanged)
		for _, p := range r.Edited {
			print("left alone: %s (its conversation changed, and so did you change it)\n", p)
		}
		for _, title := range r.TooLong {
			print("left out: %s (too long for a note)\n", title)
		}
		if r.Empty > 0 {
			print("left out: %d without any text\n", r.Empty)
		}
		if r.Batch != "" {
			a.Log("kist op undo --batch %s takes it back\n", r.Batch)
		}
	})
}

func notes(n int32) string {
	if n == 1 {
		return "1 note"
	}
	return fmt.Sprintf("%d notes", n)
}
