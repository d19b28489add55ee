package rpc_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	kistv1 "kist/proto/kist/v1"
	"kist/rpc/rpctest"
)

// TestStreamsInLines: a stream that is asked for as JSON is one object a line, each when it comes.
func TestStreamsInLines(t *testing.T) {
	s, _ := open(t, boat)
	c := s.Client(rpctest.Connect)
	for name, client := range map[string]*http.Client{"HTTP/1.1": s.HTTP1(), "HTTP/2": s.HTTP2()} {
		ask := func(call, body string) *bufio.Scanner {
			res, err := client.Post(rpctest.URL+"/kist.v1."+call, "application/json; charset=utf-8", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = res.Body.Close() })
			if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "application/jsonl" {
				t.Errorf("%s: %s: %s %s", name, call, res.Status, kind)
			}
			return bufio.NewScanner(res.Body)
		}
		next := func(in *bufio.Scanner) (m map[string]any) {
			if !in.Scan() {
				t.Fatalf("%s: no line: %v", name, in.Err())
			}
			if err := json.Unmarshal(in.Bytes(), &m); err != nil {
				t.Fatalf("%s: %q: %v", name, in.Text(), err)
			}
			return m
		}
		watch := ask("OperationService/WatchOperations", "{}")
		if m := next(watch); m["operation"] != nil || m["end"] != nil {
			t.Errorf("%s: first %v", name, m)
		}
		made, err := c.Vault.CreateNote(t.Context(), &kistv1.CreateNoteRequest{Title: "Grün → blau"})
		if err != nil {
			t.Fatal(err)
		}
		if op, _ := next(watch)["operation"].(map[string]any); op["id"] != made.Operation.Id {
			t.Errorf("%s: %v", name, op)
		}
		turn, events := ask("SessionService/Send", `{"session":"new","text":"what is open?"}`), 0
		for m := next(turn); m["end"] == nil; m = next(turn) {
			events++
		}
		if turn.Scan() || events < 3 {
			t.Errorf("%s: %d events, then %q", name, events, turn.Text())
		}
		refused, _ := json.Marshal(next(ask("SessionService/Send", `{"mode":"sleep"}`))["end"])
		if !strings.Contains(string(refused), `"INVALID_REQUEST"`) {
			t.Errorf("%s: %s", name, refused)
		}
		// What is no stream, or no JSON, is as it was.
		for kind, want := range map[string]string{"application/json": "application/json", "application/connect+json": "application/connect+json", "text/plain": ""} {
			call := "DaemonService/GetStatus"
			if kind != "application/json" {
				call = "OperationService/WatchOperations"
			}
			res, err := client.Post(rpctest.URL+"/kist.v1."+call, kind, strings.NewReader("\x00\x00\x00\x00\x09{\"a\":\n}}x"))
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Header.Get("Content-Type"); got != want {
				t.Errorf("%s: %s: %q", name, kind, got)
			}
			_ = res.Body.Close()
		}
		res, err := client.Post(rpctest.URL+"/kist.v1.OperationService/WatchOperations", "application/json", strings.NewReader(strings.Repeat(" ", 5<<20)))
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := io.ReadAll(res.Body); !strings.Contains(string(b), "resource_exhausted") {
			t.Errorf("%s: 5 MiB: %.200q", name, b)
		}
		_ = res.Body.Close()
	}
}
