package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"

	"kist/cmd/kist/lsp/lsptest"
	"kist/index"
	v1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/dial"
	"kist/rpc/rpctest"
	"kist/vault"
)

func dialogues(t *testing.T) map[string]lsptest.Dialogue {
	t.Helper()
	list, err := lsptest.Dialogues("testdata")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]lsptest.Dialogue{}
	for _, d := range list {
		all[d.Name] = d
	}
	return all
}

// serve makes a vault of files and an app that reaches a daemon's handlers in memory.
func serve(t *testing.T, files map[string][]byte, opts ...connect.ClientOption) (App, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	v, err := vault.Open(t.Context(), dir, vault.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(v, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	watched := make(chan error, 1)
	go func() { watched <- v.Run(ctx) }()
	stopping := make(chan struct{})
	h := rpc.NewHandler(rpc.Deps{
		Vault: v, Index: x, Stopping: stopping, Repanic: true,
		Status: func() rpc.DaemonInfo { return rpc.DaemonInfo{} }, Stop: func() {}, Ready: func() bool { return true },
	})
	server := rpctest.New(t, h)
	t.Cleanup(func() {
		close(stopping)
		cancel()
		<-watched
		if err := errors.Join(x.Close(), v.Close()); err != nil {
			t.Error(err)
		}
	})
	return App{
		Find: func(string) (string, error) { return dir, nil },
		Connect: func(context.Context, string, string, func(string)) (*dial.Client, error) {
			return server.Client(rpctest.Connect, opts...), nil
		},
		Log: t.Logf,
	}, dir
}

// start serves an app over pipes.
func start(t *testing.T, a App) (to *io.PipeWriter, from *io.PipeReader, done chan error) {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	a.In, a.Out = in, out
	done = make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go func() {
		err := Serve(ctx, a)
		out.Close()
		in.Close()
		done <- err
	}()
	return to, from, done
}

func ended(t *testing.T, done chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the server didn't end")
		return nil
	}
}

func address(dir string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()
}

func TestDialogues(t *testing.T) {
	for name, d := range dialogues(t) {
		t.Run(name, func(t *testing.T) {
			a, dir := serve(t, d.Files)
			to, from, done := start(t, a)
			if err := lsptest.New(to, from, address(dir)).Play(d.Text); err != nil {
				t.Fatal(err)
			}
			if err := ended(t, done); err != nil {
				t.Error(err)
			}
			for p, want := range d.Want {
				if got, err := os.ReadFile(filepath.Join(dir, p)); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %q, %v, want %q", p, got, err, want)
				}
			}
		})
	}
}

// An editor that is killed in the middle of any message ends the server, quietly.
func TestKilledAtEachMessage(t *testing.T) {
	d := dialogues(t)["editing"]
	lines := strings.Split(strings.TrimSpace(d.Text), "\n")
	a, dir := serve(t, d.Files)
	for i, line := range lines {
		to, from, done := start(t, a)
		p := lsptest.New(to, from, address(dir))
		if err := p.Play(strings.Join(without(lines[:i]), "\n")); err != nil {
			t.Fatal(err)
		}
		if body := p.Message(line); body != nil {
			frame := lsptest.Frame(body)
			if _, err := to.Write(frame[:len(frame)-len(body)/2-1]); err != nil && i < len(lines)-1 {
				t.Fatal(err)
			}
		}
		to.Close()
		if err := ended(t, done); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("after %q: %v", line, err)
		}
	}
}

// without are the lines that send something other than exit.
func without(lines []string) (kept []string) {
	for _, l := range lines {
		if strings.HasPrefix(l, ">") || strings.HasPrefix(l, "! text") || strings.HasPrefix(l, "! init") {
			kept = append(kept, l)
		}
	}
	return kept
}

func TestHostileInput(t *testing.T) {
	a, _ := serve(t, nil)
	for name, input := range map[string]string{
		"negative length": "Content-Length: -5\r\n\r\n{}",
		"no number":       "Content-Length: many\r\n\r\n{}",
		"overflow":        "Content-Length: 99999999999999999999\r\n\r\n",
		"huge":            "Content-Length: 999999999999\r\n\r\n",
		"no length":       "Content-Type: x\r\n\r\n{}",
		"endless header":  strings.Repeat("x", 100_000),
		"not a header":    "GET / HTTP/1.1\r\n\r\n",
	} {
		to, from, done := start(t, a)
		go io.Copy(io.Discard, from)
		go func() {
			_, _ = io.WriteString(to, input) // it may stop reading in the middle
			to.Close()
		}()
		if err := ended(t, done); err == nil || !strings.Contains(err.Error(), "the editor sent") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What isn't JSON, or isn't a request, is answered by an error, and the server goes on.
	to, from, done := start(t, a)
	p := lsptest.New(to, from, "file:///x")
	for _, body := range []string{"{", "[]", "null", `{"jsonrpc":"1.0","method":"initialize","id":1}`, `{"jsonrpc":"2.0","result":7,"id":9}`, `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":[1,2]}`} {
		if _, err := to.Write(lsptest.Frame([]byte(body))); err != nil {
			t.Fatal(err)
		}
	}
	_ = p
	if _, err := to.Write(lsptest.Frame([]byte(`{"jsonrpc":"2.0","method":"exit"}`))); err != nil {
		t.Fatal(err)
	}
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}

// A daemon that is gone is found again; a change isn't sent twice.
func TestFindsTheDaemonAgain(t *testing.T) {
	first, dir := serve(t, map[string][]byte{"a.md": []byte("[[b]]"), "b.md": []byte("b")})
	connects := 0
	a := first
	a.Connect = func(ctx context.Context, vault, name string, log func(string)) (*dial.Client, error) {
		if connects++; connects%2 == 1 { // one whose daemon has just gone
			return dial.NewClient(dial.HTTPClient(filepath.Join(dir, "none.sock"), "", ""), "http://localhost"), nil
		}
		return first.Connect(ctx, vault, name, log)
	}
	to, from, done := start(t, a)
	err := lsptest.New(to, from, address(dir)).Play(`> initialize {"rootUri":"$ROOT"}
! textDocument/didOpen {"textDocument":{"uri":"$ROOT/a.md","version":1,"text":"[[b]]"}}
> textDocument/definition {"textDocument":{"uri":"$ROOT/a.md"},"position":{"line":0,"character":3}}
< [{"uri":"$ROOT/b.md"}]
! exit {}`)
	if err != nil {
		t.Error(err)
	}
	if err := ended(t, done); err != nil || connects != 2 {
		t.Errorf("%d connections, %v", connects, err)
	}
}

// A cutter breaks the first stream of operations off when it is told to.
type cutter struct {
	open, cut chan struct{}
	asked     chan *v1.WatchOperationsRequest
	once      sync.Once
}

func (c *cutter) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc { return next }
func (c *cutter) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}
func (c *cutter) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		ctx, cancel := context.WithCancel(ctx)
		first := false
		c.once.Do(func() { first = true; go func() { <-c.cut; cancel() }() })
		return &cuttable{next(ctx, spec), c, first}
	}
}

type cuttable struct {
	connect.StreamingClientConn
	c     *cutter
	first bool
}

func (c *cuttable) Send(m any) error {
	if req, ok := m.(*v1.WatchOperationsRequest); ok {
		c.c.asked <- req
	}
	return c.StreamingClientConn.Send(m)
}

func (c *cuttable) Receive(m any) error {
	err := c.StreamingClientConn.Receive(m)
	if c.first && err == nil {
		c.first = false
		close(c.c.open)
	}
	return err
}

// What happens while the stream of operations is broken is told when there is one again.
func TestToldOfWhatWasMissed(t *testing.T) {
	c := &cutter{open: make(chan struct{}), cut: make(chan struct{}), asked: make(chan *v1.WatchOperationsRequest, 8)}
	app, dir := serve(t, map[string][]byte{"a.md": []byte("a")}, connect.WithInterceptors(c))
	to, from, done := start(t, app)
	editor := lsptest.New(to, from, address(dir))
	if err := editor.Play("> initialize {\"rootUri\":\"$ROOT\"}\n! initialized {}"); err != nil {
		t.Fatal(err)
	}
	<-c.open
	close(c.cut)
	k, err := app.Connect(t.Context(), dir, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Vault.CreateDocument(t.Context(), &v1.CreateDocumentRequest{Path: "b.md", Text: "b", Reason: "meanwhile"}); err != nil {
		t.Fatal(err)
	}
	if err := editor.Play("? kist/operation {\"status\":\"completed\",\"reason\":\"meanwhile\"}\n! exit {}"); err != nil {
		t.Error(err)
	}
	if first, next := <-c.asked, <-c.asked; first.AfterSeq != nil || next.AfterSeq == nil {
		t.Errorf("it watches from %v, and then from %v", first, next)
	}
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}

// A late one opens streams a while after it was told to.
type late struct{}

func (late) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc { return next }
func (late) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}
func (late) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		time.Sleep(300 * time.Millisecond)
		return next(ctx, spec)
	}
}

// What an editor asks for at once it is told of, too.
func TestToldOfTheFirstChange(t *testing.T) {
	a, dir := serve(t, map[string][]byte{"a.md": []byte("a")}, connect.WithInterceptors(late{}))
	to, from, done := start(t, a)
	err := lsptest.New(to, from, address(dir)).Play(`> initialize {"rootUri":"$ROOT"}
! initialized {}
> workspace/executeCommand {"command":"kist.createNote","arguments":["new"]}
? kist/operation {"status":"completed"}
> workspace/executeCommand {"command":"kist.createNote","arguments":["new"]}
< error new.md is there already
! exit {}`)
	if err := errors.Join(err, ended(t, done)); err != nil {
		t.Error(err)
	}
}

// What a link names is the name of the file, as other programs have it.
func TestNotesOfDeadLinks(t *testing.T) {
	a, dir := serve(t, map[string][]byte{"a.md": []byte("[[sub/No such note#Part]]")})
	to, from, done := start(t, a)
	err := lsptest.New(to, from, address(dir)).Play(`> initialize {"rootUri":"$ROOT"}
! initialized {}
> workspace/executeCommand {"command":"kist.createNote","arguments":["sub/No such note#Part"]}
? kist/operation {"status":"completed"}
! exit {}`)
	if err := errors.Join(err, ended(t, done)); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "sub/No such note.md")); string(text) != "# No such note\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// A buffer that was changed or closed while a rename was under way isn't edited.
func TestEditsOfWhatWasChangedMeanwhile(t *testing.T) {
	s := newServer(t.Context(), App{})
	s.root = "/v"
	for p, version := range map[string]int{"same.md": 3, "newer.md": 4} {
		uri := "file:///v/" + p
		s.docs[uri] = s.newDocument(uri, []byte("[[a]]"), version)
	}
	var edits []*v1.TextEdit
	sent := map[string]int{"same.md": 3, "newer.md": 3, "closed.md": 3}
	for _, p := range []string{"same.md", "newer.md", "newer.md", "closed.md"} {
		edits = append(edits, &v1.TextEdit{Path: p, NewText: "b"})
	}
	edit, changed := s.editsOf(edits, sent)
	if len(edit.Changes) != 1 || len(edit.Changes["file:///v/same.md"]) != 1 || strings.Join(changed, " ") != "newer.md closed.md" {
		t.Errorf("%v, left out are %v", edit, changed)
	}
}

// Who saves doesn't wait as long for what is wrong as who types.
func TestSavedIsCheckedAtOnce(t *testing.T) {
	a, dir := serve(t, nil)
	to, from, done := start(t, a)
	p := lsptest.New(to, from, address(dir))
	play := func(format string, args ...any) {
		t.Helper()
		if err := p.Play(fmt.Sprintf(format, args...)); err != nil {
			t.Fatal(err)
		}
	}
	play(`> initialize {"rootUri":"$ROOT","capabilities":{}}
! initialized {}
! textDocument/didOpen {"textDocument":{"uri":"$ROOT/a.md","version":1,"text":""}}`)
	best := time.Hour
	for i := range 10 {
		play(`! textDocument/didChange {"textDocument":{"uri":"$ROOT/a.md","version":%d},"contentChanges":[{"text":"[[n%d]]"}]}`, i+2, i)
		began := time.Now()
		play(`! textDocument/didSave {"textDocument":{"uri":"$ROOT/a.md"}}
? textDocument/publishDiagnostics {"diagnostics":[{"data":"n%d"}]}`, i)
		best = min(best, time.Since(began))
	}
	if best >= quiet {
		t.Errorf("ten times it took at least %v, as if something was typed", best)
	}
	play("> shutdown {}\n! exit {}")
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}

// Why there is no daemon is told once, however often one is looked for, and what to do about it.
func TestNoDaemonIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looked atomic.Int32
		to, from, done := start(t, App{
			Find: func(string) (string, error) { return "/notes", nil },
			Log:  func(string, ...any) {},
			Connect: func(context.Context, string, string, func(string)) (*dial.Client, error) {
				looked.Add(1)
				return nil, &dial.Error{Kind: dial.ErrNoVault, What: "/notes is not a vault", Hint: "make it one"}
			},
		})
		var said bytes.Buffer
		read := make(chan error)
		go func() {
			_, err := io.Copy(&said, from)
			read <- err
		}()
		for _, body := range []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///notes"}}`, `{"jsonrpc":"2.0","method":"initialized","params":{}}`} {
			if _, err := to.Write(lsptest.Frame([]byte(body))); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(10 * time.Minute)
		if _, err := to.Write(lsptest.Frame([]byte(`{"jsonrpc":"2.0","method":"exit","params":{}}`))); err != nil {
			t.Fatal(err)
		}
		<-done // it was not asked to shut down first
		if err := <-read; err != nil {
			t.Error(err)
		}
		if n := strings.Count(said.String(), "/notes is not a vault (make it one)"); n != 1 || looked.Load() < 5 {
			t.Errorf("told %d times of %d looks: %s", n, looked.Load(), said.String())
		}
	})
}
