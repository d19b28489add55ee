package rpc_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"kist/rpc/rpctest"
)

// TestWhatNoHandlerSees: a body that isn't the JSON of its call, or is too large, is refused with
// a reason and a hint like everything else, and without names of Go.
func TestWhatNoHandlerSees(t *testing.T) {
	s, _ := open(t, boat)
	for call, row := range map[string]struct{ body, reason, says string }{
		"TaskService/CreateTask":         {`{bad`, "INVALID_REQUEST", "can't be read"},
		"TaskService/CompleteTask":       {`{"task":5}`, "INVALID_REQUEST", "can't be read"},
		"VaultService/CreateNote":        {`{"title":"` + strings.Repeat("x", 4<<20) + `"}`, "RESOURCE_EXHAUSTED", "larger than the 4194304 bytes"},
		"OperationService/UndoOperation": {`{"id":"x","propse":true}`, "INVALID_REQUEST", `no field \"propse\" in it; did you mean \"propose\"?`}, // a guard that is mistyped
		"SessionService/DeleteSession":   {`{"session":"x","propose":true}`, "INVALID_REQUEST", "no field"},
		"VaultService/WatchDocuments":    {`{"after_seq":"a"}`, "INVALID_REQUEST", "can't be read"},
		"ProjectService/ShowProject":     {`{"project":""}`, "UNKNOWN_CALL", "doesn't know"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, rpctest.URL+"/kist.v1."+call, strings.NewReader(row.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+testToken)
		res, err := s.HTTP1().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if got := string(text); err != nil || !strings.Contains(got, `"`+row.reason+`"`) || !strings.Contains(got, row.says) || strings.Contains(got, "kistv1") || strings.Contains(got, "configured") {
			t.Errorf("%s: %d %s, %v", call, res.StatusCode, got, err)
		}
	}
}
