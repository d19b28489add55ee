//go:build live

package live

import (
	"fmt"
	"testing"
	"time"

	"kist/agent/ladder"
	"kist/bench/talk"
)

// TestRequests asks for things on each rung, and of the partner alone. Whatever the model
// answers, every turn ends in words, nothing raw is shown, and nothing happens that no
// validated call did: see talk.Fault. After the first request "go" is said, for which a model
// may take more steps and is held to a schema.
func TestRequests(t *testing.T) {
	s := liveServer(t)
	settings := s.settings()
	scores, err := talk.Run(t.Context(), talk.Options{
		Dir: t.TempDir(), Requests: *requests, Seed: *seed, Turn: *perTurn, Within: *within,
		Open: func(from ladder.Rung) (talk.Chat, error) { return settings.Open("openai/"+s.model, from) },
		Heard: func(rung, said string, turn talk.Turn) {
			if testing.Verbose() {
				t.Logf("%s: %v %s > %s\n%s", rung, turn.Took.Round(time.Millisecond), turn.By, said, turn.Outline())
			}
		},
	})
	if err != nil {
		t.Error(err)
	}
	var own, server time.Duration
	turns := 0
	for _, s := range scores {
		fmt.Printf("live: %s\n", told(s))
		t.Logf("%s: right by kind: %v", s.Rung, s.Kinds)
		for _, fault := range s.Faults {
			t.Errorf("%s: %s", s.Rung, fault)
		}
		if s.Broken() > len(s.Faults) {
			t.Errorf("%s: %d faults in all", s.Rung, s.Broken())
		}
		if s.Requests > 0 {
			mine, its := s.Own()
			own, server, turns = own+mine, server+its, turns+s.Turns
		}
	}
	if turns == 0 {
		t.Fatal("the model was asked nothing")
	}
	share := 100 * own.Seconds() / server.Seconds()
	each := own / time.Duration(turns)
	fmt.Printf("live: kist's own time %v a turn, %.2f %% of the model's\n", each.Round(time.Millisecond), share)
	if share > 2 && each > 50*time.Millisecond { // beside a quick model a turn's writes alone are more
		t.Errorf("%.2f %%", share)
	}
}

func told(s *talk.Score) string {
	first, took := talk.Times{}, talk.Times{}
	if s.FirstText != nil {
		first = *s.FirstText
	}
	if s.Turn != nil {
		took = *s.Turn
	}
	return fmt.Sprintf("%-7s %d turns, %d right (%d by the model itself; the partner took %d over), %d failed; %d calls ran, %d refused; a turn %.1f / %.1f s, first text %.1f / %.1f s; %d requests; %.1f tokens/s, reading included; own share %.2f %%; at last %s",
		s.Rung, s.Turns, s.Right, s.Alone, s.Beside, s.Failed, s.Calls, s.Refused, took.P50/1000, took.P95/1000, first.P50/1000, first.P95/1000, s.Requests, s.Speed, 100*s.OwnShare, s.Ended)
}
