package talk

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/models"
	"kist/agent/offline"
	"kist/agent/route"
	"kist/agent/tool"
	"kist/agent/tool/tooltest"
	"kist/agent/wire/wiretest"
	"kist/vault"
	"kist/vault/vaulttest"
)

func TestMain(m *testing.M) { os.Exit(vaulttest.InMemory(m).Run()) }

// A protocol is how a kind of server streams what is said, and what may happen to that.
type protocol struct {
	kind, path, recorded string // of its models, of a chat, of files of streams
	damage               wiretest.Damage
	stream               func(said) string
	about                string // what it tells of its model, whatever it is asked
}

func protocols() []protocol {
	return []protocol{
		{"openai", "/v1", "../../agent/openai/testdata/*.sse", wiretest.OpenAI("sesame"), said.openAI, `{"object":"list","data":[{"id":"m","object":"model"}]}`},
		{"ollama", "", "../../agent/ollama/testdata/*.ndjson", wiretest.Ollama("sesame"), said.ollama,
			`{"template":"{{ .Tools }}","model_info":{"general.architecture":"x","x.context_length":8192},"capabilities":["completion","tools"]}`},
		{"anthropic", "", "../../agent/anthropic/testdata/*.sse", wiretest.Anthropic("sesame"), said.anthropic, `{"type":"model","id":"m"}`},
	}
}

func (s said) ollama() string {
	var b strings.Builder
	line := func(message string, rest string) {
		fmt.Fprintf(&b, `{"model":"m","message":{"role":"assistant",%s}%s}`+"\n", message, rest)
	}
	for _, piece := range s.pieces() {
		line(`"content":`+quote(piece), `,"done":false`)
	}
	for _, c := range s.Calls {
		line(fmt.Sprintf(`"content":"","tool_calls":[{"function":{"name":%s,"arguments":%s}}]`, quote(c.Name), c.Arguments), `,"done":false`)
	}
	reason := "stop"
	if s.Cut {
		reason = "length"
	}
	line(`"content":""`, `,"done":true,"done_reason":"`+reason+`","prompt_eval_count":398,"eval_count":51`)
	return b.String()
}

func (s said) anthropic() string {
	var b strings.Builder
	send := func(kind, rest string) { fmt.Fprintf(&b, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, rest) }
	block := func(n int, begin string, pieces ...string) {
		send("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":{%s}`, n, begin))
		for _, piece := range pieces {
			send("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":{%s}`, n, piece))
		}
		send("content_block_stop", fmt.Sprintf(`,"index":%d`, n))
	}
	send("message_start", `,"message":{"role":"assistant","content":[],"usage":{"input_tokens":472,"output_tokens":1}}`)
	var words []string
	for _, piece := range s.pieces() {
		words = append(words, `"type":"text_delta","text":`+quote(piece))
	}
	reason := "end_turn"
	if block(0, `"type":"text","text":""`, words...); len(s.Calls) > 0 {
		reason = "tool_use"
	}
	for i, c := range s.Calls {
		block(i+1, fmt.Sprintf(`"type":"tool_use","id":"t%d","name":%s,"input":{}`, i, quote(c.Name)), `"type":"input_json_delta","partial_json":`+quote(string(c.Arguments)))
	}
	if s.Cut {
		reason = "max_tokens"
	}
	send("message_delta", `,"delta":{"stop_reason":"`+reason+`"},"usage":{"output_tokens":120}`)
	send("message_stop", "")
	return b.String()
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// A damaged is a server whose answers are damaged, all by chance and the same for a seed.
type damaged struct {
	protocol
	recordings []string
	steps      []said // of careless models

	mu     sync.Mutex
	r      *rand.Rand
	calls  *tooltest.Generator
	played []string // in this turn
	sent   int      // in all
}

// said is what such a model says: recorded, careless, or calls that fit their tools or nearly do.
func (d *damaged) said() string {
	switch d.r.IntN(5) {
	case 0:
		return d.recordings[d.r.IntN(len(d.recordings))]
	case 1, 2:
		return d.stream(d.steps[d.r.IntN(len(d.steps))])
	}
	s := d.steps[d.r.IntN(len(d.steps))]
	for range 1 + d.r.IntN(3) {
		name, arguments := d.calls.Output()
		s.Calls = append(slices.Clone(s.Calls), call{name, arguments})
	}
	return d.stream(s)
}

// next is the next answer, and whether the connection ends in its midst.
func (d *damaged) next() (stream string, broken bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	stream = d.said()
	if d.r.IntN(6) > 0 {
		for range 1 + d.r.IntN(2) { // more would leave hardly a second step
			stream = string(d.damage.Do(d.r, []byte(stream), d.said()))
		}
	}
	d.sent++
	d.played = append(d.played, stream)
	return stream, d.r.IntN(20) == 0
}

func (d *damaged) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") && !strings.HasSuffix(r.URL.Path, "/api/chat") && !strings.HasSuffix(r.URL.Path, "/messages") {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, d.about)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	stream, broken := d.next()
	fmt.Fprint(w, stream)
	if broken {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// turn begins one, whose answers are of a seed.
func (d *damaged) turn(seed uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.r = rand.New(rand.NewPCG(19, seed))
	d.calls = tooltest.NewGenerator(d.r, tool.Arguments())
	d.played = nil
}

func (d *damaged) heard() (played []string, sent int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.played), d.sent
}

func newDamaged(t *testing.T, p protocol, steps []said) *damaged {
	t.Helper()
	return &damaged{protocol: p, steps: steps, recordings: slices.Sorted(maps.Values(wiretest.Recorded(t, p.recorded)))}
}

// TestDamagedTurns has turns with a model whose answers come damaged over a real connection, in
// each of the three protocols, on each rung: five in one conversation, so that what came of the
// others is in the history. Each ends in words, nothing raw is shown, the user's message is kept,
// and no file changes but by an operation that a validated call made, and that was told of; under
// the usual policy nothing is deleted or moved unless the user said go. With KIST_DAMAGED=100000
// so many answers in each protocol, from KIST_DAMAGED_SEED on.
func TestDamagedTurns(t *testing.T) {
	outputs, seed := number(t, "KIST_DAMAGED", 30), number(t, "KIST_DAMAGED_SEED", 1)
	steps := carelessSteps(t)
	for _, p := range protocols() {
		t.Run(p.kind, func(t *testing.T) {
			t.Parallel()
			d := newDamaged(t, p, steps)
			server := httptest.NewServer(d)
			defer server.Close()
			settings := models.Settings{Servers: map[string]models.Server{p.kind: {URL: server.URL + p.path, Key: "sesame", Set: true}}}
			var sum outcome
			began, told := time.Now(), 0
			for n := uint64(seed); ; n++ {
				sum.converse(t, d, settings, n)
				_, sent := d.heard()
				if over := sent >= outputs || sum.wrong == 10; over || sent/5000 > told {
					told = sent / 5000
					t.Logf("%d damaged answers, %d turns: %d calls ran, %d didn't, %d operations; %d turns failed, the partner took %d over; the longest %v; %v in all",
						sent, sum.turns, sum.ran, sum.refused, sum.operations, sum.failed, sum.beside, sum.longest.Round(time.Millisecond), time.Since(began).Round(time.Second))
					if over {
						break
					}
				}
			}
			if outputs >= 1000 && min(sum.ran, sum.refused, sum.operations, sum.failed, sum.beside) == 0 {
				t.Errorf("too little came of it to say anything: %+v", sum)
			}
		})
	}
}

func number(t *testing.T, name string, n int) int {
	if s := os.Getenv(name); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(name, err)
		}
	}
	return n
}

func carelessSteps(t *testing.T) (steps []said) {
	text, err := os.ReadFile("testdata/careless.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var c careless
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		for _, step := range c.Steps {
			steps = append(steps, read(step))
		}
	}
	return steps
}

// An outcome is what is counted.
type outcome struct {
	turns, ran, refused, operations, failed, beside, wrong int

	longest time.Duration
}

// converse has five turns in a vault of their own.
func (o *outcome) converse(t *testing.T, d *damaged, settings models.Settings, seed uint64) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	router, preset := route.New(offline.New()), []string{"balanced", "auto"}[seed%2]
	s, err := openStage(t.Context(), dir, router, preset)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	rung := Rungs()[seed/2%3]
	session, before := "new", Start()
	for i, w := range Wishes(5, seed) {
		chat, err := settings.Open(d.kind+"/m", rung)
		if err != nil {
			t.Fatal(err)
		}
		router.Use(chat, false) // anew, so that what it learned or a failure keeps it from no rung
		mark := fmt.Sprintf("%s %d-%d", w.Text, seed, i)
		if goes := i == 3 && seed/6%2 == 0; goes {
			mark = "go"
		}
		m := agent.Message{Session: session, Text: mark, Client: "test"}
		if i == 0 {
			m.Project = "houseboat"
		}
		d.turn(seed*5 + uint64(i))
		turn, err := s.Play(t.Context(), m, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		after, err := s.Texts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if why := untouched(turn, mark, preset, before, after); why != "" {
			turn.fault(Invalid, "%s", why)
		}
		if o.count(turn); len(turn.Faults) > 0 {
			played, _ := d.heard()
			o.wrong++
			t.Errorf("%s, seed %d, turn %d, %s, %s, %q: %v\n%s\nanswers: %.3000q", d.kind, seed, i, rung, preset, mark, turn.Faults, turn.Outline(), played)
			return
		}
		if before = after; turn.Session != "" {
			session = turn.Session
		}
	}
}

func (o *outcome) count(turn Turn) {
	o.turns, o.longest = o.turns+1, max(o.longest, turn.Took)
	if turn.Failed != nil {
		o.failed++
	}
	if turn.By == partner {
		o.beside++
	}
	for _, e := range turn.Events {
		switch e := e.(type) {
		case agent.ToolCall:
			if e.Error == "" {
				o.ran++
			} else {
				o.refused++
			}
		case agent.Operation:
			o.operations++
		}
	}
}

// untouched is what changed in the files of a turn and shouldn't have, or that the message isn't
// there; empty: nothing.
func untouched(turn Turn, message, preset string, before, after map[string]string) string {
	told := map[string]bool{}
	for _, e := range turn.Events {
		op, ok := e.(agent.Operation)
		if !ok || op.Status != vault.StatusCompleted {
			continue
		}
		if preset == "balanced" && message != "go" && (op.Type == vault.OpDelete || op.Type == vault.OpMove) {
			return fmt.Sprintf("%s of %s without a go", op.Type, op.Entity.Path)
		}
		for _, c := range op.Changes {
			told[c.Path], told[c.From] = true, true
		}
	}
	kept := false
	for path, text := range after {
		if strings.Contains(path, "conversations/") {
			kept = kept || strings.Contains(text, message)
		} else if was, there := before[path]; (!there || was != text) && !told[path] {
			return path + " is changed by nothing that was told of"
		}
	}
	for path := range before {
		if _, there := after[path]; !there && !told[path] {
			return path + " is gone by nothing that was told of"
		}
	}
	if !kept {
		return "the message isn't kept"
	}
	return ""
}

// TestDamagedTurnsWithoutKist shows that each fault would be found: with a client that believes what
// comes in the same answers, shows each text and runs each call, all of them happen, in each protocol.
func TestDamagedTurnsWithoutKist(t *testing.T) {
	steps := carelessSteps(t)
	s := newStage(t, nobody{})
	for _, p := range protocols() {
		d, kinds := newDamaged(t, p, steps), map[Kind]int{}
		for n := range uint64(100) {
			d.turn(n)
			stream, _ := d.next()
			turn := naive(stream)
			if err := s.Judge(t.Context(), &turn); err != nil {
				t.Fatal(err)
			}
			for _, f := range turn.Faults {
				kinds[f.Kind]++
			}
		}
		if min(kinds[Endless], kinds[Raw], kinds[Invalid]) == 0 {
			t.Errorf("%s: %v", p.kind, kinds)
		}
	}
}

// naive is a turn as a client has it that believes a stream.
func naive(stream string) (turn Turn) {
	var believe func(v any)
	believe = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				believe(item)
			}
		case map[string]any:
			for _, key := range []string{"content", "text"} {
				if text, ok := v[key].(string); ok {
					turn.Reply += text
				}
			}
			if name, ok := v["name"].(string); ok {
				arguments, _ := json.Marshal(v["arguments"])
				turn.Events = append(turn.Events, agent.ToolCall{Name: name, Arguments: arguments})
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				believe(v[key])
			}
		}
	}
	for line := range strings.Lines(stream) {
		var v any
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "data:")), &v) == nil {
			believe(v)
		}
	}
	turn.Events = append(turn.Events, agent.Done{})
	return turn
}

// TestUntouched shows that what is looked at in the files can fail.
func TestUntouched(t *testing.T) {
	op := func(kind vault.OpType, path string) []agent.Event {
		return []agent.Event{agent.Operation{Operation: vault.Operation{Type: kind, Status: vault.StatusCompleted, Changes: []vault.FileChange{{Path: path}}}}}
	}
	kept := map[string]string{"a.md": "a", "b.md": "b", "conversations/c.md": "> hello"}
	with := func(path, text string) map[string]string {
		texts := maps.Clone(kept)
		if texts[path] = text; text == "" {
			delete(texts, path)
		}
		return texts
	}
	for want, c := range map[string]struct {
		events  []agent.Event
		message string
		after   map[string]string
	}{
		"a.md is changed by nothing that was told of": {op(vault.OpUpdate, "b.md"), "hello", with("a.md", "x")},
		"d.md is changed by nothing that was told of": {nil, "hello", with("d.md", "x")},
		"b.md is gone by nothing that was told of":    {nil, "hello", with("b.md", "")},
		"the message isn't kept":                      {nil, "hello, you", kept},
		"delete of  without a go":                     {op(vault.OpDelete, "b.md"), "hello", with("b.md", "")},
		"":                                            {op(vault.OpUpdate, "a.md"), "hello", with("a.md", "x")},
	} {
		if got := untouched(Turn{Events: c.events}, c.message, "balanced", kept, c.after); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
