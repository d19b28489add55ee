//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kist/cmd/kist/lsp/lsptest"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// An existing is a folder of notes as somebody has it, with its bytes from before kist came.
type existing struct {
	t      *testing.T
	dir    string
	env    []string
	before map[string]string
	rpc    *dial.Client
}

// openExisting makes a folder a vault, and holds on to what it had.
func openExisting(t *testing.T, dir string) *existing {
	home := t.TempDir()
	e := &existing{t: t, dir: dir, before: map[string]string{}}
	for name, value := range map[string]string{"HOME": home, "XDG_RUNTIME_DIR": filepath.Join(home, "run"), "XDG_STATE_HOME": filepath.Join(home, "state"), "KIST_OLLAMA_URL": "http://127.0.0.1:1", "KIST_VAULT": dir} {
		t.Setenv(name, value) // which the client of RPC reads, too
	}
	if err := os.Mkdir(filepath.Join(home, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	e.env = os.Environ()
	if err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		e.before[filepath.ToSlash(rel)] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	e.kist("init", dir)
	e.kist("index", "wait")
	t.Cleanup(func() { e.kist("down") })
	k, err := dial.Connect(t.Context(), dir, dial.Options{Client: "existing"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	e.rpc = k
	e.same()
	return e
}

// kist runs the command line and returns what it prints.
func (e *existing) kist(args ...string) string {
	e.t.Helper()
	cmd := exec.Command("kist", args...)
	cmd.Env = e.env
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		e.t.Fatalf("kist %v: %v\n%s%s", args, err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}

// operation runs a command that changes something, and returns the operation's id.
func (e *existing) operation(args ...string) string {
	e.t.Helper()
	var said struct{ Operation struct{ ID string } }
	if out := e.kist(append(args, "--json")...); json.Unmarshal([]byte(out), &said) != nil || said.Operation.ID == "" {
		e.t.Fatalf("kist %v says %s", args, out)
	}
	return said.Operation.ID
}

// same compares each file that was there before, but for those that are named.
func (e *existing) same(but ...string) {
	e.t.Helper()
	for p, was := range e.before {
		if text, err := os.ReadFile(filepath.Join(e.dir, p)); err != nil || string(text) != was && !slices.Contains(but, p) {
			e.t.Errorf("%s isn't what it was (%v)", p, err)
		}
	}
}

// lsp has a language server carry out a command for a file.
func (e *existing) lsp(file, command string, args ...any) {
	e.t.Helper()
	cmd := exec.Command("kist", "lsp", "--vault", e.dir)
	cmd.Env = e.env
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	text, _ := json.Marshal(e.before[file])
	uri := (&url.URL{Path: file}).EscapedPath()
	given, _ := json.Marshal(args)
	if err := lsptest.New(in, out, (&url.URL{Scheme: "file", Path: filepath.ToSlash(e.dir)}).String()).Play("> initialize {\"rootUri\":\"$ROOT\",\"capabilities\":{}}\n< {}\n! initialized {}\n" +
		"! textDocument/didOpen {\"textDocument\":{\"uri\":\"$ROOT/" + uri + "\",\"version\":1,\"text\":" + string(text) + "}}\n" +
		"> workspace/executeCommand {\"command\":\"" + command + "\",\"arguments\":" + strings.ReplaceAll(string(given), "$URI", "$ROOT/"+uri) + "}\n< null\n> shutdown {}\n< null\n! exit {}\n"); err != nil {
		e.t.Fatalf("%s: %v", command, err)
	}
	if err := cmd.Wait(); err != nil {
		e.t.Error(err)
	}
}

// nvim has the plugin's client carry out a command for a file.
func (e *existing) nvim(file, command string, args ...any) {
	e.t.Helper()
	if out := e.editor(file, map[string]any{"command": command, "arguments": args}); out != "done" {
		e.t.Fatalf("nvim, %s: %s", command, out)
	}
}

// editor has Neovim do in a file what command.lua is told, and returns what that prints.
func (e *existing) editor(file string, what map[string]any) string {
	e.t.Helper()
	here, _ := filepath.Abs("../../clients/nvim/testdata")
	cmd := exec.Command("nvim", "--headless", "-u", filepath.Join(here, "init.lua"), "-c", "luafile "+filepath.Join(here, "command.lua"))
	given, _ := json.Marshal(what)
	cmd.Env = append(slices.Clone(e.env), "KIST_TEST_VAULT="+e.dir, "KIST_TEST_FILE="+file, "KIST_TEST_COMMAND="+string(given))
	out, err := cmd.Output()
	if err != nil {
		e.t.Fatalf("nvim, %v: %v: %s", what, err, out)
	}
	return string(out)
}

// hasNvim: .ci/run nvim has installed it; elsewhere it may not be there.
func (e *existing) hasNvim() bool {
	_, err := exec.LookPath("nvim")
	if err != nil && os.Getenv("KIST_NVIM") != "" {
		e.t.Error("nvim isn't there")
	}
	return err == nil
}

// throughDoors completes the task on a line (from 1), and takes that back, by each door: what else
// there is stays as it was. In conversation it is called so, unless that is empty.
func (e *existing) throughDoors(file string, line int, called string, done func(now string) bool) {
	e.t.Helper()
	ref, last := fmt.Sprintf("%s:%d", file, line), func() string {
		r, err := e.rpc.Operation.ListOperations(e.t.Context(), &v1.ListOperationsRequest{PageSize: 1})
		if err != nil || len(r.Operations) != 1 {
			e.t.Fatal(r, err)
		}
		return r.Operations[0].Id
	}
	type door struct {
		name           string
		complete, undo func()
	}
	doors := []door{
		{"command line", func() { e.kist("task", "complete", ref) }, func() { e.kist("op", "undo", last()) }},
		{"RPC", func() {
			if _, err := e.rpc.Task.CompleteTask(e.t.Context(), &v1.CompleteTaskRequest{Task: ref}); err != nil {
				e.t.Fatal(err)
			}
		}, func() {
			if _, err := e.rpc.Operation.UndoOperation(e.t.Context(), &v1.UndoOperationRequest{Target: &v1.UndoOperationRequest_Id{Id: last()}}); err != nil {
				e.t.Fatal(err)
			}
		}},
		{"language server", func() { e.lsp(file, "kist.completeTask", "$URI", line-1) }, func() { e.lsp(file, "kist.undo", last()) }},
	}
	if e.hasNvim() {
		doors = append(doors, door{"Neovim", func() { e.nvim(file, "kist.completeTask", "$URI", line-1) }, func() { e.nvim(file, "kist.undo", last()) }})
	}
	if called != "" {
		doors = append(doors, door{"conversation", func() { e.kist("ask", "--session", "new", "complete "+called); e.kist("ask", "go") }, func() { e.kist("ask", "undo that") }})
	}
	was := strings.SplitAfter(e.before[file], "\n")
	for _, d := range doors {
		d.complete()
		text, err := os.ReadFile(filepath.Join(e.dir, file))
		now := strings.SplitAfter(string(text), "\n")
		if err != nil || len(now) != len(was) || !done(now[line-1]) || !slices.Equal(slices.Delete(slices.Clone(now), line-1, line), slices.Delete(slices.Clone(was), line-1, line)) {
			e.t.Errorf("%s: completed, the line is %q, of %d lines (%v)", d.name, now[min(line, len(now))-1], len(now), err)
		}
		e.same(file)
		d.undo()
		e.same()
	}
}

// TestManyEmojiTasks: 5,000 open tasks of Obsidian's Tasks are listed, filtered by date,
// completed and undone by every door, and nothing else changes a byte.
func TestManyEmojiTasks(t *testing.T) {
	dir, due := filepath.Join(t.TempDir(), "notes"), 0
	for i := range 100 {
		text := fmt.Sprintf("# Note %d\r\n\r\nText, with two blanks.  \n", i)
		for j := range 50 {
			day := 1 + (i+j)%28
			text += fmt.Sprintf("- [ ] Do thing %d-%d ⏫ ➕ 2026-11-01 🛫 2026-11-20 ⏳ 2026-11-25 📅 2026-12-%02d #home ^t%d-%d\n", i, j, day, i, j)
			if 3 <= day && day <= 5 {
				due++
			}
		}
		file := filepath.Join(dir, fmt.Sprintf("Folder %d", i%7), fmt.Sprintf("Note %d.md", i))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text+"- [x] Done ✅ 2026-11-02"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e := openExisting(t, dir)
	if got := e.kist("task", "list", "--count"); got != "5000" {
		t.Errorf("%s open tasks", got)
	}
	if got := e.kist("task", "list", "--count", "--due", "2026-12-03..2026-12-05"); got != fmt.Sprint(due) {
		t.Errorf("%s tasks of those days, of %d", got, due)
	}
	r, err := dial.All(t.Context(), &v1.ListTasksRequest{DueFrom: "2026-12-03", DueTo: "2026-12-05"}, e.rpc.Task.ListTasks)
	if err != nil || len(r.Tasks) != due {
		t.Errorf("by RPC: %d, %v", len(r.GetTasks()), err)
	}
	if got, want := e.kist("ask", "--session", "new", "how many tasks are due between 3 December 2026 and 5 December 2026?"), fmt.Sprintf("There are %d open tasks", due); !strings.Contains(got, want) {
		t.Errorf("in conversation: %s, want %s", got, want)
	}
	if e.hasNvim() {
		if got := e.editor("Folder 0/Note 0.md", map[string]any{"kist": "tasks --due 2026-12-03..2026-12-05"}); got != fmt.Sprint(due) {
			t.Errorf("by Neovim: %s, want %d", got, due)
		}
	}
	e.throughDoors("Folder 3/Note 10.md", 20, "Do thing 10-16", func(now string) bool {
		return strings.HasPrefix(now, "- [x] Do thing 10-16 ⏫") && strings.Contains(now, " ✅ 20") && strings.HasSuffix(now, " ^t10-16\n")
	})
}

// TestRealVault: what people do in a vault of their own, KIST_OBSIDIAN, of which it takes a copy,
// changes what was asked for, and all of it can be taken back.
func TestRealVault(t *testing.T) {
	from := os.Getenv("KIST_OBSIDIAN")
	if from == "" {
		return // the vault that is made here is above
	}
	dir := filepath.Join(t.TempDir(), "vault")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	e := openExisting(t, dir)
	tasks, err := dial.All(t.Context(), &v1.ListTasksRequest{}, e.rpc.Task.ListTasks)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks.Tasks[:min(3, len(tasks.Tasks))] {
		e.throughDoors(task.Path, int(task.Line), "", func(now string) bool { return strings.Contains(now, "[x] ") })
	}
	docs, err := dial.All(t.Context(), &v1.ListDocumentsRequest{}, e.rpc.Vault.ListDocuments)
	if err != nil {
		t.Fatal(err)
	}
	links, renamed := 0, 0
	for _, d := range docs.Documents {
		if _, mine := e.before[d.Path]; !mine || filepath.Ext(d.Path) != ".md" {
			continue
		}
		r, err := e.rpc.Language.ListLinks(t.Context(), &v1.ListLinksRequest{Path: d.Path})
		if err != nil {
			t.Fatalf("%s: %v", d.Path, err)
		}
		links += len(r.Links)
		if len(r.Links) == 0 || renamed == 3 {
			continue
		}
		renamed++
		moved, err := e.rpc.Language.MoveDocument(t.Context(), &v1.MoveDocumentRequest{Path: d.Path, To: strings.TrimSuffix(d.Path, ".md") + " anew.md", UpdateLinks: true})
		if err != nil {
			t.Fatalf("%s: %v", d.Path, err)
		}
		e.kist("op", "undo", moved.Operation.Id)
		e.same()
		e.kist("op", "undo", e.operation("doc", "set", d.Path, "kist-test", "yes"))
		e.kist("op", "undo", e.operation("note", "append", d.Path, "A line."))
		e.same()
	}
	e.kist("op", "undo", e.operation("note", "append", "--daily", "Called Bo."))
	for p := range e.before {
		if filepath.Ext(p) == ".md" {
			e.kist("adopt", p) // proposed only
			break
		}
	}
	word := strings.TrimSuffix(filepath.Base(docs.Documents[0].Path), ".md")
	if !strings.Contains(e.kist("search", word, "--json"), docs.Documents[0].Path) {
		t.Errorf("a search for the name of %s doesn't find it", docs.Documents[0].Path)
	}
	chats := filepath.Join(t.TempDir(), "conversations.json")
	if err := os.WriteFile(chats, []byte(`[{"uuid":"1","name":"A chat","created_at":"2026-01-02T03:04:05Z","chat_messages":[{"uuid":"2","sender":"human","text":"Hello","created_at":"2026-01-02T03:04:05Z"}]}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	e.kist("import", "claude", chats, "--yes")
	e.same()
	t.Logf("%d documents, %d tasks, %d links, %d renames", len(docs.Documents), len(tasks.Tasks), links, renamed)
}
