package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
	"kist/agent/wire/wiretest"
)

type told = wiretest.Heard

// heard is what an answer told, with the text of its error.
type heard struct {
	wiretest.Heard
	Err string
}

// hear lets play give the pieces of an answer.
func hear(t testing.TB, play func(*Answer)) heard {
	t.Helper()
	h, err := wiretest.Hear(t, func(yield func(model.Event, error) bool) { play(NewAnswer(yield)) })
	if err != nil {
		return heard{h, err.Error()}
	}
	return heard{h, ""}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"a\tb\nc":               "a\tb\nc",
		"a\r\nb\rc":             "a\nbc",
		"\x1b[31mred\x07\x00":   "[31mred",
		"\u0085\u009bx\x7f":     "x",
		"a\u202Eb\u2066c\u2069": "abc",
		"\u200Fשלום\u200E":      "\u200Fשלום\u200E", // marks for one character stay
		"\uFFFD":                "\uFFFD",
		"a\xff\xfeb":            "a\uFFFD\uFFFDb",
		"\xe2\x82":              "\uFFFD\uFFFD",
		"👩\u200d🚀":              "👩\u200d🚀",
	} {
		if got := Clean(text); got != want || Clean(got) != got {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// texts have to come out the same in whatever pieces they go in.
var texts = []struct{ text, said, thought string }{
	{"Grüße, 世界 👩‍🚀!", "Grüße, 世界 👩‍🚀!", ""},
	{"a\xff\xff\xe2\x82b\xf0\x9f\x91", "a\uFFFD\uFFFD\uFFFD\uFFFDb\uFFFD\uFFFD\uFFFD", ""},
	{"\x1b[2Ja\r\nb", "[2Ja\nb", ""},
	{"<think>hm</think>yes", "yes", "hm"},
	{"<thinking>hm</thinking>\n\nyes", "yes", "hm"},
	{"<thought>hm</thought> yes", "yes", "hm"},
	{"<reasoning>a\nb</reasoning>yes", "yes", "a\nb"},
	{"\n <think>\nhm\n</think>\nyes", "yes", "\nhm\n"},
	{"<think></think>\n\nyes", "yes", ""},
	{"so\n<think>hm</think>yes\n<think>hm</think>", "so\nyes\n", "hmhm"},
	{"<think>a <think> b <thinking> </thinking> </thin </think>yes", "yes", "a <think> b <thinking> </thinking> </thin "},
	{"<think>no end", "", "no end"},
	{"<think>no end</thi", "", "no end</thi"},
	{"<think>", "", ""},
	{"</think>yes", "yes", ""},
	{"\n</think>\n\nyes", "yes", ""},
	{"I thought so.\n</think>\n\nyes\n</think>", "yes\n</think>", ""},
	{"plan...</think>\n\nBlue.", "Blue.", ""},
	{"plan</think>Blue.", "Blue.", ""},
	{"plan.\nSo: </think> **Blue.**", "**Blue.**", ""},
	{"plan</think>", "", ""},
	{"plan\n[/THINK]Blue.", "Blue.", ""},
	{"plan<|end_of_thought|>\n\nBlue.", "Blue.", ""},
	{"[THINK]hm[/THINK]Blue.", "Blue.", "hm"},
	{"[THINK](hm.md) is a link, [Think] and [THINK more] are words.", "[THINK](hm.md) is a link, [Think] and [THINK more] are words.", ""},
	{"<seed:think>hm</seed:think>Blue.", "Blue.", "hm"},
	{"<Thinking>hm</thinking>Blue.", "Blue.", "hm"},
	{"<|begin_of_thought|>hm<|end_of_thought|>\n\nBlue.", "Blue.", "hm"},
	{"<|START_THINKING|>hm<|END_THINKING|>Blue.", "Blue.", "hm"},
	{"◁think▷hm◁/think▷Blue ◁◁.", "Blue ◁◁.", "hm"},
	{"Thoughts end with `</think>`\nand so.", "Thoughts end with `</think>`\nand so.", ""},
	{"So:\n```xml\n<think>\nhm\n</think>\n```\nYes.", "So:\n```xml\n<think>\nhm\n</think>\n```\nYes.", ""},
	{"The tag </think> ends it.\n</think> is it, or \"</think>\".", "The tag </think> ends it.\n</think> is it, or \"</think>\".", ""},
	{"Put it between <think> and </think>\nYes.", "Put it between <think> and </think>\nYes.", ""},
	{"<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final<|message|>Blue.", "Blue.", "secret"},
	{"<|start|>assistant<|channel|>analysis<|message|>secret<|end|>\n<|start|>assistant<|channel|>final<|message|>Blue.<|return|>", "Blue.", "secret"},
	{"secret<|end|><|start|>assistant<|channel|>final<|message|>Blue.<|return|>", "Blue.", ""},
	{"<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>{\"query\":1}<|call|>", "I look.", "{\"query\":1}"},
	{"<|channel|>final<|message|>a < b <|en", "a < b <|en", ""},
	{"<|channel|>final<|message|>Blue.<|end|><|start|>user<|message|>And?", "Blue.", "And?"},
	{"<think>a</think>b\n</think>", "b\n</think>", "a"},
	{"a <thinker> b", "a <thinker> b", ""},
	{"<thinker> b", "<thinker> b", ""},
	{"<<think>hm</think>", "<<think>hm</think>", ""},
	{"write `<think>` and `</think>` here", "write `<think>` and `</think>` here", ""},
	{"1 < 2 <th", "1 < 2 <th", ""},
	{"<th", "<th", ""},
	{"< think>", "< think>", ""},
	{"a\n\t<thinking>hm</thinking>b", "a\n\tb", "hm"},
	{" \n ", "", ""},
}

func TestText(t *testing.T) {
	for _, tc := range texts {
		for n := range len(tc.text) + 1 {
			for m := n; m <= len(tc.text); m++ {
				got := hear(t, func(a *Answer) {
					a.Text(tc.text[:n])
					a.Text(tc.text[n:m])
					a.Text(tc.text[m:])
					a.End()
				})
				if want := (heard{Heard: told{Text: tc.said, Thinking: tc.thought}}); !cmp.Equal(got, want) {
					t.Fatalf("%q | %q | %q: %s", tc.text[:n], tc.text[n:m], tc.text[m:], cmp.Diff(want, got))
				}
			}
		}
		bytewise := hear(t, func(a *Answer) {
			for i := range len(tc.text) {
				a.Text(tc.text[i : i+1])
			}
			a.End()
		})
		if want := (heard{Heard: told{Text: tc.said, Thinking: tc.thought}}); !cmp.Equal(bytewise, want) {
			t.Errorf("%q byte by byte: %s", tc.text, cmp.Diff(want, bytewise))
		}
	}
}

// TestThinking: thoughts that come apart are cleaned likewise, and end somewhere.
func TestThinking(t *testing.T) {
	for n := range len("ä👩\x1b!") {
		got := hear(t, func(a *Answer) {
			a.Thinking("ä👩\x1b!"[:n])
			a.Text("yes")
			a.Thinking("ä👩\x1b!"[n:])
			a.Stop(model.End)
			a.End()
		})
		if want := (heard{Heard: told{Text: "yes", Thinking: "ä👩!", Stop: model.End}}); !cmp.Equal(got, want) {
			t.Errorf("%d: %s", n, cmp.Diff(want, got))
		}
	}
	for name, piece := range map[string]func(*Answer, string){"apart": (*Answer).Thinking, "in the text": (*Answer).Text} {
		got := hear(t, func(a *Answer) {
			a.Text("<think>")
			for n := 0; !a.Over(); n++ {
				if piece(a, fmt.Sprintf("on to %d, ", n*n)); n > maxThoughts {
					t.Fatal("no end")
				}
			}
			a.Stop(model.End)
			a.End()
		})
		if !strings.Contains(got.Err, "came to no end") || got.Text != "" || len(got.Thinking) > maxThoughts {
			t.Errorf("%s: %d bytes, %q", name, len(got.Thinking), got.Err)
		}
	}
}

// part makes a Part of its JSON: [index, id, name, arguments].
func part(t testing.TB, text string) (p Part) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &[]any{&p.Index, &p.ID, &p.Name, &p.Arguments}); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

func TestCalls(t *testing.T) {
	for name, tc := range map[string]struct{ parts, want string }{
		"one":                              {`[0,"x","a","{\"k\":1}"]`, `x a {"k":1}`},
		"in pieces":                        {`[0,"x","a",""] [0,"","","{\"k\""] [0,"","",":1}"]`, `x a {"k":1}`},
		"interleaved":                      {`[0,"x","a",""] [1,"y","b",""] [0,"","","{}"] [1,"","","{\"k\""] [0,"","",""] [1,"","",":1}"]`, `x a {}; y b {"k":1}`},
		"index from 1":                     {`[1,"x","a","{}"] [2,"y","b","{}"]`, `x a {}; y b {}`},
		"index missing":                    {`[null,"x","a",""] [null,"","","{\"k\""] [null,"","",":1}"] [null,"y","b","{}"]`, `x a {"k":1}; y b {}`},
		"index missing later":              {`[0,"x","a",""] [null,"","","{}"]`, `x a {}`},
		"index missing, pieces by id":      {`[null,"x","a",""] [null,"y","b",""] [null,"x","","{\"k\":"] [null,"y","","{}"] [null,"x","","1}"]`, `x a {"k":1}; y b {}`},
		"negative and large indexes":       {`[-1,"x","a","{}"] [9000000000,"y","b","{}"]`, `x a {}; y b {}`},
		"all index 0":                      {`[0,"x","a","{\"k\":1}"] [0,"y","a","{\"k\":2}"]`, `x a {"k":1}; y a {"k":2}`},
		"all index 0, in pieces":           {`[0,"x","a","{\"k\""] [0,"","",":1}"] [0,"y","a","{\"k\""] [0,"","",":2}"]`, `x a {"k":1}; y a {"k":2}`},
		"all index 0, no id":               {`[0,"","a","{\"k\":1}"] [0,"","b","{\"k\":2}"]`, ` a {"k":1};  b {"k":2}`},
		"all index 0, no id, one tool":     {`[0,"","a","{\"k\":1}"] [0,"","a","{\"k\":2}"]`, ` a {"k":1};  a {"k":2}`},
		"all index 0, no id, as objects":   {`[0,"","a",{"k":1}] [0,"","a",{"k":1}]`, ` a {"k":1};  a {"k":1}`},
		"neither index nor id":             {`[null,"","a",{"k":1}] [null,"","a",{"k":2}] [null,"","b",{}]`, ` a {"k":1};  a {"k":2};  b {}`},
		"neither, in pieces":               {`[null,"","a","{\"k\":"] [null,"","","1}"] [null,"","b",""] [null,"","","{}"]`, ` a {"k":1};  b {}`},
		"neither, the first is broken":     {`[null,"","a","{\"k\":"] [null,"","b","{}"]`, ` a {"k":;  b {}`},
		"same id twice":                    {`[0,"x","a","{\"k\":1}"] [1,"x","a","{\"k\":2}"]`, `x a {"k":1}; x a {"k":2}`},
		"same id twice, no index":          {`[null,"x","a","{\"k\":1}"] [null,"x","a","{\"k\":2}"] [null,"x","b","{}"]`, `x a {"k":1}; x a {"k":2}; x b {}`},
		"the same call once more":          {`[0,"x","a","{\"k\":1}"] [0,"x","a","{\"k\":1}"]`, `x a {"k":1}`},
		"no id":                            {`[0,"","a","{}"] [1,"","b","{}"]`, ` a {};  b {}`},
		"the id comes late":                {`[null,"","a",""] [null,"x","","{}"]`, `x a {}`},
		"name after arguments":             {`[0,"x","","{\"k\":1}"] [0,"","a",""]`, `x a {"k":1}`},
		"name after arguments, no index":   {`[null,"","","{\"k\":1}"] [null,"","a",null]`, ` a {"k":1}`},
		"an object":                        {`[0,"x","a",{"k":[1, 2]}]`, `x a {"k":[1, 2]}`},
		"null":                             {`[0,"x","a",null]`, `x a {}`},
		"a list":                           {`[0,"x","a",[1]]`, `x a [1]`},
		"a number":                         {`[0,"x","a",7]`, `x a 7`},
		"name in each piece":               {`[0,"x","create_task","{\"k\""] [0,"","create_task",":1}"] [0,"","create_task",""]`, `x create_task {"k":1}`},
		"name and id in each piece":        {`[0,"x","create_task",""] [0,"x","create_task","{\"k\""] [0,"x","create_task",":{}}"]`, `x create_task {"k":{}}`},
		"name in each piece, no index, id": {`[null,"","a","{\"k\":\"}\\\""] [null,"","a","{\"}"] [null,"","a","{}"]`, ` a {"k":"}\"{"};  a {}`},
		"name in two halves":               {`[0,"x","create_",""] [0,"","task",""] [0,"","","{}"]`, `x create_task {}`},
		"name that grows":                  {`[0,"x","create_",""] [0,"","create_task","{}"]`, `x create_task {}`},
		"empty arguments":                  {`[0,"x","a",""] [1,"y","b"," \n"] [2,"z","c",""]`, `x a {}; y b {}; z c {}`},
		"an empty object, then pieces":     {`[0,"x","a",{}] [0,"","","{\"k\":"] [0,"","","1}"]`, `x a {"k":1}`},
		"broken arguments":                 {`[0,"x","a","{\"k\":"] [1,"y","b","}{"]`, `x a {"k":; y b }{`},
		"nothing at all":                   {`[0,"","",""] [null,"","",null]`, ``},
		"names that can't be shown":        {`[0,"x\u001b","a\u202eb","{}"]`, `x ab {}`},
	} {
		got := hear(t, func(a *Answer) {
			for d := json.NewDecoder(strings.NewReader(tc.parts)); d.More(); {
				var text json.RawMessage
				if err := d.Decode(&text); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				a.Call(part(t, string(text)))
			}
			a.Stop(model.End)
			a.End()
		})
		var calls []string
		for _, c := range got.Calls {
			calls = append(calls, fmt.Sprintf("%s %s %s", c.ID, c.Name, c.Arguments))
		}
		stop := model.Calls
		if tc.want == "" {
			stop = model.End
		}
		if all := strings.Join(calls, "; "); all != tc.want || got.Stop != stop {
			t.Errorf("%s: %s, want %s; %q", name, all, tc.want, got.Stop)
		}
	}
}

func TestCallLimits(t *testing.T) {
	for name, part := range map[string]func(n int) Part{
		"calls":           func(n int) Part { return Part{Index: &n, Name: "a"} },
		"unnumbered":      func(n int) Part { return Part{Name: "a", Arguments: json.RawMessage(`{}`)} },
		"arguments":       func(n int) Part { return Part{Arguments: fmt.Appendf(nil, `"and %d"`, n*n)} },
		"a name":          func(n int) Part { return Part{Name: fmt.Sprint(n)} },
		"nested":          func(n int) Part { return Part{Name: "a", Arguments: fmt.Appendf(nil, `"{%d"`, n*n)} },
		"a name each":     func(n int) Part { return Part{Name: "a", Arguments: fmt.Appendf(nil, `"{%d"`, n*n)} },
		"objects as text": func(n int) Part { return Part{Name: "a", Arguments: json.RawMessage(`"{}"`)} },
	} {
		got := hear(t, func(a *Answer) {
			for n := 0; !a.Over(); n++ {
				if a.Call(part(n)); n > 2*maxArguments {
					t.Fatal(name, "no end")
				}
			}
			a.Stop(model.Calls)
			a.End()
		})
		if got.Err == "" || got.Calls != nil {
			t.Errorf("%s: %q", name, got.Err)
		}
	}
}

func TestEnd(t *testing.T) {
	call := Part{Name: "a"}
	for name, tc := range map[string]struct {
		play func(*Answer)
		want heard
	}{
		"nothing":        {func(*Answer) {}, heard{}},
		"cut off":        {func(a *Answer) { a.Text("hm"); a.Call(call); a.Usage(model.Usage{Input: 1}) }, heard{Heard: told{Text: "hm"}}},
		"the first stop": {func(a *Answer) { a.Stop(model.Length); a.Stop(model.End) }, heard{Heard: told{Stop: model.Length}}},
		"calls":          {func(a *Answer) { a.Call(call); a.Stop(model.End) }, heard{Heard: told{Calls: []model.Call{{Name: "a", Arguments: json.RawMessage("{}")}}, Stop: model.Calls}}},
		"none after all": {func(a *Answer) { a.Stop(model.Calls) }, heard{Heard: told{Stop: model.End}}},
		"the last usage": {func(a *Answer) {
			a.Usage(model.Usage{Input: 1})
			a.Usage(model.Usage{Input: 2, Output: 3})
			a.Stop(model.End)
		}, heard{Heard: told{Usage: &model.Usage{Input: 2, Output: 3}, Stop: model.End}}},
		"negative usage": {func(a *Answer) {
			a.Usage(model.Usage{Input: 1})
			a.Usage(model.Usage{Input: 2, Output: -3})
			a.Stop(model.End)
		}, heard{Heard: told{Usage: &model.Usage{Input: 1}, Stop: model.End}}},
		"absurd usage":          {func(a *Answer) { a.Usage(model.Usage{Input: 1, Cached: 1 << 40}); a.Stop(model.End) }, heard{Heard: told{Stop: model.End}}},
		"no usage":              {func(a *Answer) { a.Usage(model.Usage{}); a.Stop(model.End) }, heard{Heard: told{Stop: model.End}}},
		"nothing after it":      {func(a *Answer) { a.Stop(model.End); a.End(); a.Fail(io.EOF); a.Text("hm"); a.Notice("x") }, heard{Heard: told{Stop: model.End}}},
		"nothing after a fault": {func(a *Answer) { a.Fail(io.EOF); a.Text("hm"); a.Stop(model.End) }, heard{Err: "EOF"}},
	} {
		if got := hear(t, func(a *Answer) { tc.play(a); a.End() }); !cmp.Equal(got, tc.want) {
			t.Errorf("%s: %s", name, cmp.Diff(tc.want, got))
		}
	}
}

// TestNobodyListens: after the last event that somebody wanted there is none.
func TestNobodyListens(t *testing.T) {
	n := 0
	a := NewAnswer(func(model.Event, error) bool { n++; return false })
	a.Text("hm")
	a.Thinking("hm")
	a.Fail(io.EOF)
	a.Stop(model.End)
	a.End()
	if n != 1 || !a.Over() || a.Notice("x") {
		t.Errorf("%d events", n)
	}
}

func TestSSE(t *testing.T) {
	for name, tc := range map[string]struct {
		stream string
		want   string // event=data of each
		err    error
	}{
		"usual":                 {"data: 1\n\ndata: [DONE]\n\n", "=1 =[DONE]", io.EOF},
		"events":                {"event: a\ndata: 1\n\ndata: 2\n\n", "a=1 =2", io.EOF},
		"no blank":              {"event:a\ndata:1\n\n", "a=1", io.EOF},
		"CRLF":                  {"event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", "a=1 =2", io.EOF},
		"no empty line":         {"data: 1\ndata: 2\n", "=1 =2", io.EOF},
		"comments":              {": hm\n\n:\ndata: 1\n:\n\n", "=1", io.EOF},
		"a comment in an event": {"event: error\n: hm\ndata: 1\n\n", "error=1", io.EOF},
		"other fields":          {"id: 7\nretry: 9\nnonsense\ndata: 1\n\n", "=1", io.EOF},
		"empty data":            {"data:\n\ndata\n\ndata: 1\n", "=1", io.EOF},
		"a byte order mark":     {"\uFEFFdata: 1\n", "=1", io.EOF},
		"no newline at the end": {"data: 1\n\ndata: {}", "=1 ={}", io.EOF},
		"cut at the end":        {"data: 1\n\ndata: {", "=1", io.EOF},
		"an error's field":      {`error: {"message":"x"}` + "\n\n", `error={"message":"x"}`, io.EOF},
		"nothing":               {"", "", io.EOF},
		"a web page":            {"\n <html>\n<p>", "=<html><p>", ErrNoStream},
		"an object":             {`{"a":1}`, `={"a":1}`, ErrNoStream},
		"an object that is cut": {`{"a":`, `={"a":`, ErrNoStream},
		"a list, then no end":   {"[\n" + strings.Repeat("x", 1<<20), "=[" + strings.Repeat("x", maxOther), ErrNoStream},
	} {
		for _, r := range []io.Reader{strings.NewReader(tc.stream), iotest.OneByteReader(strings.NewReader(tc.stream)), iotest.DataErrReader(strings.NewReader(tc.stream))} {
			var got []string
			s := NewSSE(r)
			event, data, err := s.Next()
			for ; err == nil; event, data, err = s.Next() {
				got = append(got, event+"="+string(data))
			}
			if data != nil {
				got = append(got, "="+string(data))
			}
			if all := strings.Join(got, " "); all != tc.want || err != tc.err {
				t.Errorf("%s: %.200q, %v", name, all, err)
			}
		}
	}
	broken := NewSSE(io.MultiReader(strings.NewReader("data: 1\ndata: {}"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if _, data, err := broken.Next(); string(data) != "1" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, data, err := broken.Next(); data != nil || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a line that breaks off: %q, %v", data, err)
	}
}
