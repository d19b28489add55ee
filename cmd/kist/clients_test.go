//go:build unix

package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const clientsDir = "../../testdata/clients/"

// clientPrints is what a client that knows only docs/clients.md prints; the first %s is what it
// says of a write that was sent twice, the second what comes behind the code of an error.
const clientPrints = "status: API 1\ncreated once: projects/boat/tasks/buy-paint.md%s\nwatched: create projects/boat/tasks/buy-paint.md\n" +
	"found: projects/boat/tasks/buy-paint.md\nlisted: 2 tasks in 2 pages\nrefused: aborted%s CONFLICT\n"

// TestClients runs such clients, from a vault without a daemon on.
func TestClients(t *testing.T) {
	for _, tt := range []struct {
		name, program string
		args          []string
		want          string
	}{
		{"shell", "sh", []string{clientsDir + "client.sh"}, fmt.Sprintf(clientPrints, "", ",") + "approved: proposed, then completed\nturn: done\n"},
		{"go", "goclient", nil, fmt.Sprintf(clientPrints, " true", "")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := exec.LookPath("curl"); err != nil && tt.name == "shell" {
				if os.Getenv("CI") != "" {
					t.Fatal("CI needs curl")
				}
				t.Skip("curl isn't there")
			}
			testClient(t, tt.want, tt.program, tt.args...)
		})
	}
}

// testClient runs a client on a vault that has a project, but no daemon.
func testClient(t *testing.T, want, program string, args ...string) {
	dir := t.TempDir()
	run := func(program string, args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+filepath.Join(dir, "run"), "XDG_STATE_HOME="+filepath.Join(dir, "state"),
			"KIST_OLLAMA_URL=http://127.0.0.1:1")
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s%s", program, args, err, out, errs.String())
		}
		return string(out)
	}
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	vault := filepath.Join(dir, "my vault")
	run("kist", "init", vault)
	t.Cleanup(func() { run("kist", "down", "--vault", vault) })
	run("kist", "project", "create", "Boat", "--vault", vault)
	run("kist", "down", "--vault", vault)
	if got := run(program, append(args, vault)...); got != want {
		t.Errorf("it prints\n%s\nwant\n%s", got, want)
	}
	if got, n := run(program, append(args, vault)...), strings.Count(want, "\n"); strings.Count(got, "\n") != n || !strings.Contains(got, "created once: projects/boat/tasks/buy-paint-2.md") {
		t.Errorf("once more, it prints\n%s", got) // whoever tries it does so twice
	}
	if shown := run("kist", "connect", "--vault", vault); strings.Contains(shown, readFile(t, filepath.Join(vault, ".kist", "token"))) {
		t.Errorf("the token is shown:\n%s", shown)
	}
}

// TestClientsPage: the blocks of docs/clients.md, pasted one after the other in an empty folder,
// do what the page says, and the Go client needs nothing but the standard library.
func TestClientsPage(t *testing.T) {
	inside, script := false, "set -e\n"
	for line := range strings.Lines(readFile(t, "../../docs/clients.md")) {
		if strings.HasPrefix(line, "```") {
			inside = line == "```sh\n"
		} else if inside {
			script += line
		}
	}
	script += "say \"refused: $(say \"$refused\" | grep -ow CONFLICT), $(say \"$proposed\" | field status), $(say \"$approved\" | field status), $(say \"$missed\" | field path), $(say \"$page\" | field totalSize)\"\n"
	if _, err := exec.LookPath("curl"); err == nil {
		cmd := exec.Command("sh")
		cmd.Dir, cmd.Stdin = t.TempDir(), strings.NewReader(script)
		cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "TMPDIR="+t.TempDir(), "XDG_STATE_HOME="+filepath.Join(cmd.Dir, "state"), "XDG_RUNTIME_DIR=", "KIST_OLLAMA_URL=http://127.0.0.1:1")
		t.Cleanup(func() {
			down := exec.Command("kist", "down", "--vault", filepath.Join(cmd.Dir, "vault"))
			down.Env = cmd.Env
			if out, err := down.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		out, err := cmd.CombinedOutput()
		const want = "found: projects/boat/tasks/buy-paint.md\nturn: done\nrefused: CONFLICT, proposed, completed, projects/boat/tasks/sand-the-deck.md, 2\n"
		if err != nil || !strings.HasSuffix(string(out), want) {
			t.Errorf("%v\n%s\nwant at its end\n%s", err, out, want)
		}
	}
	// Whoever writes a client needs no more than this: what takes longer, kist has to make easier.
	for file, most := range map[string]int{"../../docs/clients.md": 100, clientsDir + "client.sh": 60, clientsDir + "client.go": 60, clientsDir + "typescript/client.ts": 60} {
		if n := strings.Count(readFile(t, file), "\n") + 1; n > most {
			t.Errorf("%s has %d lines, and %d are enough", file, n, most)
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), clientsDir+"client.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range f.Imports {
		if strings.Contains(i.Path.Value, "kist") || strings.Contains(i.Path.Value, ".") {
			t.Errorf("client.go imports %s", i.Path.Value)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}
