package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// A shell is a process of kist's that carries out one command line after another, each as main
// would, in the folder and with the environment that the script has then. Half of what a script
// costs are starts of processes that are over in a moment. It is for scripts about what commands
// say and do; those about processes, and about input, start each by itself, with exec.
type shell struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	to   *json.Encoder
	from *json.Decoder
}

type shellKey struct{}

// shellNamed is the variable that has kist be a shell.
const shellNamed = "KIST_TEST_SHELL"

type shellCommand struct {
	Dir  string
	Env  []string
	Args []string
}

type shellAnswer struct {
	Code      int
	Out, Errs []byte
}

// kistOrShell is what a script starts as kist.
func kistOrShell() {
	if os.Getenv(shellNamed) == "" {
		main()
		return
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	os.Stdin, os.Stdout = nil, nil // what would be read or printed past run is a fault
	for {
		var c shellCommand
		if err := in.Decode(&c); err != nil {
			return
		}
		os.Clearenv()
		for _, v := range c.Env {
			name, value, _ := strings.Cut(v, "=")
			os.Setenv(name, value)
		}
		if err := os.Chdir(c.Dir); err != nil {
			panic(err)
		}
		var to, errs bytes.Buffer
		a := shellAnswer{Code: run(context.Background(), c.Args, strings.NewReader(""), &to, &errs)}
		a.Out, a.Errs = to.Bytes(), errs.Bytes()
		if err := out.Encode(a); err != nil {
			return
		}
	}
}

// runs has the script's shell carry out a command line.
func runs(ts *testscript.TestScript, args []string) shellAnswer {
	like := exec.Command("kist")
	prepare(ts, like)
	s := ts.Value(shellKey{}).(*shell)
	if s.cmd == nil {
		ts.Check(s.start(like))
	}
	var a shellAnswer
	ts.Check(s.to.Encode(shellCommand{Dir: like.Dir, Env: like.Env, Args: args}))
	ts.Check(s.from.Decode(&a))
	return a
}

func (s *shell) start(like *exec.Cmd) error {
	cmd := exec.Command("kist")
	cmd.Dir, cmd.Env, cmd.Stderr = like.Dir, append(slices.Clone(like.Env), shellNamed+"=1"), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	s.in, s.to, s.from = in, json.NewEncoder(in), json.NewDecoder(out)
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd = cmd
	return nil
}

func (s *shell) end() error {
	if s.cmd == nil {
		return nil
	}
	return errors.Join(s.in.Close(), s.cmd.Wait())
}

// cmdDo: do kist ARGS... does what exec kist ARGS... does, in the script's shell.
func cmdDo(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || args[0] != "kist" {
		ts.Fatalf("usage: do kist ARGS...")
	}
	if a := does(ts, args[1:]); (a.Code != exitOK) != neg {
		ts.Fatalf("exit code %d\n%s%s", a.Code, a.Out, a.Errs)
	}
}

// does is runs with the script's output.
func does(ts *testscript.TestScript, args []string) shellAnswer {
	a := runs(ts, args)
	_, err := ts.Stdout().Write(a.Out)
	ts.Check(err)
	_, err = ts.Stderr().Write(a.Errs)
	ts.Check(err)
	return a
}
