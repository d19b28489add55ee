package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/protobuf/proto"

	"kist/cmd/kist/lsp/lsptest"
	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// doors are programs that write the same files at the same time, each by a way of its own, and
// what became of each write.
type doors struct {
	ts      *testscript.TestScript
	dir     string
	files   []string
	watched sync.WaitGroup

	mu      sync.Mutex
	left    int            // writes that are still to be tried
	done    map[string]int // by door
	refused map[string]int
	lines   map[string]string // line -> file of each that was acknowledged
	never   []string          // those that were refused
	ops     []string          // of those whose ids are told
	fault   error
}

// cmdDoors: doors VAULT WRITES WATCHERS has that many guarded writes made, by the API, the
// command line, the language server and, where KIST_DOORS is set, Neovim. Of those that were
// acknowledged each is in its file once, of those that were refused none, each with the
// conflict; and each watcher hears of all.
func cmdDoors(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: doors VAULT WRITES WATCHERS")
	}
	dir, err := filepath.EvalSymlinks(ts.MkAbs(args[0]))
	ts.Check(err)
	writes, err := strconv.Atoi(args[1])
	ts.Check(err)
	watchers, err := strconv.Atoi(args[2])
	ts.Check(err)
	long := os.Getenv("KIST_DOORS")
	if long != "" {
		writes, err = strconv.Atoi(long)
		ts.Check(err)
		watchers = 100
	}
	d := &doors{ts: ts, dir: dir, left: writes, done: map[string]int{}, refused: map[string]int{}, lines: map[string]string{}}
	for i := range 3 {
		text := "# Shared\n\n"
		for j := range 1 + writes/10 {
			text += fmt.Sprintf("- [ ] lsp %d %d\n- [ ] nvim %d %d\n", i, j, i, j)
		}
		d.files = append(d.files, fmt.Sprintf("shared%d.md", i))
		ts.Check(os.WriteFile(filepath.Join(dir, d.files[i]), []byte(text), 0o644))
	}
	d.run(watchers, long != "")
	ts.Check(d.fault)
	ways := []string{"api", "cli", "lsp"}
	if long != "" {
		ways = append(ways, "nvim")
	}
	d.check(ways)
	ts.Logf("done %v, refused %v, %d watchers", d.done, d.refused, watchers)
}

func (d *doors) run(watchers int, neovim bool) {
	limit := 20 * time.Minute
	if neovim {
		limit = 4 * time.Hour // on a machine that has other things to do; go test -timeout says when it is enough
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	k := d.dial(ctx, "doors")
	defer k.Close()
	for i := range watchers {
		d.watch(ctx, i)
	}
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() { d.repeat("api", func(n int) error { return d.api(ctx, k, i, n) }) })
	}
	for i := range 2 {
		all.Go(func() { d.repeat("cli", func(n int) error { return d.line(i, n) }) })
	}
	all.Go(d.lsp)
	if neovim {
		all.Go(d.neovim)
	}
	all.Wait()
	_, err := k.Vault.CreateNote(ctx, &v1.CreateNoteRequest{Title: "The end", Text: "x"})
	d.fail(err)
	d.watched.Wait()
}

// repeat makes a door's writes until there were enough of all doors together, and one of its own was done: on a
// busy machine the others may be there first each time, until they have ended.
func (d *doors) repeat(door string, write func(n int) error) {
	for n := 0; ; n++ {
		d.mu.Lock()
		d.left--
		over := d.left < 0 && d.done[door] > 0 || d.fault != nil
		d.mu.Unlock()
		if over {
			return
		}
		d.fail(write(n))
	}
}

func (d *doors) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = errors.Join(d.fault, err)
}

func (d *doors) dial(ctx context.Context, name string) *dial.Client {
	k, err := dial.Connect(ctx, d.dir, dial.Options{Client: name})
	d.ts.Check(err)
	return k
}

// came notes what became of a write.
func (d *doors) came(door, file, line, op string, refused bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if refused {
		d.refused[door]++
		d.never = append(d.never, line)
		return
	}
	d.done[door]++
	d.lines[line] = file
	if op != "" {
		d.ops = append(d.ops, op)
	}
}

// api inserts a line on the hash that it read.
func (d *doors) api(ctx context.Context, k *dial.Client, w, n int) error {
	file, line := d.files[(w+n)%len(d.files)], fmt.Sprintf("api %d %d", w, n)
	got, err := k.Vault.GetDocument(ctx, &v1.GetDocumentRequest{Path: file})
	if err != nil {
		return err
	}
	at := &v1.Position{Line: 1}
	r, err := k.Vault.EditDocument(ctx, &v1.EditDocumentRequest{Path: file, Expect: got.Document.Hash,
		Edits: []*v1.DocumentEdit{{Range: &v1.Range{Start: at, End: at}, Text: line + "\n"}}})
	if err != nil && conflictOf(err).GetPath() != file {
		return fmt.Errorf("%s: %w, without the conflict", line, err)
	}
	d.came("api", file, line, r.GetOperation().GetId(), err != nil)
	return nil
}

// line appends by the command line, which makes the guard of what it read itself.
func (d *doors) line(w, n int) error {
	file, line := d.files[(w+n)%len(d.files)], fmt.Sprintf("cli %d %d", w, n)
	cmd := exec.Command("kist", "note", "append", file, line, "--json", "--vault", d.dir)
	prepare(d.ts, cmd)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 4 || !strings.Contains(string(out), `"conflict"`)) {
		return fmt.Errorf("%s: %w: %s", line, err, out)
	}
	d.came("cli", file, line, "", err != nil)
	return nil
}

// lsp completes tasks in documents that it has open.
func (d *doors) lsp() {
	cmd := exec.Command("kist", "lsp", "--vault", d.dir)
	prepare(d.ts, cmd)
	in, err := cmd.StdinPipe()
	d.fail(err)
	out, err := cmd.StdoutPipe()
	d.fail(err)
	if err := cmd.Start(); err != nil {
		d.fail(err)
		return
	}
	root := (&url.URL{Scheme: "file", Path: filepath.ToSlash(d.dir)}).String()
	p := lsptest.New(in, out, root)
	d.fail(p.Play("> initialize {\"rootUri\":\"$ROOT\",\"capabilities\":{}}\n< {}\n! initialized {}\n"))
	d.repeat("lsp", func(n int) error {
		file := d.files[n%len(d.files)]
		text, err := os.ReadFile(filepath.Join(d.dir, file))
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "- [ ] lsp ") })
		if i < 0 {
			return errors.New("no more tasks for the language server")
		}
		quoted, err := json.Marshal(string(text))
		if err != nil {
			return err
		}
		said := p.Play(fmt.Sprintf("! textDocument/didOpen {\"textDocument\":{\"uri\":\"$ROOT/%s\",\"version\":%d,\"text\":%s}}\n"+
			"> workspace/executeCommand {\"command\":\"kist.completeTask\",\"arguments\":[\"$ROOT/%s\",%d]}\n", file, n, quoted, file, i))
		if said != nil {
			return said
		}
		why, data, refused := p.Refused()
		var info struct {
			Conflict struct {
				Path, Hash string
				Now        *string
			}
		}
		if c := &info.Conflict; refused && (json.Unmarshal(data, &info) != nil || c.Path != file || c.Now == nil || c.Hash == "") {
			return fmt.Errorf("%s: %s, without the conflict: %s", lines[i], why, data)
		}
		d.came("lsp", file, strings.Replace(lines[i], "[ ]", "[x]", 1), "", refused)
		return nil
	})
	if err := p.Play("> shutdown {}\n< null\n! exit {}\n"); err != nil {
		d.fail(errors.Join(err, cmd.Process.Kill()))
	}
	d.fail(cmd.Wait())
}

// neovim completes tasks by the plugin, in one that shows a file as it was loaded.
func (d *doors) neovim() {
	here, err := filepath.Abs("../../clients/nvim/testdata")
	d.fail(err)
	cmd := exec.Command("nvim", "--headless", "-u", filepath.Join(here, "init.lua"), "-c", "luafile "+filepath.Join(here, "doors.lua"))
	prepare(d.ts, cmd)
	cmd.Env = append(cmd.Env, "KIST_TEST_VAULT="+d.dir, "VIMRUNTIME=")
	cmd.Env = slices.DeleteFunc(cmd.Env, func(e string) bool { return e == "VIMRUNTIME=" })
	out, err := cmd.Output() // its messages go to the standard error
	if err != nil {
		d.fail(fmt.Errorf("nvim: %w: %s", err, out))
	}
	// A buffer that another door has changed meanwhile, or is about to.
	reasons := []string{"isn't on the disk", "since it was read", "isn't open"}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch {
		case len(f) != 4 || f[0] != "done" && f[0] != "refused":
			d.fail(fmt.Errorf("nvim said %q", line))
		case strings.HasPrefix(f[3], "without its conflict"), f[0] == "refused" && !slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(f[3], r) }):
			d.fail(fmt.Errorf("nvim was refused without a reason: %q", line))
		default:
			d.came("nvim", f[1], strings.Replace(f[2], "[ ]", "[x]", 1), "", f[0] == "refused")
		}
	}
}

// watch hears of operations until the last one.
func (d *doors) watch(ctx context.Context, i int) {
	k := d.dial(ctx, fmt.Sprintf("watcher-%d", i))
	stream, err := k.Operation.WatchOperations(ctx, &v1.WatchOperationsRequest{AfterSeq: proto.Int32(0)})
	d.ts.Check(err)
	d.watched.Go(func() {
		defer k.Close()
		defer stream.Close()
		heard := map[string]bool{}
		for stream.Receive() {
			op := stream.Msg().Operation
			if op != nil && op.Status == "completed" {
				heard[op.Id] = true
			}
			if strings.HasSuffix(op.GetEntity().GetPath(), "the-end.md") {
				break
			}
		}
		d.mu.Lock()
		missed := slices.DeleteFunc(slices.Clone(d.ops), func(id string) bool { return heard[id] })
		d.mu.Unlock()
		if len(missed) > 0 || stream.Err() != nil {
			d.fail(fmt.Errorf("watcher %d missed %d operations: %w", i, len(missed), stream.Err()))
		}
	})
}

// check looks for each line in the files.
func (d *doors) check(ways []string) {
	count := map[string]int{}
	for _, file := range d.files {
		text, err := os.ReadFile(filepath.Join(d.dir, file))
		d.ts.Check(err)
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), " ✅")
			count[file+"\x00"+line]++
		}
	}
	for line, file := range d.lines {
		if n := count[file+"\x00"+line]; n != 1 {
			d.ts.Fatalf("%q was acknowledged and is %d times in %s", line, n, file)
		}
	}
	for _, line := range d.never {
		if _, later := d.lines[line]; later {
			continue // done at another try
		}
		for _, file := range d.files {
			if count[file+"\x00"+line] > 0 {
				d.ts.Fatalf("%q was refused and is in %s", line, file)
			}
		}
	}
	for _, door := range ways {
		if d.done[door] == 0 {
			d.ts.Fatalf("no write by %s was done: %v, refused %v", door, d.done, d.refused)
		}
	}
}
