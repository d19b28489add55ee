package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"connectrpc.com/connect"
	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"

	healthv1 "kist/proto/grpc/health/v1"
	"kist/rpc/dial"
)

// A server speaks with one editor.
type server struct {
	app App
	ctx context.Context // ends with the server; for what no request waits for
	rpc *jrpc2.Server

	root    string // the vault's folder, with forward slashes
	name    string // of the editor
	utf8    bool   // columns count bytes, not UTF-16
	lenses  bool   // the editor can be told to ask for code lenses again
	applies bool   // the editor can be asked to make edits
	renames bool   // the editor gives documents the names that it is told of
	absent  string // why there is no daemon, as the editor was told; follow's alone
	told    *int32 // number of the last operation that the editor was told of; nil: none, follow's alone

	telling sync.Mutex    // who holds it keeps operations from being told
	follows atomic.Bool   // the editor is told of operations
	hears   chan struct{} // closed when it first can be, or it is known that it can't

	mu     sync.Mutex
	docs   map[string]*document   // by address
	timers map[string]*time.Timer // of checks that are due
	client *dial.Client
	exit   sync.Once
	left   chan struct{} // closed when the editor says exit
}

func newServer(ctx context.Context, a App) *server {
	var one sync.Mutex // what is asked runs side by side
	log := a.Log
	a.Log = func(format string, args ...any) {
		one.Lock()
		defer one.Unlock()
		log(format, args...)
	}
	return &server{app: a, ctx: ctx, docs: map[string]*document{}, timers: map[string]*time.Timer{}, left: make(chan struct{}), hears: make(chan struct{})}
}

// methods are what an editor can ask.
func (s *server) methods() handler.Map {
	m := handler.Map{
		"initialize":  handler.New(s.initialize),
		"initialized": notification(func(struct{}) error { s.follow(); return nil }),
		"shutdown":    func(context.Context, *jrpc2.Request) (any, error) { return nil, nil },
		"exit":        notification(func(struct{}) error { s.exit.Do(func() { close(s.left) }); return nil }),

		"textDocument/didOpen":   notification(func(p documentParams) error { s.didOpen(p); return nil }),
		"textDocument/didChange": notification(s.didChange),
		"textDocument/didSave":   notification(func(p documentParams) error { s.didSave(p); return nil }),
		"textDocument/didClose":  notification(func(p documentParams) error { s.didClose(p); return nil }),

		"textDocument/completion":     about(s, s.completion),
		"textDocument/hover":          about(s, s.hover),
		"textDocument/definition":     about(s, s.definition),
		"textDocument/references":     about(s, s.references),
		"textDocument/documentLink":   about(s, s.documentLinks),
		"textDocument/documentSymbol": about(s, s.documentSymbols),
		"textDocument/foldingRange":   about(s, s.foldingRanges),
		"textDocument/codeLens":       about(s, s.codeLenses),
		"textDocument/inlayHint":      handler.New(s.inlayHints),
		"textDocument/prepareRename":  about(s, s.prepareRename),
		"textDocument/rename":         handler.New(s.rename),
		"textDocument/codeAction":     handler.New(s.codeActions),
		"workspace/symbol":            handler.New(s.workspaceSymbols),
		"workspace/executeCommand":    handler.New(s.execute),
	}
	m["$/cancelRequest"] = notification(func(p struct {
		ID json.RawMessage `json:"id"`
	}) error {
		s.rpc.CancelRequest(string(p.ID))
		return nil
	})
	for _, ignored := range []string{"$/setTrace", "workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders", "textDocument/willSave"} {
		m[ignored] = notification(func(json.RawMessage) error { return nil })
	}
	return m
}

// notification makes a handler of what takes in a notification. Parameters that can't be read
// are said in the log, there being nobody to answer.
func notification[P any](take func(P) error) jrpc2.Handler {
	return func(_ context.Context, req *jrpc2.Request) (any, error) {
		var p P
		if req.HasParams() {
			if err := req.UnmarshalParams(&p); err != nil {
				return nil, err
			}
		}
		return nil, take(p)
	}
}

// about makes a handler of an answer about an open document; for others there is none.
func about[T any](s *server, answer func(context.Context, *document, position) (T, error)) jrpc2.Handler {
	return func(ctx context.Context, req *jrpc2.Request) (any, error) {
		var p positionParams
		if err := unmarshal(req, &p); err != nil {
			return nil, err
		}
		d := s.document(p.TextDocument.URI)
		if !d.usable() {
			return nil, nil
		}
		out, err := answer(ctx, d, p.Position)
		if err != nil {
			return nil, said(err)
		}
		return out, nil
	}
}

// unmarshal reads parameters, and lets those that it doesn't know be.
func unmarshal(req *jrpc2.Request, p any) error {
	if !req.HasParams() {
		return jrpc2.Errorf(jrpc2.InvalidParams, "%s needs parameters", req.Method())
	}
	var raw json.RawMessage
	if err := req.UnmarshalParams(&raw); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, p); err != nil {
		return jrpc2.Errorf(jrpc2.InvalidParams, "the parameters of %s: %v", req.Method(), err)
	}
	return nil
}

func (s *server) initialize(_ context.Context, req *jrpc2.Request) (any, error) {
	var p initializeParams
	if err := unmarshal(req, &p); err != nil {
		return nil, err
	}
	from, _ := fileOf(p.RootURI)
	if from == "" && len(p.WorkspaceFolders) > 0 {
		from, _ = fileOf(p.WorkspaceFolders[0].URI)
	}
	vault, err := s.app.Find(filepath.FromSlash(from))
	if err != nil {
		return nil, jrpc2.Errorf(requestFailed, "%v", err)
	}
	s.mu.Lock() // an editor may not wait for the answer before it says more
	defer s.mu.Unlock()
	s.root, s.name, s.lenses = filepath.ToSlash(vault), clientName(p.ClientInfo.Name), p.Capabilities.Workspace.CodeLens.RefreshSupport
	s.applies, s.renames = p.Capabilities.Workspace.ApplyEdit, p.InitializationOptions.Follows
	encoding := "utf-16"
	for _, e := range p.Capabilities.General.PositionEncodings {
		if e == "utf-8" {
			encoding, s.utf8 = e, true
		}
	}
	return map[string]any{"serverInfo": map[string]string{"name": "kist"}, "capabilities": capabilities(encoding)}, nil
}

func capabilities(encoding string) map[string]any {
	return map[string]any{
		"positionEncoding": encoding,
		"textDocumentSync": map[string]any{"openClose": true, "change": syncIncremental, "save": true},
		"completionProvider": map[string]any{
			"triggerCharacters": []string{"[", "#", "^", "@", "|", " ", ":"},
		},
		"hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
		"documentLinkProvider": map[string]any{}, "documentSymbolProvider": true, "workspaceSymbolProvider": true,
		"foldingRangeProvider": true, "codeLensProvider": map[string]any{}, "inlayHintProvider": true,
		"codeActionProvider":     map[string]any{"codeActionKinds": []string{"quickfix", "refactor.extract", "refactor"}},
		"renameProvider":         map[string]any{"prepareProvider": true},
		"executeCommandProvider": map[string]any{"commands": commandNames()},
	}
}

// clientName makes a name for the operation log of what an editor calls itself.
func clientName(name string) string {
	switch {
	case name == "":
		return "lsp"
	case name == "Neovim":
		return "nvim"
	case len(name) > 40:
		return name[:40]
	}
	return name
}

// close ends what no request waits for.
func (s *server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.timers {
		t.Stop()
	}
	if s.client != nil {
		s.client.Close()
	}
}

// daemon returns a client of the daemon, which is found or started where there is none yet.
func (s *server) daemon(ctx context.Context) (*dial.Client, error) {
	s.mu.Lock()
	k, root, name := s.client, s.root, s.name
	s.mu.Unlock()
	if k != nil {
		return k, nil
	}
	if root == "" {
		return nil, errors.New("nothing is known of a vault before initialize")
	}
	k, err := s.app.Connect(ctx, filepath.FromSlash(root), name, func(line string) { s.app.Log("%s\n", line) })
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil { // somebody was faster
		k.Close()
		return s.client, nil
	}
	s.client = k
	return k, nil
}

// forget drops a client whose daemon is gone.
func (s *server) forget(k *dial.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == k {
		s.client = nil
		k.Close()
	}
}

// ask calls the daemon. Where it is gone it is found again, and asked once more: what is
// asked changes nothing.
func ask[Req, Res any](ctx context.Context, s *server, call func(*dial.Client) func(context.Context, Req) (Res, error), req Req) (res Res, err error) {
	for range 2 {
		k, err := s.daemon(ctx)
		if err != nil {
			return res, err
		}
		if res, err = call(k)(ctx, req); err == nil || connect.CodeOf(err) != connect.CodeUnavailable || ctx.Err() != nil {
			return res, err
		}
		s.forget(k)
	}
	return res, errors.New("the daemon doesn't answer")
}

// do calls the daemon for a change, which isn't tried twice.
func do[Req, Res any](ctx context.Context, s *server, call func(*dial.Client) func(context.Context, Req) (Res, error), req Req) (res Res, err error) {
	// One that was started anew is found before anything is sent.
	if _, err := ask(ctx, s, health, &healthv1.HealthCheckRequest{}); err != nil {
		return res, err
	}
	s.heard(ctx)
	k, err := s.daemon(ctx)
	if err != nil {
		return res, err
	}
	if res, err = call(k)(ctx, req); connect.CodeOf(err) == connect.CodeUnavailable {
		s.forget(k)
		err = fmt.Errorf("the daemon ended in the middle of this; look whether it was done: %w", err)
	}
	return res, err
}

func health(k *dial.Client) func(context.Context, *healthv1.HealthCheckRequest) (*healthv1.HealthCheckResponse, error) {
	return k.Health.Check
}

// show has the editor show a message.
func (s *server) show(kind int, text string) {
	_ = s.rpc.Notify(s.ctx, "window/showMessage", map[string]any{"type": kind, "message": text})
}
