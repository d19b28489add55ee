package vault

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A log may come from another machine: what would take yaml.v3 seconds or
// gigabytes is refused by its shape.
func TestHostileRecords(t *testing.T) {
	var merges, keys strings.Builder
	for i := range 4000 {
		merges.WriteString("<<: {a: 1}\n")
		fmt.Fprintf(&keys, "key%d: 1\n", i)
	}
	for name, text := range map[string]string{
		"merge keys": "id: x\nevent: begun\n" + merges.String(),
		"many keys":  "id: x\nevent: begun\n" + keys.String(),
		"aliases":    "id: &a [x, x]\nevent: *a\n",
		"a list":     "- id\n",
		"no event":   "id: x\n",
	} {
		if _, err := decodeRecord([]byte(text)); err == nil {
			t.Errorf("%s: taken", name)
		} else if name != "a list" && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add("reason", "--- a\n+++ b\n", "log\n---\nid: x\nevent: begun\nat: 2026-11-20T10:00:00Z\n...\n---\nid: y")
	f.Add("a: b # c", "...\n---\n", "...\n...\n---\n---\n")
	f.Add("\x00\ufeff", " \t\n\n\r\n\xff", "")
	f.Fuzz(func(t *testing.T, reason, patch, log string) {
		docs, n := splitRecords([]byte(log))
		if n < 0 || n > len(log) {
			t.Fatalf("%d bytes of %d", n, len(log))
		}
		for _, d := range docs {
			_, _ = decodeRecord(d)
		}
		// What is written is read back, whatever stands before it.
		r := record{ID: "01X", Event: StatusBegun, At: time.Unix(1, 0).UTC(), Type: OpUpdate, Reason: oneLine(reason), Changes: []recordChange{{Path: "a.md", Patch: patch}}}
		text, err := encodeRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		docs, n = splitRecords(append([]byte(log+"\n"), text...))
		if len(docs) == 0 || n != len(log)+1+len(text) {
			t.Fatalf("%q is not found again", text)
		}
		back, err := decodeRecord(docs[len(docs)-1])
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if back.Changes[0].patch() != patch {
			t.Errorf("patch %q came back as %q", patch, back.Changes[0].patch())
		}
		if diff := cmp.Diff(r.Reason, back.Reason); diff != "" {
			t.Error(diff)
		}
	})
}
