package main

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// heldKey is where a script keeps the files that it holds open, by path.
type heldKey struct{}

// cmdHold: hold FILE opens a file and keeps it open; hold FILE TEXT adds a line to the
// one that was opened, whatever its name is by now; ! hold FILE closes it.
func cmdHold(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: hold FILE [TEXT]")
	}
	held := ts.Value(heldKey{}).(map[string]*os.File)
	p := ts.MkAbs(args[0])
	switch f := held[p]; {
	case f == nil:
		f, err := os.OpenFile(p, os.O_WRONLY|os.O_APPEND, 0)
		ts.Check(err)
		held[p] = f
	case neg:
		ts.Check(f.Close())
		delete(held, p)
	case len(args) == 2:
		_, err := f.WriteString(args[1] + "\n")
		ts.Check(err)
	}
}
