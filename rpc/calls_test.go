package rpc_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/emptypb"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc"
	"kist/rpc/rpctest"
)

// TestReadsHaveNoSideEffects goes over the descriptors: what reads can be asked by GET.
func TestReadsHaveNoSideEffects(t *testing.T) {
	reads := []string{"Get", "List", "Watch", "Search", "Backlinks", "Similar", "Related", "Preview", "Wait", "Resolve", "Complete", "Document", "Describe", "Audit", "Forecast", "Export", "Check", "Prepare"}
	writes := []string{"ResolveConflict", "CompleteTask", "CheckItem"}
	for m := range methods(t) {
		name := string(m.Name())
		want := false
		for _, prefix := range reads {
			want = want || strings.HasPrefix(name, prefix)
		}
		for _, write := range writes {
			want = want && name != write
		}
		options, _ := m.Options().(*descriptorpb.MethodOptions)
		if got := options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS; got != want {
			t.Errorf("%s: NO_SIDE_EFFECTS is %v", m.FullName(), got)
		}
	}
}

// TestWritesAreGuarded goes over the descriptors: whatever changes something takes a name for the
// request, what the caller saw, and the wish to propose only, or it says here why it doesn't.
func TestWritesAreGuarded(t *testing.T) {
	const (
		machine = "it sets something of this machine or its daemon, which is no document: twice is as once"
		digest  = "the digest says what was seen, and the same again is answered as the first time"
		fresh   = "there is nothing yet that somebody could have seen; nothing is overwritten"
		merges  = "it merges with what the documents are by now, and what contradicts is a conflict"
		talk    = "what is said changes documents by operations, which policy proposes or carries out"
	)
	all := []string{"request_id", "expect", "propose"}
	without := map[string]map[string]string{ // call, field or all of them, reason
		"Stop": {"": machine}, "RebuildIndex": {"": machine}, "UseModel": {"": machine}, "PullModel": {"": machine}, "TestModel": {"": machine},
		"TrustPolicy": {"": machine}, "DistrustPolicy": {"": machine}, "RevokeToken": {"": machine},
		"SetUpSync": {"": machine}, "SyncNow": {"": machine}, "PauseSync": {"": machine}, "OwnDevice": {"": machine},
		"CreateToken":      {"": "a name is given once, and the token is told once: it is kept nowhere"},
		"ApproveOperation": {"": digest}, "ApproveOperations": {"": digest}, "EditOperation": {"": digest},
		"RejectOperation":     {"": "it changes no document, and again it does nothing"},
		"UndoOperation":       {"expect": merges},
		"RedoOperation":       {"expect": merges},
		"RetryOperation":      {"expect": merges},
		"ResolveConflict":     {"expect": merges},
		"ImportConversations": {"expect": "notes that were edited here are left alone"},
		"CreateMemory":        {"expect": fresh}, "CreateProject": {"expect": fresh}, "CreateTasks": {"expect": fresh},
		"CreateDocument": {"expect": fresh}, "CreateNote": {"expect": fresh},
		"AdoptProjects": {"expect": "it is of many documents; propose tells what it would do"},
		"Send":          {"expect": talk, "propose": talk},
		"StartSession":  {"expect": talk, "propose": talk},
		"CancelTurn":    {"": talk}, "RenameSession": {"": talk}, "DeleteSession": {"": talk},
	}
	for m := range methods(t) {
		options, _ := m.Options().(*descriptorpb.MethodOptions)
		if options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS || !strings.HasPrefix(string(m.FullName()), "kist.v1.") {
			continue
		}
		reasons := without[string(m.Name())]
		delete(without, string(m.Name()))
		for _, field := range all {
			has := m.Input().Fields().ByName(protoreflect.Name(field)) != nil
			_, excused := reasons[field]
			if _, whole := reasons[""]; has == (excused || whole) {
				t.Errorf("%s: %s is there: %v; a reason not to have it: %v", m.FullName(), field, has, excused || whole)
			}
		}
	}
	for name := range without {
		t.Errorf("no call %s that writes", name)
	}
}

// TestUnknownCall: who is newer than the daemon hears so, over each protocol.
func TestUnknownCall(t *testing.T) {
	s := serve(t, bare())
	for name, opts := range map[string][]connect.ClientOption{"connect": nil, "grpc": {connect.WithGRPC()}, "grpcweb": {connect.WithGRPCWeb()}} {
		for _, call := range []string{"/kist.v1.VaultService/Dream", "/kist.v1.DreamService/Dream"} {
			c := connect.NewClient[emptypb.Empty, emptypb.Empty](s.HTTP2(), rpctest.URL+call, opts...)
			_, err := c.CallUnary(t.Context(), connect.NewRequest(&emptypb.Empty{}))
			if info := infoOf(err); connect.CodeOf(err) != connect.CodeUnimplemented || info.GetReason() != "UNKNOWN_CALL" || !strings.Contains(info.GetHint(), "kist down") {
				t.Errorf("%s %s: %v, %v", name, call, err, info)
			}
		}
	}
}

// TestFieldViolations: a request that breaks rules says which fields do, in kist's own detail
// and in the one that other programs know.
func TestFieldViolations(t *testing.T) {
	s := serve(t, bare())
	for _, p := range rpctest.Protocols() {
		_, err := s.Client(p).Task.CreateTask(t.Context(), &kistv1.CreateTaskRequest{Project: "boat", Title: "Paint", Due: "tomorrow", Duration: strings.Repeat("d", 33)})
		var fields []string
		for _, v := range infoOf(err).GetFieldViolations() {
			fields = append(fields, v.Field+" "+v.Rule)
		}
		if got := strings.Join(fields, ", "); got != "due string.pattern, duration string.max_len" || infoOf(err).GetReason() != "INVALID_REQUEST" {
			t.Errorf("%s: %q, %v", p, got, err)
		}
		if got := details(err); !slices.Equal(got, []string{"kist.v1.ErrorInfo", "buf.validate.Violations"}) {
			t.Errorf("%s: details %v", p, got)
		}
		if got, want := err.(*connect.Error).Message(), "due: must be a date such as 2026-12-31; duration: must be at most 32 characters"; got != want {
			t.Errorf("%s: it says %q", p, got)
		}
		_, err = s.Client(p).Vault.EditDocument(t.Context(), &kistv1.EditDocumentRequest{Path: "a.md"})
		if hint := infoOf(err).GetHint(); !strings.HasPrefix(hint, "change expect; fill in edits;") || !strings.Contains(hint, "GetDocument tells the hash") {
			t.Errorf("%s: the hint %q", p, hint)
		}
		stream, err := s.Client(p).Session.Send(t.Context(), &kistv1.SendRequest{Mode: "sleep"})
		if err != nil {
			t.Fatal(err)
		}
		for stream.Receive() {
			t.Errorf("%s: %v came", p, stream.Msg())
		}
		fields = nil
		for _, v := range infoOf(stream.Err()).GetFieldViolations() {
			fields = append(fields, v.Field+" "+v.Rule+": "+v.Description)
		}
		const want = "text string.min_len: something must stand there; mode string.in: must be general, project_create, project_update, project_audit, project_forecast or task_update"
		if got := strings.Join(fields, "; "); got != want || connect.CodeOf(stream.Err()) != connect.CodeInvalidArgument {
			t.Errorf("%s: %q, %v", p, got, stream.Err())
		}
	}
}

func details(err error) (types []string) {
	if known, ok := errors.AsType[*connect.Error](err); ok {
		for _, d := range known.Details() {
			types = append(types, d.Type())
		}
	}
	return types
}

// TestRefusalsSpeakTheProtocol: what the guard refuses is an error like any other.
func TestRefusalsSpeakTheProtocol(t *testing.T) {
	guard := rpc.Guard{Hosts: []string{strings.TrimPrefix(rpctest.URL, "http://")}, Token: func() string { return testToken }}
	s := rpctest.New(t, guard.Wrap(&counting{}))
	for name, opts := range map[string][]connect.ClientOption{"connect": nil, "grpc": {connect.WithGRPC()}, "grpcweb": {connect.WithGRPCWeb()}} {
		c := connect.NewClient[emptypb.Empty, emptypb.Empty](s.HTTP2(), rpctest.URL+"/kist.v1.DaemonService/GetStatus", opts...)
		_, err := c.CallUnary(t.Context(), connect.NewRequest(&emptypb.Empty{}))
		if info := infoOf(err); connect.CodeOf(err) != connect.CodeUnauthenticated || info.GetReason() != "TOKEN" {
			t.Errorf("%s: %v, %v", name, err, info)
		}
	}
}
