//go:build live

package live

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"kist/agent"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/models"
	"kist/agent/offline"
	"kist/agent/route"
	"kist/bench/talk"
)

var (
	turns = flag.Int("turns", 30, "turns on each rung, of the model of random weights")
	only  = flag.String("rung", "", "the one rung on which it has turns; empty: all")
)

// perStage is how many turns are one conversation in one vault.
const perStage = 5

// TestRandomWeights has turns with a model that says noise and calls at random, each begun
// on one rung of the ladder, five in one conversation so that noise is in the history too.
// Each ends in words and within the time, nothing raw is shown, and nothing happens that no
// validated call did.
func TestRandomWeights(t *testing.T) {
	s, found := startRandom(t, *seed)
	if !found {
		return
	}
	randomTurns(t, "random weights", *turns, func(rung ladder.Rung) (*models.Chat, error) { return s.settings().Open("openai/"+s.model, rung) })
}

// randomTurns has so many turns on each rung.
func randomTurns(t *testing.T, name string, turns int, open func(ladder.Rung) (*models.Chat, error)) {
	t.Helper()
	partner := offline.New()
	for _, rung := range talk.Rungs() {
		if *only != "" && rung.String() != *only {
			continue
		}
		score := tally{kinds: map[talk.Kind]int{}}
		wishes := talk.Wishes(turns, *seed)
		for first := 0; first < len(wishes); first += perStage {
			score.converse(t, open, rung, partner, wishes[first:min(first+perStage, len(wishes))])
		}
		fmt.Printf("live: %s, %-7s %s\n", name, rung, score.told())
		// Of a few turns none may have a call that makes sense, or none that doesn't.
		if score.asked < score.turns*3/4 || score.refused+score.ran == 0 || score.turns >= 100 && min(score.refused, score.ran) == 0 {
			t.Errorf("%s: too little came of it to say anything: %+v", rung, score)
		}
	}
}

// A tally is what is counted of the turns on one rung.
type tally struct {
	turns, asked, requests, ran, refused, failed, beside int
	kinds                                                map[talk.Kind]int
	took                                                 []time.Duration
}

func (c *tally) told() string {
	slices.Sort(c.took)
	at := func(part int) time.Duration { return c.took[(len(c.took)-1)*part/100].Round(time.Millisecond) }
	return fmt.Sprintf("%d turns, %d of them asked it, %d requests; %d calls ran, %d refused; %d failed, the partner took %d over; without an end %d, raw %d, invalid %d; a turn %v / %v / %v (p50, p95, longest)",
		c.turns, c.asked, c.requests, c.ran, c.refused, c.failed, c.beside, c.kinds[talk.Endless], c.kinds[talk.Raw], c.kinds[talk.Invalid], at(50), at(95), at(100))
}

// converse has a conversation in a vault of its own.
func (c *tally) converse(t *testing.T, open func(ladder.Rung) (*models.Chat, error), rung ladder.Rung, partner *offline.Partner, wishes []talk.Wish) {
	t.Helper()
	router := route.New(partner)
	stage, err := talk.NewStage(t.Context(), t.TempDir(), router)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := stage.Close(); err != nil {
			t.Error(err)
		}
	}()
	session := "new"
	for i, w := range wishes {
		chat, err := open(rung)
		if err != nil {
			t.Fatal(err)
		}
		router.Use(chat, false) // anew, so that what it learned or a failure keeps it from no rung
		said := w.Text
		if i == perStage/2 {
			said = "go"
		}
		m := agent.Message{Session: session, Text: said}
		if i == 0 { // later it may be gone: this model deletes it
			m.Project = "houseboat"
		}
		ctx, watch := endpoint.Watched(t.Context())
		turn, err := stage.Play(ctx, m, *perTurn)
		if err != nil {
			t.Fatalf("%s: %v", rung, err)
		}
		c.count(turn, watch.Asked())
		for _, fault := range turn.Faults {
			t.Errorf("%s: %q: %s\n%s", rung, said, fault.Text, turn.Outline())
		}
		if testing.Verbose() {
			t.Logf("%s: %v %s > %s\n%s", rung, turn.Took.Round(time.Millisecond), turn.By, said, turn.Outline())
		}
		if turn.Session != "" {
			session = turn.Session
		}
	}
}

func (c *tally) count(turn talk.Turn, requests int) {
	c.turns, c.requests, c.took = c.turns+1, c.requests+requests, append(c.took, turn.Took)
	if requests > 0 {
		c.asked++
	}
	if turn.Failed != nil {
		c.failed++
	}
	if turn.By == "offline" {
		c.beside++
	}
	for _, f := range turn.Faults {
		c.kinds[f.Kind]++
	}
	for _, e := range turn.Events {
		if call, ok := e.(agent.ToolCall); ok && call.Error == "" {
			c.ran++
		} else if ok {
			c.refused++
		}
	}
}

// spokenCall finds what looks like a call, as a client may that looks no further.
var spokenCall = regexp.MustCompile(`\[ACTION: (\w+) ?(\{.*?\})?|"(?:name|tool)": "(\w+)"(?:, "arguments": (\{.*?\}))?`)

// naive is a turn as a client has it that believes what the same model says: its text is
// shown as it comes, and what looks like a call is run.
func naive(t *testing.T, s server, said string) talk.Turn {
	t.Helper()
	body, err := json.Marshal(map[string]any{"max_tokens": 96, "messages": []map[string]string{
		{"role": "system", "content": "Use a tool by [ACTION: name {arguments}]."}, {"role": "user", "content": said},
	}})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(s.url+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil || json.Unmarshal(data, &answer) != nil || len(answer.Choices) == 0 {
		t.Fatalf("%v: %s", err, data)
	}
	text := answer.Choices[0].Message.Content
	turn := talk.Turn{Reply: text, Text: text}
	for _, m := range spokenCall.FindAllStringSubmatch(text, -1) {
		args := m[2] + m[4]
		if args == "" {
			args = "{}"
		}
		turn.Events = append(turn.Events, agent.ToolCall{Name: m[1] + m[3], Arguments: json.RawMessage(args)})
	}
	turn.Events = append(turn.Events, agent.Done{})
	return turn
}

// TestRandomWeightsWithoutKist shows that each fault there is would be found, were it not
// for what stands around the model: with a client that believes it, all of them happen.
func TestRandomWeightsWithoutKist(t *testing.T) {
	s, found := startRandom(t, 1) // those of some seeds never say nothing
	if !found {
		return
	}
	stage := newStage(t, offline.New())
	kinds := map[talk.Kind]int{}
	wishes, n := talk.Wishes(100, *seed), 0
	for ; n < 3000 && (n < len(wishes) || len(kinds) < 3); n++ { // an answer of nothing may be rare
		turn := naive(t, s, wishes[n%len(wishes)].Text)
		if err := stage.Judge(t.Context(), &turn); err != nil {
			t.Fatal(err)
		}
		for _, f := range turn.Faults {
			kinds[f.Kind]++
		}
	}
	fmt.Printf("live: random weights, a client that believes them: %d turns; without an end %d, raw %d, invalid %d\n", n, kinds[talk.Endless], kinds[talk.Raw], kinds[talk.Invalid])
	for _, k := range []talk.Kind{talk.Endless, talk.Raw, talk.Invalid} {
		if kinds[k] == 0 {
			t.Errorf("%s was not found", k)
		}
	}
}
