package main

import (
	"bytes"
	"errors"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"kist/cmd/kist/lsp/lsptest"
)

// cmdDialogue: dialogue VAULT FILE plays a dialogue with kist lsp over its standard input
// and output. A line "killdaemon" in it kills the vault's daemon; $OP is what jsonenv made it.
func cmdDialogue(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: dialogue VAULT FILE")
	}
	dir, err := filepath.EvalSymlinks(ts.MkAbs(args[0]))
	ts.Check(err)
	program, err := exec.LookPath("kist")
	ts.Check(err)
	cmd := exec.Command(program, "lsp", "--vault", dir)
	for _, key := range []string{"HOME", "PATH", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "TMPDIR", "KIST_VAULT"} {
		cmd.Env = append(cmd.Env, key+"="+ts.Getenv(key))
	}
	cmd.Env = slices.DeleteFunc(cmd.Env, func(e string) bool { return strings.HasSuffix(e, "=") })
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	var said bytes.Buffer
	cmd.Stderr = &said
	ts.Check(cmd.Start())
	p := lsptest.New(in, out, (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String())
	for i, part := range strings.Split(strings.ReplaceAll(ts.ReadFile(args[1]), "$OP", ts.Getenv("OP")), "\nkilldaemon\n") {
		if i > 0 {
			cmdKillDaemon(ts, false, args[:1])
		}
		if err := p.Play(part); err != nil {
			ts.Check(errors.Join(err, cmd.Process.Kill(), cmd.Wait()))
		}
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			ts.Fatalf("%v: %s", err, said.String())
		}
	case <-time.After(20 * time.Second):
		ts.Check(errors.Join(errors.New("kist lsp didn't end"), cmd.Process.Kill()))
	}
}
