package about

import (
	"context"

	"github.com/spf13/cobra"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// An address is all that a client needs to call the daemon.
type address struct {
	Vault      string   `json:"vault"`
	URL        string   `json:"url"`    // loopback
	Socket     string   `json:"socket"` // which needs the token as well
	TokenFile  string   `json:"tokenFile"`
	PID        int32    `json:"pid"`
	Version    string   `json:"version"`
	APIVersion int32    `json:"apiVersion"`
	Features   []string `json:"features"`
}

// Connect prints where the daemon is, and starts it where none runs.
func Connect(a App) *cobra.Command {
	return &cobra.Command{
		Use:   "connect",
		Short: "Print where the vault's daemon is, for other programs",
		Long: "Start the vault's daemon if none runs, and print what another program needs to call it: its\n" +
			"loopback address, its socket, the file that holds the token (never the token itself), and the\n" +
			"versions of the daemon and of its API. docs/clients.md shows how to go on from there.",
		Example: "  kist connect --json",
		Args:    cobra.NoArgs,
		RunE: a.RPC(func(ctx context.Context, k *dial.Client, _ []string) error {
			st, err := k.Daemon.GetStatus(ctx, &v1.GetStatusRequest{})
			if err != nil {
				return err
			}
			if st.ApiVersion == 0 {
				a.Log("the daemon is older than this program: kist down, and the next command starts one of its own version\n")
			}
			if a.JSON() {
				return a.Value(address{
					Vault: st.Vault, URL: st.Url, Socket: st.Socket, TokenFile: k.TokenFile, PID: st.Pid,
					Version: st.Version, APIVersion: st.ApiVersion, Features: append([]string{}, st.Features...), // [], not null
				})
			}
			a.Print("vault:   %s\naddress: %s\nsocket:  %s\ntoken:   in %s\nversion: %s, API %d\n",
				st.Vault, st.Url, st.Socket, k.TokenFile, st.Version, st.ApiVersion)
			return nil
		}),
	}
}
