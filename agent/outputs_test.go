package agent_test

import (
	"context"
	"encoding/json"
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/model"
	"kist/agent/tool"
	"kist/agent/tool/tooltest"
	"kist/vault"
	"kist/vault/vaulttest"
)

// babbler is a model that answers with made-up calls.
type babbler struct {
	g     *tooltest.Generator
	calls int // of one answer
	said  int
}

func (*babbler) Name() string { return "babbler" }

func (b *babbler) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for range b.calls {
			name, args := b.g.Output()
			b.said++
			if !yield(model.Event{Call: &model.Call{Name: name, Arguments: json.RawMessage(args)}}, nil) {
				return
			}
		}
		yield(model.Event{Stop: model.Calls}, nil)
	}
}

// Whole turns of made-up outputs: what changed in the vault was changed by operations
// of calls that were valid, and nothing else did. KIST_FUZZ_OUTPUTS asks for more.
func TestMadeUpOutputsChangeNothingByThemselves(t *testing.T) {
	n := 400
	if s := os.Getenv("KIST_FUZZ_OUTPUTS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	args := tool.Arguments()
	b := &babbler{g: tooltest.NewGenerator(rand.New(rand.NewPCG(7, 7)), args), calls: 4}
	s := newStage(t, clipped, b, agent.Options{Preset: "auto"})
	before := vaulttest.Tree(t, s.vault.Dir(), "conversations", "sessions", "operations")
	ran := 0
	for b.said < n {
		for _, e := range s.send(t, agent.Message{Text: "rename, remember, mail and go on", Mode: "general", Session: "new"}) {
			switch e := e.(type) {
			case agent.ToolCall:
				if e.Error != "" {
					continue
				}
				ran++
				if !tooltest.Valid(args[e.Name], e.Arguments, tool.MaxArguments) {
					t.Fatalf("ran %s %.300s", e.Name, e.Arguments)
				}
			case agent.Failed:
				t.Fatal(e.Err)
			}
		}
	}
	t.Logf("%d outputs, %d calls ran", b.said, ran)
	tree := vaulttest.Tree(t, s.vault.Dir(), "conversations", "sessions", "operations")
	for p, text := range tree {
		if before[p] == text || strings.Contains(p, "/conversations/") {
			continue
		}
		ops, err := s.vault.Operations(context.Background(), vault.Filter{Entity: p, Limit: 1})
		if err != nil || len(ops) == 0 || ops[0].Actor != vault.ActorAgent && ops[0].Actor != vault.ActorUser {
			t.Errorf("%s was changed by nobody: %v, %v", p, ops, err)
		}
	}
}
