package main

import "github.com/rogpeppe/go-internal/testscript"

// cmdNobody is for systems with permissions like those of Unix; scripts that use it ask for that.
func cmdNobody(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("no such user on this system")
}
