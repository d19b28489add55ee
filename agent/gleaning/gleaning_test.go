package gleaning

import (
	"context"
	"errors"
	"strings"
	"testing"

	"kist/agent/agenttest"
	"kist/agent/model"
	"kist/agent/recall"
	"kist/vault"
	"kist/vault/conversation"
	"kist/vault/entity"
	"kist/vault/vaulttest"
)

const message = "The slipway takes boats of up to nine metres. Ruth's aunt owns the shed behind the mill. The crane lifts four tonnes on Sundays."

func picks(t *testing.T, answer string) ([]recall.Candidate, error) {
	t.Helper()
	return Pick(t.Context(), agenttest.NewScript(agenttest.Say(answer)), nil, message, recall.Doubtful(message, recall.Options{}), "")
}

// What is picked are the user's own words, as a model quoted them.
func TestPick(t *testing.T) {
	for name, tc := range map[string]struct{ answer, want string }{
		"one":               {`{"facts":[{"quote":"Ruth's aunt owns the shed"}]}`, "Ruth's aunt owns the shed behind the mill"},
		"two, in any order": {`{"facts":[{"quote":"Ruth's aunt owns the shed"},{"quote":"slipway takes boats of up to nine metres"}]}`, "The slipway takes boats of up to nine metres; Ruth's aunt owns the shed behind the mill"},
		"too many":          {`{"facts":[{"quote":"The crane lifts four tonnes"},{"quote":"Ruth's aunt owns the shed"},{"quote":"slipway takes boats of up to nine metres"}]}`, "The slipway takes boats of up to nine metres; Ruth's aunt owns the shed behind the mill"},
		"none":              {`{"facts":[]}`, ""},
		"made up":           {`{"facts":[{"quote":"Ruth's uncle owns the shed"},{"quote":"Charles owes her 4,200 euros"}]}`, ""},
		"hardly a quote":    {`{"facts":[{"quote":"Ruth's aunt owns"},{"quote":"the"},{"quote":""}]}`, ""},
		"of two statements": {`{"facts":[{"quote":"nine metres. Ruth's aunt owns"}]}`, ""},
	} {
		got, err := picks(t, tc.answer)
		var said []string
		for _, c := range got {
			said = append(said, c.Content)
		}
		if strings.Join(said, "; ") != tc.want || err != nil {
			t.Errorf("%s: %q, %v", name, said, err)
		}
	}
	for _, answer := range []string{`{"facts":[{"quote":`, strings.Repeat("on and on ", 5000), `{"facts":"none"}`} {
		if got, err := picks(t, answer); err == nil || len(got) > 0 {
			t.Errorf("%.20q: %+v, %v", answer, got, err)
		}
	}
	script := agenttest.NewScript()
	_, _ = Pick(t.Context(), script, nil, message, nil, "it is private")
	if r := script.Requests()[0]; r.Private != "it is private" || !strings.Contains(r.Messages[0].Text, message) {
		t.Errorf("%+v", r)
	}
}

// Facts are proposed once, at most so many, and as policy allows; nothing is written.
func TestPropose(t *testing.T) {
	ctx := context.Background()
	v := vaulttest.New(t, "-- memories/crane.md --\n---\ntype: memory\nscope: user\n---\n\nThe crane lifts four tonnes on Sundays.\n")
	made, allowed := 0, true
	d := Desk{
		Vault: v, Lock: func(context.Context, string) (func(), error) { return func() {}, nil },
		Allow:  func(recall.Candidate) bool { return allowed },
		Origin: vault.Origin{Actor: vault.ActorAgent, Session: "01S", Turn: "01T"},
		Made:   func(vault.Operation) { made++ },
	}
	facts := recall.Doubtful(message, recall.Options{})
	if len(facts) != 3 {
		t.Fatalf("%+v", facts)
	}
	if err := d.Propose(ctx, facts); !errors.Is(err, vault.ErrNotFound) || made > 0 {
		t.Errorf("of no session: %v, %d", err, made)
	}
	if err := conversation.SaveSession(ctx, v, conversation.Session{ID: "01S", Mode: "general"}); err != nil {
		t.Fatal(err)
	}
	allowed = false
	if err := d.Propose(ctx, facts); err != nil || made > 0 {
		t.Errorf("against policy: %v, %d", err, made)
	}
	allowed = true
	for range 2 {
		if err := d.Propose(ctx, facts); err != nil || made != 2 { // the third is known
			t.Errorf("%v, %d", err, made)
		}
	}
	if known, err := entity.Memories(ctx, v, ""); err != nil || len(known) != 1 {
		t.Errorf("%+v, %v", known, err)
	}
	var many []recall.Candidate
	for _, word := range strings.Fields("oak pine ash elm yew larch") {
		many = append(many, recall.Candidate{Content: "The " + word + " grows behind the house of " + word, Confidence: 0.7})
	}
	if err := d.Propose(ctx, many); !errors.Is(err, errFull) || made != maxWaiting {
		t.Errorf("%v, %d", err, made)
	}
	job := d.Job(message, facts, true)
	script := agenttest.NewScript(agenttest.Step{Err: model.ErrLimit})
	if err := job.Do(ctx, script, nil); !errors.Is(err, model.ErrLimit) || script.Requests()[0].Private == "" {
		t.Error(err)
	}
}
