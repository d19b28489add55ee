package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// This file holds the script commands that disturb conversations.

// cmdMidTurn: midturn VAULT ROUNDS DUMP lays the text of a file out in a new session,
// says go, kills the daemon at some moment of that turn and goes on. In the end all of
// it is there once, and undoing the session leads back to the same bytes. KIST_KILLS
// asks for more rounds.
func cmdMidTurn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: midturn VAULT ROUNDS DUMP")
	}
	m := midTurn{ts: ts, vault: ts.MkAbs(args[0]), dump: ts.ReadFile(args[2])}
	rounds, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n, err := strconv.Atoi(os.Getenv("KIST_KILLS")); err == nil {
		rounds = n
	}
	cut := 0
	before := m.tree()
	for i := range rounds {
		session := m.begin()
		done := m.cut(session, time.Duration(i)*4*time.Millisecond+rand.N(6*time.Millisecond))
		out := m.say(session, "go on")
		if strings.Contains(out, "interrupted") {
			cut++
		} else if !done && m.tasks() == 0 {
			m.say(session, "go") // it never arrived
		}
		if n := m.tasks(); n != 5 {
			ts.Fatalf("round %d: %d tasks, want 5: %v\n%s", i, n, m.tree(), out)
		}
		m.kist("op", "undo", "--session", session)
		if after := m.tree(); after != before {
			ts.Fatalf("round %d: undoing leaves\n%s\nbefore\n%s", i, after, before)
		}
	}
	ts.Logf("%d rounds, %d turns were cut", rounds, cut)
}

type midTurn struct {
	ts          *testscript.TestScript
	vault, dump string
}

func (m midTurn) kist(args ...string) string {
	cmd := exec.Command("kist", args...)
	prepare(m.ts, cmd)
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.ts.Fatalf("kist %.100q: %v: %s", args, err, out)
	}
	return string(out)
}

func (m midTurn) say(session, text string) string { return m.kist("ask", "--session", session, text) }

// begin lays the text out in a new session and returns its id.
func (m midTurn) begin() string {
	m.kist("ask", "--session", "new", "let's talk about the houseboat")
	var list struct{ Sessions []struct{ ID string } }
	m.ts.Check(json.Unmarshal([]byte(m.kist("session", "list", "-n", "1", "--json")), &list))
	if out := m.say(list.Sessions[0].ID, m.dump); !strings.Contains(out, "Shall I") {
		m.ts.Fatalf("not laid out: %s", out)
	}
	return list.Sessions[0].ID
}

// cut says go and kills the daemon some time after. It reports whether the turn was
// answered to its end.
func (m midTurn) cut(session string, after time.Duration) bool {
	pid, err := daemonPID(m.vault)
	m.ts.Check(err)
	cmd := exec.Command("kist", "ask", "--json", "--session", session, "go")
	prepare(m.ts, cmd)
	var out lockedBuffer
	cmd.Stdout = &out
	m.ts.Check(cmd.Start())
	time.Sleep(10*time.Millisecond + after)
	m.ts.Check(kill(pid))
	_ = cmd.Wait() // its daemon died
	return strings.Contains(out.String(), `"done"`)
}

func (m midTurn) tasks() int {
	files, _ := filepath.Glob(filepath.Join(m.vault, "projects", "*", "tasks", "*.md"))
	return len(files)
}

// tree is what the documents hold.
func (m midTurn) tree() string {
	var b strings.Builder
	m.ts.Check(filepath.WalkDir(filepath.Join(m.vault, "projects"), func(p string, d os.DirEntry, err error) error {
		if vanished(err) || err == nil && (d.IsDir() || strings.Contains(p, "/conversations/") || strings.HasPrefix(d.Name(), ".")) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := os.ReadFile(p)
		fmt.Fprintf(&b, "%s\n%s\n", strings.TrimPrefix(p, m.vault), text)
		return err
	}))
	return b.String()
}

var turnComment = regexp.MustCompile(`(?m)^<!-- turn (\S+) session (\S+) at \S+ -->\n\n> (.*)$`)

// cmdTogether: together VAULT SESSION CLIENTS TURNS lets clients, a process for each
// turn, say things in one session at the same time. Each turn is in the conversation
// once, whole, and each operation is named by the turn that made it.
func cmdTogether(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: together VAULT SESSION CLIENTS TURNS")
	}
	clients, err := strconv.Atoi(args[2])
	ts.Check(err)
	turns, err := strconv.Atoi(args[3])
	ts.Check(err)
	var wg sync.WaitGroup
	fails := make([]error, clients)
	for c := range clients {
		wg.Go(func() {
			for n := range turns {
				cmd := exec.Command("kist", "ask", "--session", args[1], fmt.Sprintf("add a task to fetch parcel %c%d", 'a'+c, n))
				prepare(ts, cmd)
				if out, err := cmd.CombinedOutput(); err != nil {
					fails[c] = fmt.Errorf("%w: %s", err, out)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, err := range fails {
		ts.Check(err)
	}
	ts.Check(wholeTurns(ts.MkAbs(args[0]), args[1], clients, turns))
}

func wholeTurns(vault, session string, clients, turns int) error {
	files, _ := filepath.Glob(filepath.Join(vault, "projects", "*", "conversations", "*.md"))
	said := map[string]int{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		parts := strings.Split(string(text), "\n## ")
		for _, part := range parts[1:] {
			m := turnComment.FindAllStringSubmatch(part, -1)
			if len(m) != 1 {
				return fmt.Errorf("%s: %d turns under one heading:\n%s", f, len(m), part)
			}
			parcel, ok := strings.CutPrefix(m[0][3], "add a task to fetch parcel ")
			if m[0][2] != session || !ok {
				continue
			}
			said[parcel]++
			if strings.Count(part, "fetch-parcel-") != 1 || !strings.Contains(part, "tasks/fetch-parcel-"+parcel+".md") {
				return fmt.Errorf("the turn on parcel %s has another's operations:\n%s", parcel, part)
			}
		}
	}
	for parcel, n := range said {
		if n != 1 {
			return fmt.Errorf("parcel %s is told %d times", parcel, n)
		}
	}
	if len(said) != clients*turns {
		return fmt.Errorf("%d turns of %d are told", len(said), clients*turns)
	}
	return nil
}

// cmdConversation: conversation FOLDER FILE puts a file's text in place of each
// conversation below a folder; there must be one.
func cmdConversation(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: conversation FOLDER FILE")
	}
	files, _ := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "conversations", "*.md"))
	if len(files) == 0 {
		ts.Fatalf("no conversation below %s", args[0])
	}
	for _, f := range files {
		ts.Check(os.WriteFile(f, []byte(ts.ReadFile(args[1])), 0o666))
	}
}
