package about

import (
	"runtime"

	"github.com/spf13/cobra"

	"kist/cmd/kist/machine"
)

// Version prints which kist this is.
func Version(a App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print kist's version",
		Long:    "Print the version of this program. kist status prints the running daemon's.",
		Example: "  kist version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.JSON() {
				return a.Value(map[string]string{
					"version":  machine.Version(),
					"go":       runtime.Version(),
					"platform": runtime.GOOS + "/" + runtime.GOARCH,
				})
			}
			a.Print("kist %s (%s, %s/%s)\n", machine.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
