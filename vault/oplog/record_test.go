package oplog

import (
	"encoding/base64"
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
		"no base64":  "id: x\nevent: begun\nchanges: [{path: a, patch_bytes: 'not/base64!'}]\n",
		"a map":      "id: x\nevent: begun\nchanges: [{path: a, patch_bytes: {a: b}}]\n",
	} {
		if _, err := Decode([]byte(text)); err == nil {
			t.Errorf("%s: taken", name)
		} else if name != "a list" && !errors.Is(err, ErrRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func recordOf(patch string) Record {
	return Record{
		ID: "01KAGTZ5M8N3X7J6R2Q9V4W1CD", Event: "completed", At: time.Unix(1, 5000).UTC(), Type: "update", Actor: "editor", Seq: 17,
		Entity: &Entity{Type: "note", Path: "notes/a.md"}, Batch: "01KAGTZ5M8N3X7J6R2Q9V4W1CD",
		Changes: []Change{{Path: "notes/a.md", Before: "9a1e", After: "77c0", Patch: Patch(patch)}},
	}
}

// Patches of prose are blocks, also where a line ends in blanks or nothing ends the file.
func TestEncode(t *testing.T) {
	const head = `---
id: 01KAGTZ5M8N3X7J6R2Q9V4W1CD
event: completed
at: 1970-01-01T00:00:01Z
type: update
entity: {type: note, path: notes/a.md}
actor: editor
seq: 17
changes:
- path: notes/a.md
  before: 9a1e
  after: 77c0
`
	for _, tt := range []struct{ name, patch, want string }{
		{"blanks at the end", "--- a\n+++ b\n@@ -1 +1 @@\n-one  \n+two\t\n \n", "  patch: |\n   --- a\n   +++ b\n   @@ -1 +1 @@\n   -one  \n   +two\t\n    \n"},
		{"a line break that YAML would bend", "-one\r\n one\u2028\n", "  patch: \"\\\n   -one\\r\\n\\\n   \\ one\\u2028\\n\\\n   \"\n"},
		{"not UTF-8", "-caf\xe9\n", "  patch_bytes: !!binary |\n   LWNhZukK\n"},
		{"blank first", " a\n", "  patch: |1\n    a\n"},
		{"no line break at the end", "a", "  patch: |-\n   a\n"},
	} {
		got, err := Encode(recordOf(tt.patch))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(head+tt.want+"...\n", string(got)); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
	}
}

// Base64 stands where the format says so, with or without YAML's tag for it; logs of
// earlier versions have a list of numbers.
func TestBytesOfAPatch(t *testing.T) {
	want := Patch("--- a\n+++ b\n+caf\xe9\n")
	code := base64.StdEncoding.EncodeToString([]byte(want))
	numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint([]byte(want)), " ", ", "), "[]")
	for _, form := range []string{code, "!!binary " + code, "|\n      " + code[:8] + "\n      " + code[8:], "[" + numbers + "]"} {
		r, err := Decode([]byte("id: x\nevent: begun\nchanges:\n  - path: a\n    patch_bytes: " + form + "\n"))
		if err != nil || r.Changes[0].Patch != want {
			t.Errorf("%s: %q, %v", form, r.Changes, err)
		}
	}
	// A file of 40 KB that isn't UTF-8 makes a record of a third more.
	text, err := Encode(recordOf(strings.Repeat("+caf\xe9 au lait\n", 3000)))
	if err != nil || len(text) > 60_000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func FuzzRecord(f *testing.F) {
	f.Add("", "0", "")
	f.Add("reason", "--- a\n+++ b\n", "log\n---\nid: x\nevent: begun\nat: 2026-11-20T10:00:00Z\n...\n---\nid: y")
	f.Add("a: b # c", "...\n---\n", "...\n...\n---\n---\n")
	f.Add("\x00\ufeff", " \t\n\n\r\n\xff", "")
	f.Add("1e5", "\n\n a\n\n", "")
	f.Add("0x1f", "a\n \n  \n", "")
	f.Add("2026-11-20", "\ta\u0085b\n\x7f", "")
	f.Add("don’t (…) - \"so\"", " ", "")
	f.Add("NULL", "\n", "")
	f.Fuzz(func(t *testing.T, reason, patch, log string) {
		parts, n := Split([]byte(log))
		if n < 0 || n > len(log) {
			t.Fatalf("%d bytes of %d", n, len(log))
		}
		for _, p := range parts {
			_, _ = Decode([]byte(log[p.From:p.To]))
		}
		// What is written is read back, whatever stands before it.
		r := recordOf(patch)
		r.Reason = strings.ToValidUTF8(reason, "?")
		r.Entity.Path, r.Changes[0].Path = r.Reason, r.Reason
		text, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		all := append([]byte(log+"\n"), text...)
		parts, n = Split(all)
		if len(parts) == 0 || n != len(all) {
			t.Fatalf("%q is not found again", text)
		}
		last := parts[len(parts)-1]
		back, err := Decode(all[last.From:last.To])
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		r.At = r.At.Truncate(time.Millisecond)
		want := r
		if r.Reason == "" { // it goes without saying
			want.Reason = ImpliedReason(r.Actor, r.Type)
		}
		if diff := cmp.Diff(want, back); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
		if written := write(r, true); string(written) != string(text) {
			t.Errorf("base64 for a patch that YAML can hold: %q", patch)
		}
	})
}
