// Package token holds the commands about named tokens, which let programs of the user's in.
package token

import (
	"context"
	"time"

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
	// Log prints what is not the answer.
	Log Printf
}

// Printf prints by a constant format.
type Printf = func(format string, args ...any)

// Commands returns the verbs of kist token.
func Commands(a App) []*cobra.Command { return []*cobra.Command{create(a), list(a), revoke(a)} }

func create(a App) *cobra.Command {
	var req v1.CreateTokenRequest
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Make a token for a program",
		Long: "Make a token for a program that calls the daemon's API, and print it: it is shown this once, and\n" +
			"only its hash is kept, on this machine. With --read it is only good for calls that change nothing.\n" +
			"docs/clients.md says how a program sends it.",
		Example: "  kist token create dashboard --read\n  kist token create nvim",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			req.Name = args[0]
			r, err := k.Token.CreateToken(ctx, &req)
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				print("%s\n", r.Secret)
				a.Log("it isn't shown again; kist token revoke %s withdraws it\n", r.Token.Name)
			})
		}),
	}
	cmd.Flags().BoolVar(&req.Read, "read", false, "only for calls that change nothing")
	return cmd
}

func list(a App) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List tokens",
		Long:    "List the tokens of this vault on this machine: what each is good for, and when it was used last.",
		Example: "  kist token list",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			r, err := dial.All(ctx, &v1.ListTokensRequest{}, k.Token.ListTokens)
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) {
				if len(r.Tokens) == 0 {
					a.Log("no tokens yet; kist token create NAME makes one\n")
				}
				for _, t := range r.Tokens {
					good, used := "full", "never used"
					if t.Read {
						good = "read"
					}
					if t.Used != nil {
						used = "last used " + t.Used.AsTime().Local().Format("2006-01-02 15:04")
					}
					print("%-20s  %s  created %s  %s\n", t.Name, good, t.Created.AsTime().Local().Format(time.DateOnly), used)
				}
			})
		}),
	}
}

func revoke(a App) *cobra.Command {
	return &cobra.Command{
		Use:     "revoke NAME",
		Short:   "Withdraw a token at once",
		Long:    "Withdraw a token at once: calls with it are refused, and streams that are open end.",
		Example: "  kist token revoke dashboard",
		Args:    cobra.ExactArgs(1),
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, args []string) error {
			r, err := k.Token.RevokeToken(ctx, &v1.RevokeTokenRequest{Name: args[0]})
			if err != nil {
				return err
			}
			return a.Show(r, func(print Printf) { print("withdrawn: %s\n", args[0]) })
		}),
	}
}
