package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"kist/cmd/kist/machine"
)

func versionCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print kist's version",
		Long:    "Print the version of this program. kist status prints the running daemon's.",
		Example: "  kist version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.out.jsonValue(map[string]string{
					"version":  machine.Version(),
					"go":       runtime.Version(),
					"platform": runtime.GOOS + "/" + runtime.GOARCH,
				}, true)
			}
			c.out.printf("kist %s (%s, %s/%s)\n", machine.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
