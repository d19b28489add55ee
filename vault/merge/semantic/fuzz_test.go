package semantic

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// FuzzMerge: whatever the bytes, a merge ends, gives the same result again, depends on no side
// where it is clean, and takes the one side that changed as it is.
func FuzzMerge(f *testing.F) {
	for _, c := range []triple{
		{"# A\n\n- [ ] a\n", "# A\n\n- [x] a\n", "# A\n\n- [ ] b\n"},
		{"---\na: 1\n---\nx", "---\na: [1]\n---\nx\r\n", "\xef\xbb\xbf---\na: 2\n---\n"},
		{"| a | b |\n|-|-|\n| 1 | 2 |\n", "| b | a |\n|-|-|\n| 2 | 1 |\n", "| a |\n|-|\n| 3 |\n"},
		{"```\nx\n", "- - a\n\n  b\n", "1. a\n   - [ ] b\n2. c\n"},
		{"", "a: 1\nb: [1, \"2\", {c: d}]\n", "a: |\n  x\nb:\n- 1\n"},
		{"---\nid: 1\nevent: begun\nat: x\n...\n", "---\nid: 1\n...\n", "---\nevent: y\n"},
		{"## 10:00\n\n<!-- turn 1 session 2 at 3 -->\n", "\n## 10:00\n", "---\ntype: conversation\n---\n"},
		{"a\x00", "\xff\n", "b"},
		{"- a\r\n- b\n", "- a\r\n- c\r\n- b\n", "- a\n- d\n- b\r\nx"},
		{"> a\n> b\n", "<div>\n\n</div>\n", "\ta\n    b\n"},
	} {
		f.Add([]byte(c[inBase]), []byte(c[inOurs]), []byte(c[inTheirs]), byte(0))
	}
	f.Add([]byte(`{"nodes":[{"id":"a","x":1}]}`), []byte(`{"nodes":[{"id":"a","x":2}, {"id":"b"}]}`), []byte(`{"nodes":[{"id":"a","text":"c"}], "edges":[{"id":"d","fromNode":"a"}]}`), byte(4))
	f.Add([]byte(`{"a": 1, "b": ["c"]}`), []byte(`{"a": {"d": 2}, "b": ["c", "e"]}`), []byte(`{"b": ["f"], "a": [1]}`), byte(5))
	f.Add([]byte("a\n"), []byte("a\n!b\n"), []byte("c\n\nd"), byte(6))
	names := []string{"a.md", "sessions/a.yaml", "operations/2026/11/20-a.yaml", "a.txt", "a.canvas", "a.json", ".gitignore"}
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte, kind byte) {
		o := Options{Path: names[int(kind)%len(names)]}
		// The fuzzer takes an input that never ends for one that it had no time for.
		endless := time.AfterFunc(20*time.Second, func() { panic(fmt.Sprintf("%s: it doesn't end: %q %q %q", o.Path, base, ours, theirs)) })
		defer endless.Stop()
		got := Merge(base, ours, theirs, o)
		if again := Merge(base, ours, theirs, o); !bytes.Equal(got.Text, again.Text) || len(got.Conflicts) != len(again.Conflicts) {
			t.Fatalf("%q, then %q", got.Text, again.Text)
		}
		other := Merge(base, theirs, ours, o)
		if got.Clean() != other.Clean() || got.Clean() && !bytes.Equal(got.Text, other.Text) {
			t.Fatalf("it depends on the side: %q, %v, and %q, %v", got.Text, got.Conflicts, other.Text, other.Conflicts)
		}
		for _, r := range []Result{Merge(base, base, theirs, o), Merge(base, theirs, base, o), Merge(base, theirs, theirs, o)} {
			if !r.Clean() || !bytes.Equal(r.Text, theirs) {
				t.Fatalf("one side changed to %q, and the merge is %q", theirs, r.Text)
			}
		}
		if !got.Clean() {
			for _, c := range got.Conflicts {
				if c.Where == "" {
					t.Fatal("a conflict nowhere")
				}
			}
		}
	})
}
