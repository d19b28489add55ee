//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// cmdTerminal is for Linux; scripts that use it ask for that.
func cmdTerminal(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("no pseudo-terminal on this system")
}
