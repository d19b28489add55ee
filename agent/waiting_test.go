package agent_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/offline"
	"kist/vault/vaulttest"
)

const waitingVault = `
-- kist.yaml --
policy: balanced
-- projects/jetty/project.md --
---
type: project
name: Jetty
status: active
created_by: agent
---

# Jetty
-- projects/jetty/tasks/a.md --
---
type: task
title: Order the planks
status: todo
---
-- projects/jetty/notes/inbox.md --
# Inbox

- 2026-11-18: The rent is 900 a month
- 2026-11-18: Nell has left her husband
- 2026-11-18: The heron nests in the reeds
-- projects/jetty/notes/boiler.md --
# Boiler

It leaks at the valve.
-- projects/choir/project.md --
---
type: project
name: Choir
status: active
created_by: agent
---

# Choir
-- memories/bo.md --
---
type: memory
scope: user
---

Bo is the electrician
`

// proposing are messages with which something is proposed: one of each kind that kist asks a go for.
var proposing = []string{
	"forget what I said about the rent", "I'd rather you didn't keep that about Nell", "delete the note about the boiler", "delete the task about the planks",
	"archive the jetty", "delete the project choir", "rename the jetty to Landing", "forget that Bo is the electrician", "merge the choir into the jetty", "the heron belongs to the choir",
}

// TestNothingToldIsLostBesideProposals tells sentences one by one while proposals of every kind
// wait, and lets those lapse: what was told is in the files, as said, or its task or date is. No
// go is ever said. KIST_TALKS says how many conversations; four have every kind of proposal.
func TestNothingToldIsLostBesideProposals(t *testing.T) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("KIST_TALKS"), "4"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(i)))
			s := newStage(t, waitingVault, offline.New(), agent.Options{})
			var talk strings.Builder
			say := func(text string) string {
				said := transcript(s.send(t, agent.Message{Text: text}))
				fmt.Fprintf(&talk, "> %s\n%s\n", text, said)
				return said
			}
			say("let's talk about the jetty")
			var told []string
			for k := range 3 {
				order := proposing[(i+k*3)%len(proposing)]
				if said := say(order); !strings.Contains(said, "[proposed") {
					t.Logf("%q proposes nothing:\n%s", order, said)
				}
				for range 1 + r.IntN(4) {
					s := sentenceOf(r, []string{"{Who} says {what} is broken.", "{What} costs {sum} {why}.", "Nobody knows where {what} went.", "{Who} can't stand {what}.", "It went up to {sum}, {why}."}[r.IntN(5)])
					told = append(told, s)
					say(s)
				}
				if r.IntN(2) == 0 {
					say("what is due this week?")
				}
			}
			var all strings.Builder
			for name, file := range vaulttest.Tree(t, s.vault.Dir()) {
				if strings.HasSuffix(name, ".md") && !strings.Contains(name, "conversations/") {
					all.WriteString(file + "\n")
				}
			}
			text := plain(all.String())
			for _, s := range told {
				if !found(s, text) {
					t.Errorf("lost %q\n%s", s, around(talk.String(), s))
				}
			}
		})
	}
}
