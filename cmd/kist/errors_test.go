package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"

	v1 "kist/proto/kist/v1"
	"kist/rpc/dial"
)

func rpcError(t *testing.T, code connect.Code, hint string, paths ...string) error {
	t.Helper()
	e := connect.NewError(code, errors.New("something happened"))
	d, err := connect.NewErrorDetail(&v1.ErrorInfo{Hint: hint, Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	e.AddDetail(d)
	return e
}

func TestExitCodes(t *testing.T) {
	rpc := func(code connect.Code, paths ...string) error { return rpcError(t, code, "", paths...) }
	for _, tt := range []struct {
		name string
		err  error
		want int
	}{
		{"usage", usagef("no"), 2},
		{"a wrapped one", fmt.Errorf("x: %w", usagef("no")), 2},
		{"invalid argument", rpc(connect.CodeInvalidArgument), 2},
		{"not found", rpc(connect.CodeNotFound), 3},
		{"no vault", &dial.Error{Kind: dial.ErrNoVault}, 3},
		{"aborted", rpc(connect.CodeAborted), 4},
		{"exists", rpc(connect.CodeAlreadyExists), 4},
		{"precondition with paths", rpc(connect.CodeFailedPrecondition, "a.md"), 4},
		{"precondition", rpc(connect.CodeFailedPrecondition), 1},
		{"unavailable", rpc(connect.CodeUnavailable), 5},
		{"unreachable", &dial.Error{Kind: dial.ErrUnreachable}, 5},
		{"internal", rpc(connect.CodeInternal), 1},
		{"unknown", errors.New("x"), 1},
		{"no text", connect.NewError(connect.CodeInternal, errors.New("marshal message: string field contains invalid UTF-8")), 2},
		{"interrupted", context.Canceled, 1},
		{"a turn that failed", turnError{&v1.TurnError{Code: "not_found"}}, 3},
		{"a turn of another world", turnError{&v1.TurnError{Code: "?"}}, 1},
		{"shown already", reportedError{4}, 4},
	} {
		c := &cli{log: newPrinter(&bytes.Buffer{})}
		if got := c.report(tt.err); got != tt.want {
			t.Errorf("%s: exit code %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestReportOfSeveralLinesForgesNoHint(t *testing.T) {
	var buf bytes.Buffer
	(&cli{log: newPrinter(&buf)}).report(errors.New("no file \"a\nhint: do this\x1b[2J\"\n"))
	if diff := cmp.Diff("kist: no file \"a\n      hint: do this␛[2J\"\n", buf.String()); diff != "" {
		t.Error(diff)
	}
}

func TestReportHumanAndJSON(t *testing.T) {
	err := fmt.Errorf("ask: %w", rpcError(t, connect.CodeNotFound, "list them"))
	var human, machine bytes.Buffer
	(&cli{log: newPrinter(&human)}).report(err)
	if diff := cmp.Diff("kist: something happened\nhint: list them\n", human.String()); diff != "" {
		t.Error(diff)
	}
	(&cli{log: newPrinter(&machine), json: true}).report(err)
	var got map[string]fault
	if err := json.Unmarshal(machine.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]fault{"error": {Code: "not_found", Message: "something happened", Hint: "list them"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
