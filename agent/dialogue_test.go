package agent_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"kist/agent"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/tool"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/vaulttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestDialogues plays the scenes of testdata/dialogues through the real engine,
// vault and index, with the offline partner. A scene's "input" has one message
// a line, or a directive: "@new" begins a new session, "@start MODE [PROJECT]"
// one of a mode, with kist's opening, "@later 72h" lets time pass, "@edit PATH old => new"
// is another program's edit. "{op WORDS}" stands for the end of the id of the last operation
// whose reason has these words. " // " in a message is a line break. "transcript" holds what happened and "files" what the vault holds
// afterwards; -update writes both.
func TestDialogues(t *testing.T) {
	paths, err := filepath.Glob("../testdata/dialogues/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no dialogues: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			playDialogue(t, path)
		})
	}
}

func playDialogue(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var start txtar.Archive
	input, wantTalk, wantFiles := "", "", ""
	for _, f := range archive.Files {
		switch f.Name {
		case "input":
			input = string(f.Data)
		case "transcript":
			wantTalk = string(f.Data)
		case "files":
			wantFiles = string(f.Data)
		default:
			start.Files = append(start.Files, f)
		}
	}
	s := newStage(t, string(txtar.Format(&start)), offline.New(), agent.Options{Seed: "scene"})
	before := s.files(t)
	talk := s.play(t, input)
	files := s.files(t)
	s.undo(t)
	if diff := cmp.Diff(before, s.files(t)); diff != "" {
		t.Errorf("undoing the sessions leaves (-before +after):\n%s", diff)
	}
	if *update {
		start.Comment = archive.Comment
		start.Files = append(start.Files, txtar.File{Name: "input", Data: []byte(input)},
			txtar.File{Name: "transcript", Data: []byte(talk)}, txtar.File{Name: "files", Data: []byte(files)})
		if err := os.WriteFile(path, txtar.Format(&start), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(wantTalk, talk); diff != "" {
		t.Errorf("transcript (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantFiles, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// A stage is an agent on a vault of its own.
type stage struct {
	root  string
	vault *vault.Vault
	index *searched // nil: search is off
	agent *agent.Agent
	now   time.Time
	later atomic.Int64         // how much time has passed by the script
	dated map[string]time.Time // drafts, see date
}

// open opens the vault with a clock that ticks, and follows the script.
func (s *stage) open(t testing.TB, archive string) *vault.Vault {
	t.Helper()
	clock := vaulttest.Clock()
	s.root = vaulttest.Write(t, archive)
	v, err := vault.Open(context.Background(), s.root, vault.Options{
		Now: func() time.Time { return clock().Add(time.Duration(s.later.Load())) }, Device: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Errorf("close vault: %v", err)
		}
	})
	return v
}

// date sets the times of drafts that were just written, which the disk took from
// the real clock.
func (s *stage) date(t *testing.T) {
	drafts, err := filepath.Glob(filepath.Join(s.vault.Dir(), "drafts", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range drafts {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if !info.ModTime().Equal(s.dated[p]) {
			if err := os.Chtimes(p, s.now, s.now); err != nil {
				t.Fatal(err)
			}
			s.dated[p] = s.now
		}
	}
}

func newStage(t testing.TB, archive string, m model.Model, opts agent.Options) *stage {
	t.Helper()
	s := &stage{now: vaulttest.Now, dated: map[string]time.Time{}}
	s.vault = s.open(t, archive)
	s.index = newSearched(t, s.vault)
	opts.Now = s.agentNow
	s.agent = s.newAgent(t, m, opts)
	return s
}

// newAgent makes another agent on the stage's vault and index.
func (s *stage) newAgent(t testing.TB, m model.Model, opts agent.Options) *agent.Agent {
	t.Helper()
	a, err := agent.New(s.vault, nil, m, opts)
	if err != nil {
		t.Fatal(err)
	}
	if s.index != nil {
		a.SearchWith(func(tool.Searcher) tool.Searcher { return s.index })
	}
	return a
}

func (s *stage) agentNow() time.Time { return s.now }

// send runs one turn and returns its events.
func (s *stage) send(t testing.TB, m agent.Message) []agent.Event {
	t.Helper()
	var events []agent.Event
	for e, err := range s.agent.Send(context.Background(), m) {
		if err != nil {
			t.Fatalf("Send(%q): %v", m.Text, err)
		}
		events = append(events, e)
	}
	return events
}

func (s *stage) play(t *testing.T, input string) string {
	var b strings.Builder
	session := ""
	var shown []string // ids, and what stands for them
	for line := range strings.Lines(input) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case line == "@new":
			session = "new"
			continue
		case strings.HasPrefix(line, "@start "):
			fmt.Fprintf(&b, "%s\n%s\n", line, s.begin(t, strings.Fields(line)[1:]))
			session = ""
			continue
		case strings.HasPrefix(line, "@later "):
			d, err := time.ParseDuration(line[len("@later "):])
			if err != nil {
				t.Fatal(err)
			}
			s.now = s.now.Add(d)
			s.later.Add(int64(d))
			continue
		case strings.HasPrefix(line, "@edit "):
			path, change, _ := strings.Cut(line[len("@edit "):], " ")
			from, to, _ := strings.Cut(change, " => ")
			s.edit(t, path, from, to)
			fmt.Fprintf(&b, "%s\n\n", line)
			continue
		}
		// A person types more slowly than the index follows.
		if err := s.index.Wait(context.Background(), 0); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "> %s\n", line)
		text := opWords.ReplaceAllStringFunc(strings.ReplaceAll(line, " // ", "\n"), func(words string) string {
			short := s.operation(t, words[len("{op "):len(words)-1])
			shown = append(shown, short, "<short id>")
			return short
		})
		b.WriteString(strings.NewReplacer(shown...).Replace(transcript(s.send(t, agent.Message{Session: session, Text: text, Client: "test"}))))
		s.date(t)
		b.WriteString("\n")
		session = ""
	}
	return b.String()
}

var opWords = regexp.MustCompile(`\{op [^}]+\}`)

// operation is what kist shows of the id of the last operation whose reason has some words.
func (s *stage) operation(t *testing.T, words string) string {
	t.Helper()
	ops, err := s.vault.Operations(context.Background(), vault.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, op := range ops {
		if strings.Contains(op.Reason, words) && op.ID > last {
			last = op.ID
		}
	}
	if last == "" {
		t.Fatalf("no operation has a reason with %q", words)
	}
	n := 8 // one more where it would be a word, or a number
	for !strings.ContainsAny(last[len(last)-n:], "0123456789") || strings.Trim(last[len(last)-n:], "0123456789") == "" {
		n++
	}
	return last[len(last)-n:]
}

// edit replaces words of a file as an editor would.
func (s *stage) edit(t *testing.T, path, from, to string) {
	path = filepath.Join(s.root, filepath.FromSlash(path))
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), from) {
		t.Fatalf("%s holds no %q (%v)", path, from, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// begin starts a session of a mode and returns how it opens.
func (s *stage) begin(t *testing.T, args []string) string {
	if err := s.index.Wait(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	start := agent.Start{Mode: args[0], Client: "test"}
	if len(args) > 1 {
		start.Project = args[1]
	}
	o, err := s.agent.Start(context.Background(), start)
	if err != nil {
		return fmt.Sprintf("[%v]\n", err)
	}
	return transcript([]agent.Event{agent.TextDelta{Text: o.Text + "\n"}})
}

// transcript writes events down, without ids, which differ from run to run.
func transcript(events []agent.Event) string {
	var b, text strings.Builder
	flush := func() {
		for line := range strings.Lines(text.String()) {
			b.WriteString(strings.TrimRight("    "+strings.TrimSuffix(line, "\n"), " ") + "\n")
		}
		text.Reset()
	}
	for _, e := range events {
		if d, ok := e.(agent.TextDelta); ok {
			text.WriteString(d.Text)
			continue
		}
		flush()
		switch e := e.(type) {
		case agent.ToolCall:
			fmt.Fprintf(&b, "[call %s %s", e.Name, e.Arguments)
			if e.Error != "" {
				fmt.Fprintf(&b, ": %s", e.Error)
			}
			b.WriteString("]\n")
		case agent.Operation:
			fmt.Fprintf(&b, "[%s %s %s: %s]\n", e.Status, e.Type, e.Entity.Path, e.Reason)
		case agent.ApprovalRequest:
			fmt.Fprintf(&b, "[%s %s %s: %s]\n", e.Status, e.Type, e.Entity.Path, e.Reason)
		case agent.ContextSwitch:
			fmt.Fprintf(&b, "[now in %q, before %q]\n", e.Project, e.Previous)
		case agent.SessionPhase:
			fmt.Fprintf(&b, "[phase %s %s]\n", e.Mode, e.Phase)
		case agent.Notice:
			fmt.Fprintf(&b, "[notice: %s]\n", e.Text)
		case agent.Failed:
			fmt.Fprintf(&b, "[failed: %v]\n", e.Err)
		case agent.Done:
			fmt.Fprintf(&b, "[done in %q]\n", e.Project)
		}
	}
	flush()
	return withoutIDs(b.String())
}

var ulid = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`)

// clock is the time of a record, which depends on how often it was looked at.
var clock = regexp.MustCompile(`(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?Z`)

func withoutIDs(s string) string {
	return clock.ReplaceAllString(ulid.ReplaceAllString(s, "<id>"), "$1")
}

// undo takes back everything that the sessions did, the last one first.
func (s *stage) undo(t *testing.T) {
	ctx := context.Background()
	sessions, err := conversation.Sessions(ctx, s.vault)
	if err != nil {
		t.Fatal(err)
	}
	// Several may be of the same second; their names tell.
	slices.SortFunc(sessions, func(a, b conversation.Session) int { return strings.Compare(b.ID, a.ID) })
	for _, sess := range sessions {
		if _, err := s.vault.Undo(ctx, vault.UndoTarget{Session: sess.ID}, vault.Origin{Actor: vault.ActorUser}); err != nil && !errors.Is(err, vault.ErrNotFound) {
			t.Errorf("undo session: %v", err)
		}
	}
}

// files lists the vault's documents with their text; of records kept for
// bookkeeping, only the names.
func (s *stage) files(t *testing.T) string {
	tree := vaulttest.Tree(t, s.vault.Dir())
	var names []string
	for name := range tree {
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "conversations/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "== %s\n", withoutIDs(name))
		for line := range strings.Lines(withoutIDs(tree[name])) {
			b.WriteString(strings.TrimRight("| "+strings.TrimSuffix(line, "\n"), " ") + "\n")
		}
	}
	return b.String()
}
