package rpc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/bounds"
	"kist/rpc/fault"
	"kist/vault"
)

// A wish is how a caller wants a change to be made, which all requests that write can say.
type wish struct {
	expect  vault.Hash
	request string // its name, "/" and a mark of what it asks for; empty: none
	propose bool
	path    string // of the document that the request names; empty: none
}

type wishKey struct{}

// wishOf returns the wish of the request that is being answered.
func wishOf(ctx context.Context) wish {
	w, _ := ctx.Value(wishKey{}).(wish)
	return w
}

// readWish reads what a request says of it.
func readWish(req any, procedure string) (w wish) {
	if m, ok := req.(interface{ GetExpect() string }); ok {
		w.expect = vault.Hash(m.GetExpect())
	}
	if m, ok := req.(interface{ GetPropose() bool }); ok {
		w.propose = m.GetPropose()
	}
	if m, ok := req.(interface{ GetRequestId() string }); ok && m.GetRequestId() != "" {
		w.request = m.GetRequestId() + "/" + markOf(req.(proto.Message), procedure)
	}
	if w != (wish{}) {
		w.path = bounds.DocumentOf(req)
	}
	return w
}

// markOf tells what a request asks for, whatever its name.
func markOf(req proto.Message, procedure string) string {
	m := proto.Clone(req).ProtoReflect()
	m.Clear(m.Descriptor().Fields().ByName("request_id"))
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m.Interface())
	if err != nil { // what came over the wire can be written again
		b = nil
	}
	sum := sha256.Sum256(append([]byte(procedure+"\x00"), b...))
	return hex.EncodeToString(sum[:8])
}

// guard has the steps carried out only on the document as the caller saw it: the one that
// the request names, or else the one that the steps are about.
func (w wish) guard(steps []vault.Step) error {
	if w.expect == "" {
		return nil
	}
	for _, p := range []string{w.path, steps[0].Entity.Path} {
		for _, s := range steps {
			i := slices.IndexFunc(s.Changes, func(c vault.Change) bool { return p != "" && (c.Path == p || c.From == p) })
			if i >= 0 {
				s.Changes[i].Expect = w.expect
				return nil
			}
		}
	}
	return fmt.Errorf("%w: what is expected can't be compared: the change isn't one of that document", vault.ErrInvalid)
}

// writes is the interceptor that reads how changes are to be made, and has a request that
// comes again answered as it was, from the operation log: also after a restart.
type writes struct {
	Deps
	mu   sync.Mutex
	busy map[string]chan struct{} // names of requests that are being carried out
}

// WrapUnary implements connect.Interceptor.
func (ws *writes) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		w := readWish(req.Any(), req.Spec().Procedure)
		if w == (wish{}) {
			return next(ctx, req)
		}
		if w.request != "" {
			name, _, _ := strings.Cut(w.request, "/")
			end, err := ws.begin(ctx, name)
			if err != nil {
				return nil, err
			}
			defer end()
			if res, err := ws.answered(ctx, name, w, req); res != nil || err != nil {
				return res, err
			}
		}
		if err := ws.unchanged(&w); err != nil {
			return nil, err
		}
		return next(context.WithValue(ctx, wishKey{}, w), req)
	}
}

// begin waits until no other request of that name is being carried out.
func (ws *writes) begin(ctx context.Context, name string) (end func(), err error) {
	for {
		ws.mu.Lock()
		other := ws.busy[name]
		if other == nil {
			if ws.busy == nil {
				ws.busy = map[string]chan struct{}{}
			}
			done := make(chan struct{})
			ws.busy[name] = done
			ws.mu.Unlock()
			return func() {
				ws.mu.Lock()
				defer ws.mu.Unlock()
				delete(ws.busy, name)
				close(done)
			}, nil
		}
		ws.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// unchanged compares the document that a request names with what is expected of it, before
// anything is planned: the plan may not even fit what it became.
func (ws *writes) unchanged(w *wish) error {
	if w.path == "" {
		return nil
	}
	at, err := ws.Vault.Locate(w.path)
	if err != nil {
		return nil // it may be an id; the plan knows
	}
	w.path = at
	if w.expect == "" {
		return nil
	}
	now, err := ws.Vault.Read(at)
	if err != nil || vault.HashOf(now) == w.expect {
		return nil
	}
	return &vault.ConflictError{Path: at, Reason: "it was edited since it was read", Now: now}
}

// answered returns the answer to a request that was carried out before; nil: it wasn't.
func (ws *writes) answered(ctx context.Context, name string, w wish, req connect.AnyRequest) (connect.AnyResponse, error) {
	ops, err := ws.Vault.Operations(ctx, vault.Filter{Request: name})
	if err != nil {
		return nil, err
	}
	ops = slices.DeleteFunc(ops, func(op vault.Operation) bool {
		return op.Status == vault.StatusFailed || op.Status == vault.StatusRolledBack
	})
	if len(ops) == 0 {
		return nil, nil
	}
	if ops[0].Request != w.request {
		return nil, fmt.Errorf("%w: operation %s", fault.ErrRequestID, ops[0].ID)
	}
	batch := ops[0].Batch // of a proposal that was made anew, the last
	ops = slices.DeleteFunc(ops, func(op vault.Operation) bool { return op.Batch != batch })
	sort.SliceStable(ops, func(i, j int) bool { return ops[i].ID < ops[j].ID })
	for i := range ops {
		if ops[i], err = ws.Vault.Operation(ctx, ops[i].ID); err != nil {
			return nil, err
		}
	}
	return ws.again(ctx, ops, req)
}

// replay is an answer whose type only its schema tells.
type replay struct {
	connect.AnyResponse
	message any
}

func (r replay) Any() any { return r.message }

// again makes the answer anew: the operations as the log has them, and what they are about
// as it is now.
func (ws *writes) again(ctx context.Context, ops []vault.Operation, req connect.AnyRequest) (connect.AnyResponse, error) {
	res, err := newAnswer(req.Spec())
	if err != nil {
		return nil, err
	}
	fields := res.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.IsList() {
			list := res.Mutable(f).List()
			for _, op := range ops {
				if m := ws.about(ctx, f, op, req.Any()); m.IsValid() {
					list.Append(m)
				}
			}
		} else if m := ws.about(ctx, f, ops[0], req.Any()); m.IsValid() {
			res.Set(f, m)
		}
	}
	if r, ok := res.Interface().(*kistv1.ImportConversationsResponse); ok {
		for _, op := range ops {
			if op.Type == vault.OpCreate {
				r.Created++
			} else {
				r.Updated++
			}
		}
	}
	return replay{connect.NewResponse(&kistv1.Operation{}), res.Interface()}, nil
}

// about is what a field of an answer says of an operation; invalid: nothing.
func (ws *writes) about(ctx context.Context, f protoreflect.FieldDescriptor, op vault.Operation, req any) (v protoreflect.Value) {
	switch f.Name() {
	case "path":
		return protoreflect.ValueOfString(text(op.Entity.Path))
	case "batch":
		return protoreflect.ValueOfString(text(op.Batch))
	}
	if f.Message() == nil {
		return v
	}
	var m proto.Message
	switch f.Message().Name() {
	case "Operation":
		m = operation(op)
	case "Project":
		m = (&projectService{Deps: ws.Deps}).project(ctx, op.Entity.Path)
	case "Task":
		ref := op.Entity.Path
		if r, ok := req.(interface{ GetTask() string }); ok {
			ref = r.GetTask()
		}
		s := &taskService{Deps: ws.Deps}
		t := s.task(ctx, ref)
		if r, ok := req.(*kistv1.CreateTaskRequest); ok && t == nil {
			t = s.boxOf(ctx, op.Entity.Path, r.Title)
		}
		m = t
	case "Memory":
		m = (&memoryService{Deps: ws.Deps}).memory(ctx, op.Entity.Path)
	case "Draft":
		m = (&draftService{Deps: ws.Deps}).draft(ctx, op.Entity.Path)
	default:
		return v
	}
	if !m.ProtoReflect().IsValid() { // it isn't there any more
		return v
	}
	return protoreflect.ValueOfMessage(m.ProtoReflect())
}

// newAnswer returns an empty answer of a call.
func newAnswer(spec connect.Spec) (protoreflect.Message, error) {
	method, ok := spec.Schema.(protoreflect.MethodDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s has no schema", spec.Procedure)
	}
	typ, err := protoregistry.GlobalTypes.FindMessageByName(method.Output().FullName())
	if err != nil {
		return nil, fmt.Errorf("answer of %s: %w", spec.Procedure, err)
	}
	return typ.New(), nil
}

// WrapStreamingHandler implements connect.Interceptor.
func (ws *writes) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// WrapStreamingClient implements connect.Interceptor.
func (ws *writes) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}
