//go:build weight

package kist_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// maxWeight is what the stripped program may have, in bytes. It was 58.9 MB when each method
// of each type was kept, and 48.9 with libraries of which next to nothing was used.
const maxWeight = 40_000_000

// TestWeight shows that the linker leaves out methods that nobody calls. It can't where
// something that the program reaches looks methods up by names that are no constants, such
// as a template of text/template, or calls the like of reflect.Type.Method.
func TestWeight(t *testing.T) {
	program := filepath.Join(t.TempDir(), "kist")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -dumpdep", "-o", program, "./cmd/kist")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	said, err := build.StderrPipe() // what the linker prints
	if err != nil {
		t.Fatal(err)
	}
	if err := build.Start(); err != nil {
		t.Fatal(err)
	}
	lines, keepers := 0, 0
	buffered := bufio.NewReader(said)
	for {
		line, err := buffered.ReadString('\n')
		if from, to, ok := strings.Cut(line, " -> "); ok {
			if lines++; strings.Contains(to, "<ReflectMethod>") {
				if keepers++; keepers <= 3 { // what follows from them is reached as well
					t.Errorf("methods are looked up by name: %s, reached from %s", strings.TrimSpace(to), from)
				}
			}
		} else if lines == 0 && err == nil {
			t.Log(strings.TrimSpace(line)) // a fault of the build
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := build.Wait(); err != nil {
		t.Fatal(err)
	}
	if lines < 10_000 {
		t.Errorf("the linker told of %d links: too few to show anything", lines)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxWeight {
		t.Errorf("the program weighs %d bytes, more than %d", info.Size(), maxWeight)
	}
}
