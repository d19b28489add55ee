package agent_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kist/agent"
)

// TestOnlyItsOwnTasksChangeUnasked has a model that presses for more tick and date tasks
// of the inbox, of which kist wrote some and the user others by hand, who also edits some of
// kist's. The oracle knows who had a hand in each, and what the last reply showed: what is kist's
// own changes at once, the rest on a go alone, and nothing else changes. KIST_TALKS says how many
// conversations.
func TestOnlyItsOwnTasksChangeUnasked(t *testing.T) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("KIST_TALKS"), "3"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(i)))
			in := &inboxTalk{stage: newStage(t, "-- inbox.md --\n# Inbox\n\n- [ ] hand 1\n- [ ] hand 2\n- [ ] hand 3\n", eager{}, agent.Options{}), r: r, byHand: map[string]bool{}}
			for n := range 3 {
				in.byHand["hand "+strconv.Itoa(n+1)] = true
			}
			for range 25 {
				in.turn(t)
			}
		})
	}
}

// An inboxTalk knows of each task of the inbox, by the words that stay in its title, whether
// somebody wrote or edited it by hand.
type inboxTalk struct {
	*stage
	r      *rand.Rand
	byHand map[string]bool
	made   int
	shown  []string // the tasks that the last reply offered to change
}

// lines are the tasks of the inbox, by the two words that their titles begin with.
func (in *inboxTalk) lines(t *testing.T) (of map[string]string, order []string, at map[string]int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(in.root, "inbox.md"))
	if err != nil {
		t.Fatal(err)
	}
	of, at = map[string]string{}, map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		if words := strings.Fields(line); strings.HasPrefix(line, "- [") && len(words) > 3 {
			k := slices.IndexFunc(words, func(w string) bool { return w == "hand" || w == "thing" })
			key := words[k] + " " + words[k+1]
			of[key], at[key] = line, i+1
			order = append(order, key)
		}
	}
	return of, order, at
}

func (in *inboxTalk) turn(t *testing.T) {
	t.Helper()
	before, order, at := in.lines(t)
	pick := order[in.r.IntN(len(order))]
	text, changes, may := "", "", slices.Clone(in.shown)
	switch in.r.IntN(9) {
	case 0, 1:
		in.made++
		text = "please add thing " + strconv.Itoa(in.made)
		in.byHand["thing "+strconv.Itoa(in.made)] = false
		may = nil
	case 2: // by hand, between two messages
		in.edit(t, "inbox.md", before[pick], before[pick]+" (!)")
		in.byHand[pick] = true
		before, _, _ = in.lines(t)
		text, may = "thanks", nil
	case 3:
		text = []string{"go", "yes", "do it"}[in.r.IntN(3)]
	case 4:
		text, may = []string{"no", "wait", "the weather is fine", "yes, but tomorrow"}[in.r.IntN(4)], nil
	default:
		changes, may = pick, nil
		in.made++
		text = fmt.Sprintf("please %s inbox.md:%d", "tick", at[pick])
		if verb := []string{"tick", "date", "due"}[in.r.IntN(3)]; verb != "tick" {
			text = fmt.Sprintf("please %s inbox.md:%d %s", verb, at[pick], time.Date(2027, 1, in.made, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
		}
	}
	events := in.send(t, agent.Message{Text: text})
	in.shown = nil
	for _, e := range events {
		if a, ok := e.(agent.ApprovalRequest); ok {
			for key := range before {
				if strings.Contains(a.Reason+" ", key+" ") || strings.Contains(a.Reason, key+"”") || strings.Contains(a.Reason, key+"\"") {
					in.shown = append(in.shown, key)
				}
			}
		}
	}
	after, _, _ := in.lines(t)
	for key, was := range before {
		switch is := after[key]; {
		case is == was && key == changes && !in.byHand[key] && !strings.HasPrefix(was, "- [x]"):
			t.Fatalf("%q left %q as it was, which kist had written itself\n%s", text, was, transcript(events))
		case is == was:
		case key == changes && !in.byHand[key]:
		case slices.Contains(may, key):
		default:
			t.Fatalf("%q made %q of %q\n%s", text, is, was, transcript(events))
		}
	}
}
