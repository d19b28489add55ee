package canvas

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

const board = `{
	"nodes":[
		{"id":"a","type":"text","text":"# Hull\n\nThree coats of \"varnish\", caf\u00e9 \ud83d\ude00","x":1},
		{"id":"b","type":"file","file":"Notes/Engine.md","text":"not shown"},
		{"text":"before its \\ type","id":"c","type":"text"},
		{"id":"d","type":"text","text":"  "},
		{"id":"e","type":"group","label":"Winter","inner":{"type":"text","text":"deeper"}}, 7, ["text"]
	],
	"edges":[{"id":"f","type":"text","text":"no node","fromNode":"a","toNode":"b"}]
}
`

// written are the texts of the cards, with the lines that they are in.
func written(text []byte) (all []string, lines []int) {
	for _, c := range Cards(text) {
		all = append(all, strings.Trim(string(text[c.Start:c.End]), " \n\x1e\x1f"))
		lines = append(lines, 1+bytes.Count(text[:c.Start], []byte("\n")))
	}
	return all, lines
}

func TestText(t *testing.T) {
	text := Text([]byte(board))
	if len(text) != len(board) || bytes.Count(text, []byte("\n")) != strings.Count(board, "\n") {
		t.Fatalf("%d bytes and %d lines, the canvas has %d and %d", len(text), bytes.Count(text, []byte("\n")), len(board), strings.Count(board, "\n"))
	}
	all, lines := written(text)
	want := []string{"# Hull\x1f\x1fThree coats of \"varnish\", café 😀", `before its \ type`}
	if len(all) != 2 || all[0] != want[0] || all[1] != want[1] || lines[0] != 3 || lines[1] != 5 {
		t.Errorf("%q in lines %v, want %q", all, lines, want)
	}
	for _, word := range []string{"Engine", "shown", "Winter", "deeper", "no node", "Notes"} {
		if bytes.Contains(text, []byte(word)) {
			t.Errorf("%q is on no text card", word)
		}
	}
	if all, lines := written(Text([]byte("\ufeff{\"nodes\":[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\",\"text\":\"two\\u0000\\u001e\"}]}"))); strings.Join(all, "|") != "one|two" || lines[1] != 1 {
		t.Errorf("in one line: %q %v", all, lines)
	}
}

// What is no canvas has no cards, and says where that shows.
func TestDamaged(t *testing.T) {
	deep := `{"nodes":` + strings.Repeat("[", 20_000)
	for raw, at := range map[string]int{
		"": -1, " \n": -1, "{}": -1, "[1]": -1, `"x"`: -1, "7": -1, `{"nodes":null}`: -1, `{"nodes":[{"type":"text","text":5}]}`: -1,
		board[:300]: 299, "{\n\"nodes\": oops}": 11, "{\"nodes\":\"\xff\"}": 10, deep: 10_008, deep + strings.Repeat("]", 20_000) + "}": 10_008,
	} {
		text := Text([]byte(raw))
		if got := bytes.IndexByte(text, 0); got != at || len(text) != len(raw) || len(Cards(text)) > 0 {
			t.Errorf("%.40q: fault at %d, want %d; %d cards", raw, got, at, len(Cards(text)))
		}
	}
}

// FuzzText: whatever the bytes are, the text has as many and as many lines, and of what is valid
// each card holds what a reader of JSON finds.
func FuzzText(f *testing.F) {
	for _, s := range []string{board, "", "{", `{"nodes":[{"type":"text","text":"\ud800x"}]}`, "\ufeff{}", `{"nodes":{"a":{"type":"text","text":"y"}},"nodes":[]}`, `{"nod\u0065s":[{"type":"text","text":"1","text":"2"}]}`, `[]{}`, `{"a" : -1.5e3 , "b":true}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		text := Text(raw)
		if len(text) != len(raw) || bytes.Count(text, []byte("\n")) != bytes.Count(raw, []byte("\n")) {
			t.Fatalf("%d bytes of %d", len(text), len(raw))
		}
		all, _ := written(text)
		var doc struct {
			Nodes []struct{ Type, Text string } `json:"nodes"`
		}
		if json.Unmarshal(raw, &doc) != nil || strings.Count(strings.ToLower(string(raw)), "nodes") > 1 || !bytes.Equal(raw, bytes.ToLower(raw)) || bytes.Contains(raw, []byte(`\u`)) {
			return // or keys that a reader takes for the same
		}
		n := 0
		for _, c := range doc.Nodes {
			if c.Type != "text" || strings.Trim(c.Text, " \t\r\n") == "" || bytes.Count(bytes.ToLower(raw), []byte("type")) > len(doc.Nodes) || bytes.Count(bytes.ToLower(raw), []byte("text")) > 2*len(doc.Nodes) {
				continue
			}
			plain := strings.Map(func(r rune) rune { return max(r, ' ') }, strings.ReplaceAll(c.Text, "\n", "\u2028"))
			plain = strings.Trim(strings.ReplaceAll(plain, "\u2028", "\x1f"), " \x1f")
			if n >= len(all) || all[n] != plain {
				t.Fatalf("card %q isn't in %q", plain, all)
			}
			n++
		}
	})
}
