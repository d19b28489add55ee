package agent_test

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kist/agent/model"
	"kist/agent/offline"
	"kist/agent/route"
)

// TestAtOnce says the frozen sets where a language model is set up: what the partner takes for
// sure it does at once, and what of that is right is judged by what changed. The figures
// alone are printed, by kind. KIST_FROZEN=all takes every sentence, else each 60th.
func TestAtOnce(t *testing.T) {
	step := 60
	if os.Getenv("KIST_FROZEN") == "all" {
		step = 1
	}
	paths, err := filepath.Glob("../testdata/frozen/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sets: %v", err)
	}
	var mu sync.Mutex
	said, atOnce := 0, map[string]effectCount{}
	t.Run("sets", func(t *testing.T) {
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".txt")
			if name == "dumps" {
				continue
			}
			set := readFrozen(t, path)
			for i := 0; i < len(set.sentences); i += step {
				l := set.sentences[i]
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					big := &mute{}
					router := route.New(offline.New())
					router.Use(big, true)
					set := set
					set.with = router
					j := &judge{set: set, o: set.hear(t, l)}
					right := j.right(l.want)
					mu.Lock()
					defer mu.Unlock()
					if said++; big.asked.Load() {
						return
					}
					kind, _, _ := strings.Cut(l.want[0], " ")
					for _, at := range []string{kind, "all"} {
						c := atOnce[at]
						if right {
							c.right++
						} else {
							c.wrong++
						}
						atOnce[at] = c
					}
				})
			}
		}
	})
	for kind, c := range atOnce {
		t.Logf("%-10s %d at once, %d right", kind, c.right+c.wrong, c.right)
	}
	all := atOnce["all"]
	t.Logf("of %d sentences %d are done at once", said, all.right+all.wrong)
	if all.right == 0 || step == 1 && share(all.right, all.wrong) < 0.9 {
		t.Errorf("of what is done at once %.3f is right", share(all.right, all.wrong))
	}
}

// mute is a language model that has nothing to say.
type mute struct{ asked atomic.Bool }

func (m *mute) Name() string { return "mute" }

func (m *mute) Generate(context.Context, model.Request) iter.Seq2[model.Event, error] {
	m.asked.Store(true)
	return func(yield func(model.Event, error) bool) {
		_ = yield(model.Event{Text: "I can't say."}, nil) && yield(model.Event{Stop: model.End}, nil)
	}
}
