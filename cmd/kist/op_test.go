package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/cmd/kist/output"
	v1 "kist/proto/kist/v1"
)

func TestOpLine(t *testing.T) {
	op := func(status, typ, reason, fault string) *v1.Operation {
		return &v1.Operation{
			Id: "01KB2Q3M7N8P9R0S1T2V3W4X5Y", Status: status, Type: typ, Reason: reason, Error: fault,
			Entity: &v1.Entity{Type: "task", Path: "projects/boat/tasks/paint.md"},
		}
	}
	for _, tt := range []struct {
		op   *v1.Operation
		want string
	}{
		{op("completed", "create", "you said so", ""), "+ created task projects/boat/tasks/paint.md (you said so) [2V3W4X5Y]\n"},
		{op("completed", "update", "", ""), "~ changed task projects/boat/tasks/paint.md [2V3W4X5Y]\n"},
		{op("completed", "delete", "", ""), "- deleted task projects/boat/tasks/paint.md [2V3W4X5Y]\n"},
		{op("completed", "move", "", ""), "> moved task projects/boat/tasks/paint.md [2V3W4X5Y]\n"},
		{op("proposed", "delete", "it is done", ""), "? proposes to delete task projects/boat/tasks/paint.md (it is done) [2V3W4X5Y]\n"},
		{op("rejected", "delete", "", ""), "x rejected: delete task projects/boat/tasks/paint.md [2V3W4X5Y]\n"},
		{op("failed", "create", "", "disk full"), "x failed: create task projects/boat/tasks/paint.md [2V3W4X5Y]\n  disk full\n"},
		{nil, ""},
	} {
		var buf bytes.Buffer
		newPrinter(&buf).opLine(tt.op)
		if diff := cmp.Diff(tt.want, buf.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDiffColours(t *testing.T) {
	var buf bytes.Buffer
	p := &printer{&output.Printer{Out: &buf, Color: true}}
	p.diff("--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n same\n-old\n+new\x1b[2J\n\\ No newline at end of file\n")
	want := "\x1b[1m--- a/x.md\x1b[0m\n\x1b[1m+++ b/x.md\x1b[0m\n\x1b[36m@@ -1 +1 @@\x1b[0m\n same\n" +
		"\x1b[31m-old\x1b[0m\n\x1b[32m+new␛[2J\x1b[0m\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
}

// What was only approved or begun, here or on another device, isn't told as done.
func TestWhatIsNotDoneYet(t *testing.T) {
	for status, want := range map[string]string{"completed": "changed", "approved": "approved, not done yet: update", "begun": "begun, not done yet: update", "failed": "failed: update"} {
		if _, _, verb := opWords(&v1.Operation{Type: "update", Status: status}); verb != want {
			t.Errorf("%s: %q, want %q", status, verb, want)
		}
	}
}
