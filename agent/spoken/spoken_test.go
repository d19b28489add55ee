package spoken

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"kist/agent/model"
)

var tools = []model.Tool{
	{Name: "create_task", Schema: []byte(`{"properties":{"title":{},"due":{},"tags":{}},"required":["title"]}`)},
	{Name: "list_projects", Schema: []byte(`{"properties":{}}`)},
	{Name: "create_note", Schema: []byte(`{"properties":{"title":{},"text":{}}}`)},
	{Name: "search", Schema: []byte(`{"properties":{"query":{}}}`)},
	{Name: "undo", Schema: []byte(`{"properties":{"ids":{}}}`)},
}

// read reads a text in pieces.
func read(pieces ...string) (shown string, calls []string) {
	r := New(tools, nil)
	for _, p := range pieces {
		shown += r.Add(p)
	}
	shown += r.Flush()
	for _, c := range r.Calls() {
		calls = append(calls, c.Name+" "+string(c.Arguments))
	}
	return shown, calls
}

// The formats of model families, and what is none of a call. However a text is cut, what is
// shown and called is the same.
func TestRead(t *testing.T) {
	const args = `{"title":"Weld {it}"}`
	task, two := []string{"create_task " + args}, []string{"create_task " + args, `search {"query":"x"}`}
	for _, c := range []struct {
		said, shown string
		calls       []string
	}{
		// An object that names nobody and has arguments
		{"Well:\n{\"name\": \"\", \"arguments\": {\"title\": \"x\"}, \"x\": 5}", "Well:\n", []string{`unknown {"name": "", "arguments": {"title": "x"}, "x": 5}`}},
		{`Well: {"name": "", "x": 1}`, `Well: {"name": "", "x": 1}`, nil},
		// A block of code that breaks off
		{"So:\n```go\nx := 1", "So:\n```go\nx := 1\n```", nil},
		{"```json\n{\"x\": 1}\n", "```json\n{\"x\": 1}\n```", nil},
		// Names and arguments apart
		{`<action>create_task</action><input>` + args + `</input>`, "<action>", task},
		{"On it.\n<use_tool name=\"create_task\">" + args + "</use_tool>\nDone.", "On it.\nDone.", task},
		{"✿FUNCTION✿: create_task\n✿ARGS✿: " + args, "✿FUNCTION✿: ", task},
		{"TOOL: create_task\nARGS: " + args + "\nDone.", "TOOL: Done.", task},
		{">>>create_task\n" + args, ">>>", task},
		{"The tool create_task\nTakes a title: {so}.", "The tool create_task\nTakes a title: {so}.", nil},
		{"So I call create_task\n" + args, "So I call create_task\n" + args, nil},
		{"create_task\n", "create_task\n", nil},
		// OpenAI, before its tools
		{`{"function_call": {"name": "create_task", "arguments": ` + args + `}}`, "", task},
		{"On it.\n{\"function_call\": {\"name\": \"create_task\", \"arguments\": " + args + "}}\nDone.", "On it.\nDone.", task},
		// Llama
		{`<function=create_task>` + args + `</function>`, "", task},
		{"On it.\n<function=create_task>" + args + "</function>\nDone.", "On it.\nDone.", task},
		{"<function=create_task>" + args + "\nDone.", "Done.", task},
		{`<function=create_task` + args + `></function>`, "", task},
		{`<|python_tag|>create_task(title="Weld {it}")`, "", task},
		{`<|python_tag|>{"name": "create_task", "parameters": ` + args + `}`, "", task},
		{`<|python_tag|>{"type": "function", "name": "create_task", "parameters": ` + args + `}; {"name": "search", "parameters": {"query":"x"}}`, "", two},
		{`[create_task(title="Weld {it}"), search(query='x')]`, "", two},
		{"create_task(" + args + ")", "", task},
		{"I add it.\n\ncreate_task(" + args + ");\n\nDone.", "I add it.\n\n\nDone.", task},
		{"I add it: create_task(" + args + ") and so on.", "I add it: and so on.", task},
		{"`create_task(" + args + ")`\n", "", task},
		{"```python\ncreate_task(title='Weld {it}')\n```\n", "", task},
		{"```tool_code\nprint(default_api.create_task(title='Weld {it}'))\n```", "", task},
		{"```\ncreate_task(" + args + ")\nsearch({\"query\":\"x\"})\n```", "", two},
		{`create_task {"title":"Weld {it}"}`, "", task},
		// Hermes, Qwen, GLM
		{"<tool_call>\n{\"name\": \"create_task\", \"arguments\": " + args + "}\n</tool_call>", "", task},
		{"<tool_call>\n{\"name\": \"create_task\", \"arguments\": " + args + "}\n</tool_call>\n<tool_call>{\"name\":\"search\",\"arguments\":{\"query\":\"x\"}}</tool_call>\nSo.", "So.", two},
		{"<tool_call>\n<function=create_task>\n<parameter=title>\nWeld {it}\n</parameter>\n</function>\n</tool_call>\nSo.", "So.", task},
		{"<tool_call>create_task\n<arg_key>title</arg_key>\n<arg_value>Weld {it}</arg_value>\n</tool_call>", "", task},
		{"<tool_call>list_projects</tool_call>", "", []string{"list_projects {}"}},
		{"<tools>{\"name\": \"create_task\", \"arguments\": " + args + "}", "<tools>", task},
		// Mistral
		{`[TOOL_CALLS][{"name": "create_task", "arguments": ` + args + `}]`, "", task},
		{`[TOOL_CALLS] [{"name": "create_task", "arguments": ` + args + `}, {"name":"search","arguments":{"query":"x"}}]`, "", two},
		{`[TOOL_CALLS]create_task[ARGS]` + args, "", task},
		{`[TOOL_CALLS]create_task` + args + `search{"query":"x"}`, "", two},
		{"So. [TOOL_CALLS][]", "So. ", nil},
		// DeepSeek
		{"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>create_task\n```json\n" + args + "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "", task},
		{"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>create_task<｜tool▁sep｜>" + args + "<｜tool▁call▁end｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{\"query\":\"x\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "", two},
		{"Sure.\n<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>create_task\n```json\n" + args + "\n```<|tool_call_end|><|tool_calls_end|>", "Sure.\n", task},
		// Kimi
		{"<|tool_calls_section_begin|><|tool_call_begin|>functions.create_task:0<|tool_call_argument_begin|>" + args + "<|tool_call_end|><|tool_calls_section_end|>", "", task},
		{"functions.create_task:0" + args, "", task},
		{"functions.create_task:0 " + args + "functions.search:1{\"query\":\"x\"}", "", two},
		// Minimax, Anthropic
		{"<minimax:tool_call>\n<invoke name=\"create_task\">\n<parameter name=\"title\">Weld {it}</parameter>\n</invoke>\n</minimax:tool_call>", "", task},
		{"I add.\n\n<function_calls>\n<invoke name=\"create_task\">\n<parameter name=\"title\">Weld {it}</parameter>\n</invoke>\n<invoke name=\"search\"><parameter name=\"query\">x</parameter></invoke></function_calls>\nSo.", "I add.\n\nSo.", two},
		{"<invoke name=\"list_projects\"></invoke>", "", []string{"list_projects {}"}},
		// Cohere, Granite, Phi, OpenAI's open one, Gemma
		{`<|START_ACTION|>[{"tool_name": "create_task", "parameters": ` + args + `}]<|END_ACTION|>`, "", task},
		{`<|tool_call|>[{"name": "create_task", "arguments": ` + args + `}]<|/tool_call|>`, "", task},
		{`<|channel|>commentary to=functions.create_task <|constrain|>json<|message|>` + args + `<|call|>`, "", task},
		{"functools[{\"name\": \"create_task\", \"arguments\": " + args + "}]\nSo.", "So.", task},
		{"On it.\nfunctools[{\"name\": \"cre at task\", \"arguments\": {}}]", "On it.\n", []string{"cre at task {}"}},
		{"The functools[0] and functools [x], tools[a].", "The functools[0] and functools [x], tools[a].", nil},
		{`<start_function_call>call:create_task{title:"Weld {it}"}<end_function_call>`, "", task},
		// Objects and lists.
		{`{"tool_calls":[{"name":"create_task","arguments":` + args + `}]}`, "", task},
		{`Sure: {"tool_calls":[{"id":"1","type":"function","function":{"name":"create_task","arguments":` + args + `}},{"name":"search","arguments":{"query":"x"}}]} So.`, "Sure: So.", two},
		{`[{"name":"create_task","arguments":` + args + `}]`, "", task},
		{"Sure.\n\n[{\"name\":\"create_task\",\"arguments\":" + args + "},\n {\"name\":\"search\",\"parameters\":{\"query\":\"x\"}}]\nSo.", "Sure.\n\nSo.", two},
		{`{"function":{"name":"create_task","arguments":` + args + `}}`, "", task},
		{`{"create_task":` + args + `}`, "", task},
		{"{'name': 'create_task', 'arguments': {'title': 'Weld {it}'}}", "", task},
		{"```json\n[{\"name\":\"create_task\",\"arguments\":" + args + "}]\n```\n", "", task},
		{`{"name":"create_task","arguments":"{\"title\":\"Weld {it}\"}"}`, "", []string{`create_task "{\"title\":\"Weld {it}\"}"`}},
		{`{"recipient_name":"functions.create_task","parameters":` + args + `}`, "", task},
		{`{"tool_uses":[{"recipient_name":"functions.create_task","parameters":` + args + `},{"recipient_name":"functions.search","parameters":{"query":"x"}}]}`, "", two},
		{`multi_tool_use.parallel({"tool_uses":[{"recipient_name":"functions.create_task","parameters":` + args + `}]})`, "", task},
		// Steps of a plan.
		{"Thought: I need it.\nAction: create_task\nAction Input: " + args + "\nObservation: done\nFinal Answer: It is there.", "Thought: I need it.\nFinal Answer: It is there.", task},
		{"**Action:** create_task\n**Action Input:** " + args, "", task},
		{"Action: `create_task`\nAction Input:\n```json\n" + args + "\n```\nObservation:", "", task},
		{"Action: create_task(title='Weld {it}')", "", task},
		{"Action: list_projects\n\nFine.", "\nFine.", []string{"list_projects {}"}},
		{"Action: search\nAction Input: the hull\nSo.", "So.", []string{"search the hull"}},
		{"Action: paint the hull.\nObservation: it is dry.\nActions are many.", "Action: paint the hull.\nObservation: it is dry.\nActions are many.", nil},
		// Elements and commands that go by a tool's name.
		{`<search query="x"/>`, "", []string{`search {"query":"x"}`}},
		{"<create_task>\n<title>Weld {it}</title>\n</create_task>\nSo.", "So.", task},
		{"<create_task>" + args + "</create_task>", "", task},
		{"<search>the hull</search> <undo/> <x query='a'/>", "<search>the hull</search> <undo/> <x query='a'/>", nil},
		{"/search hull", "", []string{`search "hull"`}},
		{"/search query=\"x\"\n", "", []string{`search {"query":"x"}`}},
		{"/search looks.\n/undo undoes.\nSo.", "/search looks.\n/undo undoes.\nSo.", nil},
		{"Say\n/search hull", "Say\n/search hull", nil},
		// Harmony's, with and without its marks.
		{`<|start|>assistant<|channel|>commentary to=functions.create_task <|constrain|>json<|message|>` + args + `<|call|>`, "", task},
		{`<|start|>assistant to=functions.create_task<|channel|>commentary json<|message|>` + args + `<|call|>`, "", task},
		{`assistantcommentary to=functions.create_task json` + args, "", task},
		{"commentary to=functions.create_task " + args + "\nSo.", "So.", task},
		{"to=functions.create_task\n" + args, "", task},
		{"a commentary to the hull, to=be", "a commentary to the hull, to=be", nil},
		// Results that are made up.
		{"<tool_response>{\"ok\":true}</tool_response>\nIt is there.", "It is there.", nil},
		{"So.\n<tool_call>{\"name\":\"create_task\",\"arguments\":" + args + "}</tool_call>\n<tool_response>\n{\"ok\":true}\n</tool_response>\nSo.", "So.\nSo.", task},
		{"[TOOL_RESULTS]{\"ok\":true}[/TOOL_RESULTS]So.", "So.", nil},
		{"<｜tool▁outputs▁begin｜>x<｜tool▁outputs▁end｜>So.", "So.", nil},
		{"<function_results>it is\nthere\n\nSo.", "\nSo.", nil},
		// What breaks off is no call yet; its words are shown.
		{`{"say":"Hello`, "Hello", nil},
		{`{"say":"Hello","call":{"tool":"cre`, "Hello", nil},
		{`I add it. {"name":"create_task","argum`, "I add it. ", nil},
		// An example, and what somebody else calls so.
		{"Like so:\n```json\n{\"name\":\"create_task\",\"arguments\":" + args + "}\n```", "Like so:\n```json\n{\"name\":\"create_task\",\"arguments\":" + args + "}\n```", nil},
		{"```json\n{\"name\":\"create_task\",\"arguments\":" + args + "}\n```\nis an example.", "```json\n{\"name\":\"create_task\",\"arguments\":" + args + "}\n```\nis an example.", nil},
		{"Like so:\n```\n[ACTION: create_task " + args + "]\n```", "Like so:\n```\n create_task " + args + "]\n```", nil},
		{`{"name":"build","arguments":["-v"]}`, `{"name":"build","arguments":["-v"]}`, nil},
		{`{"name":"nightly backup","arguments":{"to":"nas"}}`, `{"name":"nightly backup","arguments":{"to":"nas"}}`, nil},
		{`The config is {"name":"run_backup","arguments":{"to":"nas"}}`, `The config is {"name":"run_backup","arguments":{"to":"nas"}}`, nil},
		{`{"action":"on","target":"lamp"}`, `{"action":"on","target":"lamp"}`, nil},
		{`Sure: {"action":{"at":"dawn"},"lamp":[1, 2]} so.`, `Sure: {"action":{"at":"dawn"},"lamp":[1, 2]} so.`, nil},
		{`{"name":"undo","keys":"ctrl+z"}`, `{"name":"undo","keys":"ctrl+z"}`, nil},
		{"Like so:\n```json\n{\"tool\": \"\", \"action\": 5}\n```", "Like so:\n```json\n{\"tool\": \"\", \"action\": 5}\n```", nil},
		{"```json\n{\"action\": {\"at\": 5}, \"lamp\": 1}\n```", "```json\n{\"action\": {\"at\": 5}, \"lamp\": 1}\n```", nil},
		{`{"tool_calls"ction":{"name":"run_backup","arguments":"{}"}}]} so.`, "so.", []string{`run_backup {"tool_calls"ction":{"name":"run_backup","arguments":"{}"}}]}`}},
		// Nobody's, wherever it stands.
		{`ke", "call": {"tool": ""}]`, `ke", "call": ]`, []string{"unknown {}"}},
		{`It is dry: {"call": {"tool": 5}} so.`, "It is dry: so.", []string{`unknown {}`}},
		{`{"say": ["So.", "It is dry."], "call": 5}`, "So.\n\nIt is dry.", nil},
		{`r{"tool": " sayno", "x": "", "arguments": {}}}`, "r}", []string{`unknown {"tool": " sayno", "x": "", "arguments": {}}`}},
		{`{"title": {"arguments": ""}}`, `{"title": }`, []string{`unknown {"arguments": ""}`}},
		// To be refused, with a reason.
		{`{"name":"run_backup","arguments":{"to":"nas"}}`, "", []string{`run_backup {"to":"nas"}`}},
		{"create_task(\"Weld\", \"tomorrow\")", "", []string{`create_task ("Weld", "tomorrow")`}},
		{"create_task(title=Weld it)\nSo.", "So.", []string{"create_task (title=Weld it)"}},
		{`make_task({"title":"Weld"})`, "", []string{`make_task {"title":"Weld"}`}},
		{`delete_task({"id":"Weld"})`, "", []string{`delete_task {"id":"Weld"}`}},
		{`<function=burn>{"x":1}</function>`, "", []string{`burn {"x":1}`}},
		{`<tool_call>{"name": "create_task", "arguments": {"title": "a "b""}}</tool_call> So.`, "So.", []string{`create_task {"name": "create_task", "arguments": {"title": "a "b""}}`}},
		{"ke\", \"call\": {\"tool\": \"\"}]\n", "ke\", \"call\": ]\n", []string{"unknown {}"}},
		{"x]\", \"call\": {\"tool\": \" no such\\t\"}}\n", "x]\", \"call\": }\n", []string{"no such {}"}},
		{`{"tool":" create_task ","arguments":` + "{}}", "", []string{"create_task {}"}},
		{"<tool_call>this is no call</tool_call>\nSo.", "So.", []string{"unknown this is no call"}},
		{"<tool_call>this is no call\n\nSo.", "\nSo.", []string{"unknown this is no call"}},
		// What is text.
		{"The tool create_task adds one; search looks, and undo() undoes.", "The tool create_task adds one; search looks, and undo() undoes.", nil},
		{"create_task is a tool.\nsearch (the hull) is one too.", "create_task is a tool.\nsearch (the hull) is one too.", nil},
		{"Call `create_task(title)` or `search`.", "Call `create_task(title)` or `search`.", nil},
		{"search(the hull)", "search(the hull)", nil},
		{"```python\ndef search(query):\n    return search(query)\n```\nSo.", "```python\ndef search(query):\n    return search(query)\n```\nSo.", nil},
		{"```js\nsearch({q: 1});\n```", "```js\nsearch({q: 1});\n```", nil},
		{"[search](a.md) and [x] [ ] [1]", "[search](a.md) and [x] [ ] [1]", nil},
		{"```json\n{\"title\": \"Hull\", \"due\": \"2026-01-01\"}\n```", "```json\n{\"title\": \"Hull\", \"due\": \"2026-01-01\"}\n```", nil},
		{`{"name": "Bob", "age": 3, "pets": [{"name": "Rex"}]}`, `{"name": "Bob", "age": 3, "pets": [{"name": "Rex"}]}`, nil},
		{`[{"id": 1, "title": "Hull"}, {"id": 2}]`, `[{"id": 1, "title": "Hull"}, {"id": 2}]`, nil},
		{"<b>bold</b> <https://a.b> a < b <- c <function> <|x|> [TODO] [NOTE] [A", "<b>bold</b> <https://a.b> a < b <- c <function> <|x|> [TODO] [NOTE] [A", nil},
		{"Mention `<tool_call>` and go on.", "Mention `` and go on.", nil},
		{"f({x}) {y} {{z}} {", "f({x}) {y} {{z}} {", nil},
	} {
		for at := range len(c.said) + 1 {
			if at < len(c.said) && !utf8.RuneStart(c.said[at]) {
				continue // pieces are whole runes
			}
			shown, calls := read(c.said[:at], c.said[at:])
			if diff := cmp.Diff(c.calls, calls); diff != "" || shown != c.shown {
				t.Errorf("%q cut at %d: shown %q, want %q, %s", c.said, at, shown, c.shown, diff)
				break
			}
		}
	}
}

// wrappings write a call as some model does; %[1]s is its name, %[2]s its arguments.
var wrappings = []string{
	"<function=%[1]s>%[2]s</function>", "<|python_tag|>%[1]s(%[2]s)", "%[1]s(%[2]s)", `{"tool_calls":[{"name":"%[1]s","arguments":%[2]s}]}`,
	"<|tool_calls_begin|><|tool_call_begin|>%[1]s<|tool_sep|>%[2]s<|tool_call_end|><|tool_calls_end|>", "<tool_call>\n{\"name\": \"%[1]s\", \"arguments\": %[2]s}\n</tool_call>",
	`[TOOL_CALLS][{"name": "%[1]s", "arguments": %[2]s}]`, "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>%[1]s\n```json\n%[2]s\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
	"functions.%[1]s:0%[2]s", `[{"name":"%[1]s","arguments":%[2]s}]`, `{"name":"%[1]s","parameters":%[2]s}`, "[ACTION: %[1]s %[2]s]", "Action: %[1]s\nAction Input: %[2]s", "commentary to=functions.%[1]s json%[2]s",
	"<minimax:tool_call>\n<invoke name=\"%[1]s\">%[2]s</invoke>\n</minimax:tool_call>", `<|python_tag|>{"name":"%[1]s","parameters":%[2]s}`,
	`{"%[1]s": %[2]s}`, `%[1]s %[2]s`,
}

// pieces cuts a text at random, between runes.
func pieces(r *rand.Rand, text string) (out []string) {
	for text != "" {
		n := min(len(text), 1+r.IntN(1+r.IntN(40)))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		out, text = append(out, text[:n]), text[n:]
	}
	return out
}

// Of prose with calls in it, written in any way and cut anywhere, all words are shown and
// nothing else; all calls are made. Prose that speaks of tools, and code and JSON that is no
// call, stays as it is.
func TestProseAndCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("the hull is dry so I weld it tomorrow, and then [we](a.md) paint. search is slow; create_task too: 3 < 4 or **bold** – größer, `undo` (see) a_b x[1] $5 don't “quote” 50% http://a.b/c?d=e")
	others := []string{
		"```go\nfunc search(query string) { return }\n```", "```json\n{\"width\": 3, \"parts\": [{\"name\": \"Keel\"}]}\n```", "- [ ] Weld\n- [x] Paint", "| a | b |\n|---|---|\n| 1 | 2 |",
		"`create_task` adds a task.", "The tool create_task(title, due) takes two.", "{\"title\": \"Hull\", \"due\": \"2027-01-01\"}", "Set {a, b} and {c}.", "> quoted <b>", "search (for it)",
	}
	titles := []string{"Weld", "Weld {it}", `say \"so\"`, "a: b, c", "<b>", "größer [x]", "(so)", "Ärger\\nmore"}
	arguments := func() (name, args string) {
		title := titles[r.IntN(len(titles))]
		switch r.IntN(3) {
		case 0:
			return "search", fmt.Sprintf(`{"query":"%s"}`, title)
		case 1:
			return "create_note", fmt.Sprintf(`{"title": "%s", "text": "%s"}`, title, strings.Repeat(title+" ", r.IntN(30)))
		}
		return "create_task", fmt.Sprintf(`{"title":"%s","tags":["x","%s"]}`, title, title)
	}
	for range 3000 {
		var said, want strings.Builder
		var calls []string
		for range r.IntN(5) {
			switch r.IntN(3) {
			case 0:
				var line []string
				for range 1 + r.IntN(12) {
					line = append(line, words[r.IntN(len(words))])
				}
				text := "So " + strings.Join(line, " ") + "\n"
				said.WriteString(text)
				want.WriteString(text)
			case 1:
				text := others[r.IntN(len(others))] + "\n\n"
				said.WriteString(text)
				want.WriteString(text)
			default:
				name, args := arguments()
				fmt.Fprintf(&said, wrappings[r.IntN(len(wrappings))]+"\n", name, args)
				calls = append(calls, name+" "+args)
			}
		}
		shown, got := read(pieces(r, said.String())...)
		if diff := cmp.Diff(want.String(), shown) + cmp.Diff(calls, got); diff != "" {
			t.Fatalf("%q:\n%s", said.String(), diff)
		}
	}
}

// No more is held back of prose than a word or the beginning of a mark, and of JSON that is no
// call than up to the key that says so.
func TestHeld(t *testing.T) {
	for text, most := range map[string]int{
		"The tool create_task adds a task; functions of it are said below. [See] a < b, {so} `it` <b>.": 12,
		"```go\nfunc search(query string) {\n\treturn []string{}\n}\n```\n":                             6,
		`{"width": 3, "height": 4, "parts": ["a", "b", "c"], "more": {"x": 1, "y": 2}}`:                 12,
	} {
		r := New(tools, nil)
		for i := range len(text) {
			r.Add(text[i : i+1])
			if len(r.held) > most {
				t.Errorf("%q: %q is held", text[:i+1], r.held)
				break
			}
		}
	}
	long, _ := json.Marshal(map[string]string{"title": strings.Repeat("x ", 5000)})
	r, held := New(tools, nil), 0
	for i := range len(long) {
		r.Add(string(long[i : i+1]))
		held = max(held, len(r.held))
	}
	if held > plainObject+64 || r.Flush() != "" && false {
		t.Errorf("%d bytes of an object that is no call are held", held)
	}
}

// A call of a tool that there is, though not in this turn, is a call; of another name it may be somebody's object.
func TestNotOffered(t *testing.T) {
	for known, want := range map[string]string{"propose_action": "So. ", "other": `So. {"name": "propose_action"}`} {
		r := New(tools, func(name string) bool { return name == known })
		if shown := r.Add(`So. {"name": "propose_action"}`) + r.Flush(); shown != want {
			t.Errorf("shown is %q, want %q", shown, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for i, w := range wrappings {
		f.Add("So. "+fmt.Sprintf(w, "create_task", `{"title":"x"}`)+"\nMore.", uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		text = strings.ToValidUTF8(text, "?")
		shown, calls := read(text)
		again, same := read(pieces(rand.New(rand.NewPCG(seed, 1)), text)...)
		if shown != again || cmp.Diff(calls, same) != "" {
			t.Fatalf("%q\n%q\n%q\n%s", text, shown, again, cmp.Diff(calls, same))
		}
		for _, tag := range model.CallTags() {
			if strings.Contains(shown, tag) && len(text) < 1000 {
				t.Fatalf("%q is shown: %q", tag, shown)
			}
		}
	})
}
