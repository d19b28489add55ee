package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"connectrpc.com/connect"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

// quiet is how long a document is left alone before it is checked: nobody wants to read what
// is wrong with a word that is being written.
const quiet = 150 * time.Millisecond

// checkSoon checks a document when it has been quiet for a while.
func (s *server) checkSoon(uri string) { s.checkIn(uri, quiet) }

// checkIn checks a document after a while, unless it is to be checked anew before that.
func (s *server) checkIn(uri string, after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.timers[uri]; t != nil {
		t.Stop()
	}
	s.timers[uri] = time.AfterFunc(after, func() { s.check(uri) })
}

// checkAll checks all open documents: a document that was saved may be what another lacked.
func (s *server) checkAll() {
	for _, d := range s.opened() {
		s.checkSoon(d.uri)
	}
}

// check publishes what is wrong with a document.
func (s *server) check(uri string) {
	d := s.document(uri)
	if !d.usable() || s.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
	defer cancel()
	res, err := ask(ctx, s, func(k *dial.Client) func(context.Context, *v1.CheckDocumentRequest) (*v1.CheckDocumentResponse, error) {
		return k.Language.CheckDocument
	}, &v1.CheckDocumentRequest{Path: d.path, Unsaved: s.unsaved(d)})
	if err != nil {
		if s.ctx.Err() == nil {
			s.app.Log("check %s: %v\n", d.path, err)
		}
		return
	}
	list := []diagnostic{}
	for _, f := range res.Faults {
		out := diagnostic{Range: s.span(f.Range), Severity: severity(f), Code: f.Code, Source: "kist", Message: f.Message}
		if f.Hint != "" {
			out.Message += " (" + f.Hint + ")"
		}
		if f.Target != "" {
			out.Data, _ = json.Marshal(f.Target) // a string always can be
		}
		list = append(list, out)
	}
	if now := s.document(uri); now != nil && now.version == d.version {
		s.publish(uri, d.version, list)
	}
	if len(d.text) >= largeText {
		debug.FreeOSMemory() // messages and answers were several times that
	}
}

// largeText is how large a text is, in bytes, after whose check memory is given back at once.
const largeText = 256 << 10

func severity(f *v1.Fault) int {
	switch {
	case f.Grave:
		return severityError
	case f.Code == "ambiguous_link":
		return severityInfo
	}
	return severityWarning
}

// publish has the editor show what is wrong with a document; nil: nothing is.
func (s *server) publish(uri string, version int, list []diagnostic) {
	if list == nil {
		list = []diagnostic{}
	}
	p := map[string]any{"uri": uri, "diagnostics": list}
	if version > 0 {
		p["version"] = version
	}
	_ = s.rpc.Notify(s.ctx, "textDocument/publishDiagnostics", p)
}

// follow tells the editor of operations until the server ends. A daemon that is gone is
// looked for again, but not started: whoever asks for something does that.
func (s *server) follow() {
	if s.follows.Swap(true) {
		return // said twice
	}
	first := sync.OnceFunc(func() { close(s.hears) })
	go func() {
		for delay := time.Second; s.ctx.Err() == nil; delay = min(2*delay, time.Minute) {
			if s.watch(first) {
				delay = time.Second
			}
			first()
			select {
			case <-s.ctx.Done():
			case <-time.After(delay):
			}
			s.checkAll() // what other programs saved meanwhile isn't known
		}
	}()
}

// atMost is how long a change waits for that.
const atMost = 2 * time.Second

// heard waits until the editor is told of operations, so that it is of the one that it asks for.
func (s *server) heard(ctx context.Context) {
	if !s.follows.Load() {
		return
	}
	select {
	case <-s.hears:
	case <-ctx.Done():
	case <-time.After(atMost):
	}
}

// watch follows one daemon's operations, calls begun when it does, and reports whether there
// were any.
func (s *server) watch(begun func()) (some bool) {
	k, err := s.daemon(s.ctx)
	if err != nil {
		why := err.Error()
		if e, ok := errors.AsType[*dial.Error](err); ok && e.Hint != "" {
			why += " (" + e.Hint + ")"
		}
		if s.ctx.Err() == nil && why != s.absent { // not each time that it is looked for
			s.absent = why
			s.show(messageWarning, "kist: "+why)
		}
		return false
	}
	s.absent = ""
	stream, err := k.Operation.WatchOperations(s.ctx, &v1.WatchOperationsRequest{AfterSeq: s.told})
	if err != nil {
		return false
	}
	defer stream.Close()
	for stream.Receive() {
		seq := stream.Msg().Seq
		s.told = &seq
		begun()
		if op := stream.Msg().GetOperation(); op != nil {
			some = true
			s.tell(op)
		}
	}
	if connect.CodeOf(stream.Err()) == connect.CodeAborted { // too much to tell, or another log
		s.told = nil
	}
	s.forget(k)
	return some
}

// tell tells the editor of an operation.
func (s *server) tell(op *v1.Operation) {
	s.telling.Lock()
	defer s.telling.Unlock()
	paths, from := []string{}, []string{}
	for _, c := range op.Changes {
		paths, from = append(paths, s.root+"/"+c.Path), append(from, inRoot(s.root, c.From))
	}
	_ = s.rpc.Notify(s.ctx, "kist/operation", map[string]any{
		"id": op.Id, "status": op.Status, "reason": op.Reason, "actor": op.Actor, "client": op.Client, "paths": paths, "from": from,
	})
	if op.Status == "completed" || op.Status == "rolled_back" {
		s.checkAll()
	}
	if s.lenses {
		go func() { _, _ = s.rpc.Callback(s.ctx, "workspace/codeLens/refresh", nil) }()
	}
}

func inRoot(root, from string) string {
	if from == "" {
		return ""
	}
	return root + "/" + from
}
