package main

import (
	"os"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdNothing: nothing FOLDER wants an empty folder; ! nothing FOLDER waits until there
// is something in it.
func cmdNothing(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: nothing FOLDER")
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		entries, err := os.ReadDir(ts.MkAbs(args[0]))
		ts.Check(err)
		if !neg && len(entries) > 0 {
			ts.Fatalf("%s holds %v", args[0], entries)
		}
		if neg == (len(entries) > 0) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s stays empty", args[0])
		}
	}
}
