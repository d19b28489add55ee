package rpc_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"connectrpc.com/connect"

	kistv1 "kist/proto/kist/v1"
	"kist/proto/kist/v1/kistv1connect"
	"kist/rpc"
	"kist/rpc/rpctest"
	"kist/vault"
)

func TestImportConversations(t *testing.T) {
	s, v := openVault(t, boat)
	c := s.Client(rpctest.Protocols()[0])
	ctx := t.Context()
	file := filepath.Join(t.TempDir(), "conversations.json")
	if err := os.WriteFile(file, []byte(`[{"uuid":"u","name":"Paint","chat_messages":[{"sender":"human","text":"Which?"}]}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	req := &kistv1.ImportConversationsRequest{Source: "claude", File: file, Preview: true}
	const at = "imports/claude/undated-paint.md"
	res, err := c.Vault.ImportConversations(ctx, req)
	if err != nil || res.Created != 1 || res.Batch != "" || v.Exists(at) {
		t.Fatalf("preview: %v, %v", res, err)
	}
	req.Preview = false
	if res, err = c.Vault.ImportConversations(ctx, req); err != nil || res.Created != 1 || res.Batch == "" {
		t.Fatalf("%v, %v", res, err)
	}
	ops, err := v.Operations(ctx, vault.Filter{Entity: at})
	if err != nil || len(ops) != 1 || !ops[0].Outside || ops[0].Actor != vault.ActorUser || ops[0].Batch != res.Batch || !v.FromOutside(ctx, at) {
		t.Errorf("%+v, %v", ops, err)
	}
	proposed := &kistv1.ImportConversationsRequest{Source: "claude", File: filepath.Join(t.TempDir(), "more.json"), RequestId: "import-once", Propose: true}
	if err := os.WriteFile(proposed.File, []byte(`[{"uuid":"w","name":"Wood","chat_messages":[{"sender":"human","text":"Oak?"}]}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := c.Vault.ImportConversations(ctx, proposed)
	if err != nil || first.Created != 1 || v.Exists("imports/claude/undated-wood.md") {
		t.Fatalf("proposed: %v, %v", first, err)
	}
	if again, err := c.Vault.ImportConversations(ctx, proposed); err != nil || again.Batch != first.Batch || again.Created != 1 {
		t.Errorf("sent again: %v, %v", again, err)
	}
	for name, bad := range map[string]*kistv1.ImportConversationsRequest{
		"relative":     {Source: "claude", File: "conversations.json"},
		"no file":      {Source: "claude", File: filepath.Join(t.TempDir(), "none")},
		"other source": {Source: "chatgpt", File: file},
		"no source":    {Source: "mail", File: file},
	} {
		if _, err := c.Vault.ImportConversations(ctx, bad); connect.CodeOf(err) != connect.CodeInvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// It reads a file anywhere on this machine: only a process of this user may ask for that.
func TestImportIsOwnWord(t *testing.T) {
	for _, own := range []bool{false, true} {
		reached := false
		g := rpc.Guard{Hosts: []string{"localhost:7777"}, Token: func() string { return testToken }, Own: own}
		r := httptest.NewRequest(http.MethodPost, "http://localhost:7777"+kistv1connect.VaultServiceImportConversationsProcedure, strings.NewReader("{}"))
		r.Header.Set("Authorization", "Bearer "+testToken)
		g.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true })).ServeHTTP(httptest.NewRecorder(), r)
		if reached != own {
			t.Errorf("own %v: reached %v", own, reached)
		}
	}
}
