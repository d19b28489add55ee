//go:build npm && unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestTypeScriptClient runs the client of testdata/clients/typescript, which .ci/api compiled in
// the folder KIST_TYPESCRIPT.
func TestTypeScriptClient(t *testing.T) {
	dir := os.Getenv("KIST_TYPESCRIPT")
	if dir == "" {
		t.Fatal("KIST_TYPESCRIPT names no folder; .ci/run api makes one")
	}
	testClient(t, fmt.Sprintf(clientPrints, " true", ""), "node", filepath.Join(dir, "client.js"))
}
