//go:build !linux

package vault

import "os"

// heldOpen can't be found out here.
func heldOpen(*os.File) (held, known bool) { return false, false }

// heldForWriting can't be found out here.
func heldForWriting(*os.File) (held, known bool) { return false, false }
