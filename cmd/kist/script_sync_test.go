package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// This file holds the script commands for machines that sync by a git host.

// cmdGitHost: githost git|ssh serves the repositories in the script's folder by a real git daemon, or a
// real sshd, on a port of its own of this machine, and puts its address, with a slash at its end, into the variable HOST. Each
// connection has a process of its own, as inetd would make it.
func cmdGitHost(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: githost git|ssh")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	work := ts.MkAbs(".")
	serve := []string{"git", "daemon", "--inetd", "--export-all", "--enable=receive-pack", "--base-path=" + work, work}
	ts.Setenv("HOST", fmt.Sprintf("git://%s/", l.Addr()))
	if args[0] == "ssh" {
		serve = sshServer(ts, work)
		me, err := user.Current()
		ts.Check(err)
		ts.Setenv("HOST", fmt.Sprintf("ssh://%s@%s%s/", me.Username, l.Addr(), filepath.ToSlash(work)))
	}
	var running sync.WaitGroup
	ts.Defer(func() { l.Close(); running.Wait() })
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() { serveConn(conn, serve) })
		}
	})
}

// serveConn runs a server on a connection.
func serveConn(conn net.Conn, serve []string) {
	f, err := conn.(*net.TCPConn).File()
	conn.Close()
	if err != nil {
		return
	}
	defer f.Close()
	cmd := exec.Command(serve[0], serve[1:]...)
	cmd.Stdin, cmd.Stdout = f, f
	_ = cmd.Run() // whoever was killed on the other side ends it with an error
}

// sshServerPath is where sshd is; it must be started by its whole path.
const sshServerPath = "/usr/sbin/sshd"

// condition is what scripts can ask besides what testscript knows: sshd, whether there is one that can run.
func condition(name string) (bool, error) {
	if name != "sshd" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	for _, program := range []string{sshServerPath, "ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(program); err != nil {
			return false, nil
		}
	}
	_, err := os.Stat("/run/sshd") // which it needs as root
	return err == nil || os.Geteuid() != 0, nil
}

// sshServer makes keys of a host and of a user, has git use them, and returns the command of a server that takes them.
func sshServer(ts *testscript.TestScript, work string) []string {
	dir := filepath.Join(work, "ssh")
	ts.Check(os.MkdirAll(dir, 0o700))
	for _, key := range []string{"host", "user"} {
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).CombinedOutput()
		if err != nil {
			ts.Fatalf("ssh-keygen: %v: %s", err, out)
		}
	}
	text := func(name, text string) string {
		name = filepath.Join(dir, name)
		ts.Check(os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	config := text("sshd_config", fmt.Sprintf("HostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPidFile none\n",
		filepath.Join(dir, "host"), filepath.Join(dir, "user.pub")))
	ssh := fmt.Sprintf("ssh -F none -i %s -oIdentitiesOnly=yes -oUserKnownHostsFile=%s -oStrictHostKeyChecking=accept-new", filepath.Join(dir, "user"), filepath.Join(dir, "known"))
	cmd := exec.Command("git", "config", "--file", ts.Getenv("GIT_CONFIG_GLOBAL"), "core.sshCommand", ssh)
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Fatalf("git config: %v: %s", err, out)
	}
	return []string{sshServerPath, "-i", "-q", "-f", config}
}

// cmdExchange: exchange ROUNDS VAULT VAULT CLONE has two daemons sync while both vaults, and a clone of plain git, are
// edited, and kills one of the daemons at some moment of every round. In the end all three must have the same files,
// with every line that was written. KIST_SYNC_EXCHANGE says for how many rounds instead.
func cmdExchange(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: exchange ROUNDS VAULT VAULT CLONE")
	}
	rounds, err := strconv.Atoi(args[0])
	ts.Check(err)
	if n, err := strconv.Atoi(os.Getenv("KIST_SYNC_EXCHANGE")); err == nil {
		rounds = n
	}
	x := exchange{ts: ts, dirs: args[1:]}
	for n := range rounds {
		for who := range x.dirs {
			x.edit(who, n)
		}
		victim := ts.MkAbs(x.dirs[n%2])
		var killed sync.WaitGroup
		killed.Go(func() {
			time.Sleep(rand.N(600 * time.Millisecond))
			if pid, err := daemonPID(victim); err == nil {
				_ = kill(pid)
			}
		})
		var syncs sync.WaitGroup
		for _, dir := range x.dirs[:2] {
			syncs.Go(func() { _, _ = x.kist("--vault", dir, "sync", "now") })
		}
		x.byHand()
		syncs.Wait()
		killed.Wait()
	}
	x.settle()
	ts.Logf("%d rounds, %d lines", rounds, len(x.written))
}

type exchange struct {
	ts      *testscript.TestScript
	dirs    []string // two vaults and a clone
	written []string
}

func (x *exchange) kist(args ...string) (string, error) {
	cmd := exec.Command("kist", args...)
	prepare(x.ts, cmd)
	if global := x.ts.Getenv("GIT_CONFIG_GLOBAL"); global != "" {
		cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+global)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (x *exchange) git(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", x.ts.MkAbs(x.dirs[2])}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+x.ts.Getenv("GIT_CONFIG_GLOBAL"), "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// edit writes a line into a note of one's own, and one into one's own section of a note of all.
func (x *exchange) edit(who, round int) {
	dir := x.ts.MkAbs(x.dirs[who])
	line := fmt.Sprintf("%s wrote this in round %d", filepath.Base(dir), round)
	own := filepath.Join(dir, fmt.Sprintf("own-%d-%d.md", who, round%7))
	x.ts.Check(os.WriteFile(own, []byte("# Note\n\n"+line+"\n"), 0o644))
	shared := filepath.Join(dir, "shared.md")
	text, err := os.ReadFile(shared)
	x.ts.Check(err)
	head := fmt.Sprintf("## Of %d\n\n", who)
	line = "- " + line + " for all"
	x.ts.Check(os.WriteFile(shared, []byte(strings.Replace(string(text), head, head+line+"\n", 1)), 0o644))
	x.written = append(x.written, line)
}

// byHand is what a person does with plain git; a push may come too late.
func (x *exchange) byHand() {
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", "by hand"}, {"pull", "-q", "--no-rebase", "--no-edit"}, {"push", "-q"}} {
		if out, err := x.git(args...); err != nil && args[0] == "pull" {
			x.ts.Fatalf("git pull: %v: %s", err, out)
		}
	}
}

// settle syncs until nobody has anything new, and looks at what came of it.
func (x *exchange) settle() {
	for range 3 {
		x.byHand()
		for _, dir := range x.dirs[:2] {
			if out, err := x.kist("--vault", dir, "sync", "now"); err != nil {
				x.ts.Fatalf("%s: %v: %s", dir, err, out)
			}
		}
	}
	x.byHand()
	var shared [3]string
	for who, dir := range x.dirs {
		text, err := os.ReadFile(filepath.Join(x.ts.MkAbs(dir), "shared.md"))
		x.ts.Check(err)
		if shared[who] = string(text); shared[who] != shared[0] {
			x.ts.Fatalf("shared.md isn't the same in %s and %s:\n%s\n%s", dir, x.dirs[0], text, shared[0])
		}
		own, err := filepath.Glob(filepath.Join(x.ts.MkAbs(dir), "own-*.md"))
		x.ts.Check(err)
		if copies, _ := filepath.Glob(filepath.Join(x.ts.MkAbs(dir), "*.conflict-*")); len(copies) > 0 || len(own) < 3 {
			x.ts.Fatalf("%s has %d notes and the conflict copies %v", dir, len(own), copies)
		}
		fsck := exec.Command("git", "-C", x.ts.MkAbs(dir), "fsck", "--strict", "--no-dangling", "--no-progress")
		if out, err := fsck.CombinedOutput(); err != nil || len(out) > 0 {
			x.ts.Fatalf("git fsck in %s: %v: %s", dir, err, out)
		}
	}
	for _, line := range x.written {
		if strings.Count(shared[0], line+"\n") != 1 {
			x.ts.Fatalf("%q is there %d times", line, strings.Count(shared[0], line+"\n"))
		}
	}
}
