//go:build npm && unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTypeScriptClient runs the client of testdata/clients/typescript, which .ci/api compiled in
// the folder KIST_TYPESCRIPT.
func TestTypeScriptClient(t *testing.T) {
	dir := os.Getenv("KIST_TYPESCRIPT")
	if dir == "" {
		t.Fatal("KIST_TYPESCRIPT names no folder; .ci/run api makes one")
	}
	found := "found: projects/boat/tasks/buy-paint.md"
	want := strings.Replace(fmt.Sprintf(clientPrints, " true", ""), found, found+" paint", 1)
	testClient(t, want, "node", filepath.Join(dir, "client.js"))
}
