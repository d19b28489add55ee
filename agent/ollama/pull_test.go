package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint"
)

func TestPull(t *testing.T) {
	for _, tc := range []struct {
		name, stream, want string // in the error
		told               []Progress
		stop               bool // after the first
	}{
		{"all of it", `{"status":"pulling manifest"}` + "\n" + `{"status":"pulling a1\u001b[2J","digest":"a1","total":10,"completed":4}` + "\n" + `{"status":"success"}` + "\n", "",
			[]Progress{{Status: "pulling manifest"}, {"pulling a1[2J", 4, 10}, {Status: "success"}}, false},
		{"no such model", `{"status":"pulling manifest"}` + "\n" + `{"error":"pull model manifest: file does not exist"}` + "\n", "file does not exist", []Progress{{Status: "pulling manifest"}}, false},
		{"it breaks off", `{"status":"pulling manifest"}` + "\n", "broke off", []Progress{{Status: "pulling manifest"}}, false},
		{"a last line without its end", `{"status":"success"}`, "", []Progress{{Status: "success"}}, false},
		{"nobody listens", `{"status":"one"}` + "\n" + `{"status":"two"}` + "\n", "", []Progress{{Status: "one"}}, true},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var asked struct{ Model string }
			if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/api/pull" || asked.Model != "qwen3:8b" {
				http.Error(w, "?", http.StatusBadRequest)
			}
			io.WriteString(w, tc.stream)
		}))
		e, err := endpoint.New(server.URL, "")
		if err != nil {
			t.Fatal(err)
		}
		var told []Progress
		err = Pull(t.Context(), e, "qwen3:8b", func(p Progress) bool {
			told = append(told, p)
			return !tc.stop
		})
		server.Close()
		if (err != nil) != (tc.want != "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(tc.told, told); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
	e, err := endpoint.New("http://127.0.0.1:1", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := Pull(ctx, e, "x", nil); errors.Is(err, context.Canceled) || err == nil {
		t.Errorf("nobody there: %v", err)
	}
	cancel()
	if err := Pull(ctx, e, "x", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
