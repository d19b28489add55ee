package agent_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/agenttest"
	"kist/agent/extract"
	"kist/agent/model"
	"kist/agent/offline"
	"kist/vault"
	"kist/vault/vaulttest"
)

// fillings are what sentences of dumps are made of. A word in braces is chosen from the
// row of that name.
var fillings = map[string][]string{
	"who":   {"Bo", "my sister Ines", "the landlord", "Mrs Okafor", "our neighbour", "the caterer", "a man from the council", "Grandpa", "Lea and Tom"},
	"what":  {"the tent", "a second freezer", "the old lorry", "forty chairs", "the sound system", "the licence", "a ramp", "the wet cellar", "the blue paint", "the bees"},
	"do":    {"book", "fetch", "measure", "sell", "repaint", "insure", "photograph", "order", "wash", "borrow"},
	"when":  {"by Friday", "on 3 March", "before Easter", "next week", "in the autumn", "by the end of May", "on Saturday at ten", "some day"},
	"sum":   {"300 euros", "12k", "£45", "a third of the money", "about 2,400 francs", "nothing at all"},
	"why":   {"because the floor is wet", "since nobody else wants it", "so that the children can sleep", "as the law asks for it", "though I doubt it"},
	"odd":   {"Fog and gulls at six in the morning.", "Quorl beats vimpering, says the old book.", "It smells of tar and oranges down there.", "Everything hums a little in B flat.", "Mal sehen, ob das Dach hält.", "Two of them, three of these, none of those."},
	"shape": {"{Who} will {do} {what} {when}.", "We have to {do} {what} {when}.", "{Do} {what} and ask {who} for {what}.", "{What} costs {sum} {why}.", "I decided that {who} gets {what}.", "{Who} says {what} is broken {why}.", "The deadline for {what} is {when}.", "I'm afraid {who} might {do} {what} {why}.", "{odd}", "Nobody knows where {what} went {when}", "We want it to be quiet, honest and open to {who}.", "Should {who} {do} {what} {when}?", "{Who} can't stand {what}.", "It went up to {sum}, {why}.", "{Who} is the one who pays; {what} stays here {why} and we {do} it {when}."},
}

var hole = regexp.MustCompile(`\{(\w+)\}`)

// sentenceOf makes one sentence, with a number in it that no other has.
func sentenceOf(r *rand.Rand, shape string) string {
	for hole.MatchString(shape) {
		shape = hole.ReplaceAllStringFunc(shape, func(m string) string {
			key := m[1 : len(m)-1]
			list := fillings[strings.ToLower(key)]
			s := list[r.IntN(len(list))]
			if key[0] < 'a' {
				s = strings.ToUpper(s[:1]) + s[1:]
			}
			return s
		})
	}
	return shape
}

// dumpOf are 3 to 60 different sentences, in 1 to 8 messages.
func dumpOf(r *rand.Rand) (sentences, messages []string) {
	for n := 3 + r.IntN(58); len(sentences) < n; {
		if s := sentenceOf(r, "{shape}"); !slices.Contains(sentences, s) {
			sentences = append(sentences, s)
		}
	}
	parts := min(1+r.IntN(8), len(sentences))
	cuts := r.Perm(len(sentences) - 1)[:parts-1]
	slices.Sort(cuts)
	at := 0
	for _, c := range append(cuts, len(sentences)-1) {
		sep := []string{" ", "\n", "\n- "}[r.IntN(3)]
		messages = append(messages, strings.TrimPrefix(sep, "\n")+strings.Join(terminated(sentences[at:c+1], sep), sep))
		at = c + 1
	}
	return sentences, messages
}

// terminated ends sentences that run into the next one on a line.
func terminated(list []string, sep string) []string {
	out := slices.Clone(list)
	for i, s := range out {
		if sep == " " && !strings.ContainsAny(s[len(s)-1:], ".?") {
			out[i] = s + "."
		}
	}
	return out
}

// TestNothingToldIsLost pours dumps out in every kind of session, to the offline partner
// and to a model that does nothing at all, and looks for each sentence in the documents
// afterwards, conversations aside, or in what still waits for a word. KIST_DUMPS says how many dumps.
func TestNothingToldIsLost(t *testing.T) {
	n, _ := strconv.Atoi(cmp.Or(os.Getenv("KIST_DUMPS"), "15"))
	kinds := []agent.Message{
		{}, {Project: "atlas"}, {Project: "houseboat"}, {Mode: "project_create"}, {Mode: "project_update", Project: "houseboat"},
	}
	lost, told, talked, passed := 0, 0, 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(7, uint64(seed)))
		sentences, messages := dumpOf(r)
		kind := kinds[seed%len(kinds)]
		var m model.Model = offline.New()
		if seed%3 == 2 {
			m = agenttest.NewScript(slices.Repeat([]agenttest.Step{agenttest.Say("I see.")}, 100)...)
			if kind.Mode == "project_create" {
				m = agenttest.NewScript(append([]agenttest.Step{agenttest.Call("update_draft_dimension", `{"name":"Otter"}`)}, slices.Repeat([]agenttest.Step{agenttest.Say("I see.")}, 100)...)...)
			}
		}
		text, talk := pour(t, m, kind, messages)
		told += len(sentences)
		for _, s := range sentences {
			found := strings.Contains(text, plain(s)) || dealtWith(s, text, messages)
			if kind.Mode == "" && small(s, messages) {
				if talked++; !found {
					passed++
				}
			} else if !found {
				if lost++; lost < 6 {
					t.Errorf("dump %d, %+v: lost %q\n%s", seed, kind, s, around(talk, s))
				}
			}
		}
	}
	t.Logf("%d of %d sentences lost, of %d dumps; of %d in plain talk %d weren't offered", lost, told, n, talked, passed)
	if 3*passed > talked && talked > 20 {
		t.Error("too many of these")
	}
}

// small: a sentence stands in a message that is no dump.
func small(s string, messages []string) bool {
	i := slices.IndexFunc(messages, func(m string) bool { return strings.Contains(m, strings.TrimRight(s, ".")) })
	return i >= 0 && !extract.IsDump(messages[i])
}

// pour says the messages, agrees to what is proposed, and returns what the documents hold.
func pour(t *testing.T, m model.Model, kind agent.Message, messages []string) (text, talk string) {
	s := newStage(t, boats, m, agent.Options{Seed: "dump"})
	var b strings.Builder
	say := func(text string) {
		msg := agent.Message{Text: text}
		if b.Len() == 0 {
			msg = agent.Message{Text: text, Mode: kind.Mode, Project: kind.Project}
		}
		fmt.Fprintf(&b, "> %s\n%s\n", text, transcript(s.send(t, msg)))
	}
	for _, text := range messages {
		say(text)
	}
	if kind.Mode == "project_create" {
		say("call it Otter")
	}
	say("what is due this week?")
	say("what is waiting?")
	say("go")
	if err := s.index.Wait(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	all.WriteString(s.proposed(t))
	for name, file := range vaulttest.Tree(t, s.vault.Dir()) {
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "conversations/") {
			all.WriteString(file + "\n")
		}
	}
	if d := os.Getenv("KIST_TALK"); d != "" {
		_ = os.WriteFile(d, []byte(b.String()), 0o666)
	}
	return plain(all.String()), b.String()
}

// dealtWith: in a message that is no dump, a question gets an answer, and what is decided
// or to be done is kept as that, without the words that say which of them it is.
func dealtWith(s, text string, messages []string) bool {
	i := slices.IndexFunc(messages, func(m string) bool { return strings.Contains(m, strings.TrimRight(s, ".")) })
	if i < 0 || extract.IsDump(messages[i]) {
		return false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "I decided that "), "We have to ")
	return strings.HasSuffix(s, "?") || rest != s && strings.Contains(text, plain(rest))
}

// proposed is what all that waits would put into files.
func (s *stage) proposed(t *testing.T) string {
	waiting, err := s.vault.Operations(context.Background(), vault.Filter{Status: vault.StatusProposed})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, w := range waiting {
		op, err := s.vault.Operation(context.Background(), w.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range op.Changes {
			for line := range strings.Lines(c.Patch) {
				if strings.HasPrefix(line, "+") {
					b.WriteString(line[1:])
				}
			}
		}
	}
	return b.String()
}

// around is the part of a transcript in which something was said.
func around(talk, said string) string {
	for turn := range strings.SplitSeq(talk, "\n> ") {
		if strings.Contains(turn, "notice: Not done") || strings.Contains(turn, strings.TrimRight(said, ".")) {
			return turn
		}
	}
	return talk
}

// plain is a text without its line breaks, in lower case.
func plain(s string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), " .")
}
