package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kist/cmd/kist/output"
)

// A hostileVault is one whose names and texts hold whatever a terminal could act on,
// served by a daemon of its own.
type hostileVault struct {
	t    *testing.T
	dir  string
	text string // all of it, as far as it is UTF-8
	line string // the same without line ends
}

func newHostileVault(t *testing.T) hostileVault {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("file names can't hold control characters there")
	}
	root := t.TempDir()
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "HOME"} {
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, dir)
	}
	v := hostileVault{t: t, dir: filepath.Join(root, "vault")}
	t.Setenv("KIST_VAULT", v.dir)
	for _, h := range hostile() {
		if utf8.ValidString(h) && h != "\x00" {
			v.text += "word" + h + "end "
		}
	}
	v.line = strings.NewReplacer("\n", "", "\r", "", "\u2028", "", "\u2029", "", "\u0085", "").Replace(v.text)
	quoted := strconv.QuoteToASCII(v.line) // YAML reads the escapes that Go writes
	quoted = strings.ReplaceAll(quoted, `\U000e0041`, "")
	files := map[string]string{
		"projects/boat/project.md":      "---\nname: " + quoted + "\nstatus: active\ntags: [" + quoted + "]\n---\n" + v.text + "\n\n## Summary\n\n" + v.line + "\n\n## Decisions\n\n- " + v.line + "\n",
		"projects/raft/project.md":      "---\nname: " + quoted + "\ntags: [" + quoted + "]\n---\n[[projects/boat/project]] " + v.text + "\n",
		"projects/boat/tasks/one.md":    "---\ntype: task\ntitle: " + quoted + "\nstatus: todo\n---\n" + v.text + "\n",
		"drafts/one.md":                 "---\nname: " + quoted + "\nstatus: in_progress\nfollow_up: [" + quoted + "]\n---\n" + v.text + "\n\n## Tasks\n\n- [ ] " + v.line + "\n",
		"memories/one.md":               "---\ntype: memory\nsource: " + quoted + "\n---\nkraken " + v.text + "\n",
		"text.md":                       "---\nkey: " + quoted + "\n---\n# kraken " + v.line + "\n\n- [ ] " + v.line + "\n\n" + v.text + "\n",
		"text.conflict-x-2026-01-02.md": "# kraken " + v.line + "\n\nother " + v.text + "\n",
		"raw.md":                        "kraken \x9b31m \xff\n" + strings.Join(hostile(), " kraken ") + "\n",
		"broken \x1b]0;t\x07\u202e.md":  "---\nkey: [" + v.line + "\n---\nkraken\n",
	}
	for i, h := range hostile() {
		if !strings.ContainsAny(h, "/\x00") {
			files[fmt.Sprintf("n%d %s.md", i, h)] = "# kraken " + h + "\n"
		}
	}
	for name, text := range files {
		path := filepath.Join(v.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", v.dir}, {"index", "wait"}} {
		if out, err := exec.Command("kist", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	t.Cleanup(func() {
		if out, err := exec.Command("kist", "down").CombinedOutput(); err != nil {
			t.Errorf("down: %v: %s", err, out)
		}
	})
	return v
}

// run carries out a command line as if on a terminal and returns what that got. What
// may harm is an error.
func (v hostileVault) run(args ...string) string {
	v.t.Helper()
	out, errs := v.screens(true, args...)
	for _, screen := range []string{out, errs} {
		// The daemon puts a replacement character for what is no UTF-8. A command that
		// takes long draws a bar over its own line, and nothing else.
		shown := strings.NewReplacer("\uFFFD", "", "\r\x1b[K", "").Replace(screen)
		if r, bad := harmful(shown, true); bad {
			v.t.Errorf("%q: %U reached the terminal:\n%.2000q", args, r, screen)
		}
	}
	return out + errs
}

func (v hostileVault) screens(tty bool, args ...string) (out, errs string) {
	var o, e bytes.Buffer
	c := &cli{in: strings.NewReader(v.text), out: &printer{&output.Printer{Out: &o, TTY: tty}}, log: &printer{&output.Printer{Out: &e, TTY: tty}}}
	root := newRoot(c)
	root.SetArgs(args)
	root.SetOut(&o)
	root.SetErr(&e)
	if err := root.ExecuteContext(v.t.Context()); err != nil {
		c.report(err)
	}
	return o.String(), e.String()
}

// lines returns the command lines to be tried, by command; an id is one of an
// operation, and of a proposed one.
func (v hostileVault) lines(id, proposed string) map[string][][]string {
	const task, memory, broken = "projects/boat/tasks/one.md", "memories/one.md", "broken \x1b]0;t\x07\u202e.md"
	h := v.line
	return map[string][][]string{
		"status": {{}}, "doctor": {{}}, "version": {{}}, "connect": {{}}, "ask": {{h}, {"list my projects"}, {"what about the kraken?"}},
		"chat":            {{}},
		"merge":           {{h, h, h, h}, {os.DevNull, h, os.DevNull, h}},
		"import chatgpt":  {{h, "--yes"}, {h}},
		"import claude":   {{h, "--yes"}},
		"sync status":     {{}},
		"sync conflicts":  {{}},
		"sync setup":      {{h}, {"ext::" + h}},
		"sync now":        {{}},
		"sync pause":      {{}},
		"sync device":     {{h}},
		"sync resolve":    {{h, "ours"}, {"text.md", h}, {"text.md", "both"}},
		"project list":    {{}, {"--status", h}},
		"project show":    {{"boat"}, {h}},
		"project related": {{"boat"}, {h}},
		"project create":  {{h, "--description", v.text, "--reason", h}},
		"project update":  {{"boat", "--name", h, "--reason", v.text}, {h, "--name", "x"}},
		"project archive": {{h}},
		"project rename":  {{"boat", h, "--reason", h}, {h, "x"}},
		"project move":    {{"boat", h}, {h, "x"}},
		"project merge":   {{"boat", h, "--yes"}, {"boat", "boat", "--yes"}, {"boat", "boat"}},
		"project delete":  {{h, "--yes", "--reason", h}, {"boat"}},
		"draft list":      {{}, {"--status", "all"}, {"--status", h}},
		"draft show":      {{"one"}, {h}},
		"draft finalize":  {{"one", "--reason", h}, {h}},
		"draft abandon":   {{"one", "--reason", h}, {h}},
		"memory move":     {{memory, "-p", "boat", "--reason", h}, {memory, "-p", h}, {h}},
		"task list":       {{}, {"-p", h}},
		"task create":     {{h, "-p", "boat", "--reason", v.text}, {h, "-p", h}, {"x", "-p", "boat", "--due", h}},
		"task update":     {{task, "--title", h + "2"}, {h, "--title", "x"}},
		"task complete":   {{task, "--reason", h}, {h}},
		"task move":       {{task, "boat", "--reason", h}, {task, h}, {h, "boat"}},
		"task delete":     {{task, "--reason", h}, {h}},
		"memory list":     {{}},
		"memory create":   {{h, "--reason", v.text}},
		"memory forget":   {{memory, "--reason", h}, {h}},
		"note create":     {{h, v.text, "--reason", h}, {"x", "y", "-p", h}},
		"note append":     {{"text.md", v.text, "--reason", h}, {h + ".md", "x"}, {broken, "x"}},
		"search":          {{"kraken", "-n", "100"}, {h}, {"kraken", "--type", h}, {"kraken " + h, "--explain", "--why-not", "text.md", "-n", "1"}, {"kraken -word", "--why-not", h}, {"kraken", "--mode", h}, {"--links-to", "text.md"}, {"--links-to", h}},
		"doc show":        {{"text.md"}, {"text.md", "--outline"}, {"raw.md"}, {broken}, {h}, {"\xff.md"}},
		"doc set":         {{"text.md", "key", strconv.QuoteToASCII("x\x1b[31m"), "--reason", h}, {"text.md", h, "x"}, {broken, "key", "x"}, {h, "key", "x"}},
		"doc unset":       {{"text.md", "key", "--reason", h}, {"text.md", h}},
		"doc section":     {{"text.md", h, "--append"}, {"text.md", "none"}, {"text.md", h, "--insert-after", h}},
		"doc item":        {{"text.md", h, "--reason", h}, {"text.md", h, "--line", "2"}, {"text.md", "x", "--section", h}},
		"doc check":       {{"text.md", "6", "--reason", h}, {"text.md", h}, {h, "1"}},
		"op list":         {{"-n", "1000"}, {"--status", h}, {"--entity", h}, {"--since", h}},
		"op show":         {{id}, {proposed}, {h}},
		"op approve":      {{proposed, h}, {proposed}, {"--batch", h}, {proposed, "--digest", h}},
		"op edit":         {{proposed}, {proposed, "--path", h, "--text-file", "-"}, {proposed, "--text-file", "-"}, {proposed, "--text-file", h}, {h}},
		"op reject":       {{proposed}, {h}},
		"op undo":         {{id}, {id}, {h}, {"--session", h}, {id, "--keep", h}},
		"op redo":         {{id}, {h}},
		"op retry":        {{id}, {h}},
		"similar":         {{"raw.md"}, {h}},
		"doc list":        {{}, {h}, {"-n", "1"}},
		"doc create":      {{h + ".md", v.text, "--reason", h}, {"text.md", "x"}},
		"doc move":        {{"text.md", h + ".md", "--reason", h}, {h, "x.md"}, {"text.md", "raw.md"}},
		"doc delete":      {{h + ".md", "--yes"}, {h}, {"text.md"}},
		"project audit":   {{"boat"}, {h}}, "project completeness": {{"boat"}, {h}}, "project forecast": {{"boat"}, {h}},
		"session export": {{h}},
		"adopt":          {{h}, {"text.md", "--yes"}},
		"token create":   {{h}, {"good", "--read"}}, "token list": {{}}, "token revoke": {{h}, {"good"}},
		"session list": {{}}, "session show": {{h}}, "session rename": {{h, v.text}}, "session delete": {{h}}, "tool list": {{}},
		"policy show": {{}}, "policy trust": {{}, {"--yes"}}, "policy distrust": {{}},
		"model show": {{}}, "model list": {{}}, "model use": {{h}, {"offline", "--role", h}, {"openai/" + h}}, "model test": {{}, {h}, {"ollama/" + h}}, "model pull": {{h}, {"ollama/" + h}},
		"model key set": {{h}}, "model key show": {{h}}, "model key delete": {{h}},
		"model bench":  {{"--model", h}, {"--model", "openai/" + h}, {"--url", h}, {"--url", "http://127.0.0.1:1/v1", "--model", h}},
		"index status": {{}, {"--watch"}}, "index wait": {{}}, "index rebuild": {{}},
	}
}

// notTried are the commands that begin or end a daemon, never end by themselves, make
// vaults of their own, or speak with a program instead of a terminal.
var notTried = map[string]bool{"up": true, "init": true, "down": true, "op watch": true, "lsp": true}

// TestNoCommandLetsHarmfulTextThrough runs every command on a vault that is full of
// what terminals act on, in names, titles, texts, reasons, arguments and errors. What
// a terminal gets is harmless, as text and as JSON.
func TestNoCommandLetsHarmfulTextThrough(t *testing.T) {
	v := newHostileVault(t)
	v.run("note", "create", "kraken "+v.line, v.text, "--reason", v.text)
	v.run("ask", "--session", "new", "-p", "boat", "add a task to feed the kraken")
	id, proposed := v.operation(), v.operation("--status", "proposed")
	lines := v.lines(id, proposed)
	tried := 0
	root := newRoot(&cli{out: newPrinter(&bytes.Buffer{}), log: newPrinter(&bytes.Buffer{})})
	walk(root, func(cmd *cobra.Command) {
		_, name, _ := strings.Cut(cmd.CommandPath(), " ")
		if cmd.HasSubCommands() || notTried[name] {
			return
		}
		if len(lines[name]) == 0 {
			t.Errorf("%s is not tried", name)
		}
		v.run(append(strings.Fields(name), "--help")...) // the same whatever else is said
		for _, args := range lines[name] {
			all := append(strings.Fields(name), args...)
			v.run(all...)
			screen := v.run(append(all, "--json")...)
			for l := range strings.Lines(screen) {
				if strings.HasPrefix(l, "{\"") && !json.Valid([]byte(l)) {
					t.Errorf("%q: no JSON: %.300s", all, l)
				}
			}
			tried++
		}
	})
	if tried < 80 {
		t.Errorf("only %d command lines were tried", tried)
	}
	// The same command where no terminal is, to see that the vault is as hostile as it should be.
	if out, _ := v.screens(false, "doc", "show", "raw.md"); !strings.Contains(out, "\x1b]52;c;aGk=\x07") {
		t.Errorf("the vault is harmless: %q", out)
	}
}

// operation returns the id of the last operation that the flags select.
func (v hostileVault) operation(flags ...string) string {
	v.t.Helper()
	out, errs := v.screens(false, append([]string{"op", "list", "-n", "1", "--json"}, flags...)...)
	var list struct{ Operations []struct{ ID string } }
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list.Operations) != 1 {
		v.t.Fatalf("%v: %s%s", err, out, errs)
	}
	return list.Operations[0].ID
}
