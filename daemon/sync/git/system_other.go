//go:build !unix

package git

import "os/exec"

// detach leaves git as it is: where there is no terminal nobody is asked.
func detach(*exec.Cmd) {}
