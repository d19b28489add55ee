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
	"sync/atomic"
	"testing"
	"unicode"

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
func dumpOf(r *rand.Rand, next func() string) (sentences, messages []string) {
	for n := 3 + r.IntN(58); len(sentences) < n; {
		if s := next(); !slices.Contains(sentences, s) {
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

// kindsOfSession are where dumps are poured out.
var kindsOfSession = []agent.Message{
	{}, {Project: "atlas"}, {Project: "houseboat"}, {Mode: "project_create"}, {Mode: "project_update", Project: "houseboat"},
}

// TestNothingToldIsLost pours dumps out in every kind of session, to the offline partner
// and to a model that does nothing at all, and looks for each sentence in the documents
// afterwards, conversations aside, or in what still waits for a word. KIST_DUMPS says how
// many dumps, KIST_SEED which.
func TestNothingToldIsLost(t *testing.T) {
	n, _ := strconv.Atoi(cmp.Or(os.Getenv("KIST_DUMPS"), "4"))
	of, _ := strconv.Atoi(cmp.Or(os.Getenv("KIST_SEED"), "7"))
	var lost, told, passed atomic.Int64
	t.Run("dumps", func(t *testing.T) {
		for seed := range n {
			t.Run(strconv.Itoa(seed), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(of), uint64(seed)))
				next := func() string { return sentenceOf(r, "{shape}") }
				if seed%4 == 3 {
					next = from(r, manners(t))
				}
				sentences, messages := dumpOf(r, next)
				kind := kindsOfSession[seed%len(kindsOfSession)]
				text, talk := pour(t, listener(seed, kind), kind, messages)
				told.Add(int64(len(sentences)))
				for _, s := range sentences {
					switch {
					case found(s, text), dealtWith(s, text, talk, messages), refused(s, around(talk, s)):
					case kind.Mode == "" && small(s, messages): // taken for mere talk
						passed.Add(1)
					default:
						lost.Add(1)
						t.Errorf("%+v: lost %q\n%s", kind, s, around(talk, s))
					}
				}
			})
		}
	})
	t.Logf("%d of %d sentences lost, of %d dumps; %d taken for mere talk", lost.Load(), told.Load(), n, passed.Load())
	if 50*passed.Load() > told.Load() {
		t.Errorf("%d sentences of %d were taken for mere talk", passed.Load(), told.Load())
	}
}

// What is told with an offer to begin a project is in a file at once, and whatever is answered; where
// there is to be one, nothing of it is left in the general inbox.
func TestNothingToldWithAnOfferIsLost(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, opener := range []string{
		"the painter for the kitchen is Jo Brandt, 0171 555 013\nI have to order the kitchen paint by Friday 27 November\nJo comes to look at the kitchen on Monday 30 November\nthe kitchen floor is 12 square metres\nthe kitchen door has to come off first, says Jo",
		"the restaurant opens in May\nthe restaurant has 40 seats\nthe restaurant's kitchen costs 9,000\nSam wants to cook in the restaurant\nthe restaurant needs a licence from the town",
	} {
		for _, answer := range []string{"yes", "no", "yes, and {who} will {do} {what}", "{Who} says {what} is broken {why}.", "start a project for all of that", "what is due this week?"} {
			told, s := opener, newStage(t, "", offline.New(), agent.Options{Seed: "offer"})
			reply := ""
			for line := range strings.Lines(told) {
				reply = transcript(s.send(t, agent.Message{Text: strings.TrimSpace(line)}))
			}
			if !strings.Contains(reply, "Shall I") {
				t.Errorf("%q: nothing was offered: %s", told, reply)
			}
			keeps := func(when string) {
				text := ""
				for name, file := range vaulttest.Tree(t, s.vault.Dir()) {
					if strings.HasSuffix(name, ".md") && !strings.Contains(name, "conversations/") {
						text += file + "\n"
					}
				}
				for _, part := range extract.Told(told, false) {
					if !found(part.Text, plain(text)) {
						t.Errorf("%s: lost %q in\n%s", when, part.Text, text)
					}
				}
			}
			keeps(told)
			s.send(t, agent.Message{Text: sentenceOf(r, answer)})
			keeps(answer)
			inbox, _ := s.vault.Read("inbox.md")
			if answer == "yes" && len(inbox) > 0 {
				t.Errorf("%q: left in the inbox:\n%s", answer, inbox)
			}
			if answer == "yes" {
				s.send(t, agent.Message{Text: "undo"})
				keeps("undo")
			}
		}
	}
}

// TestFrozenDumps pours out dumps that were written blind, as they are and cut into
// messages at their lines, and prints figures alone. It runs with KIST_FROZEN.
func TestFrozenDumps(t *testing.T) {
	if os.Getenv("KIST_FROZEN") == "" {
		return
	}
	data, err := os.ReadFile("../testdata/frozen/dumps.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lost, told, dumps atomic.Int64
	t.Run("dumps", func(t *testing.T) {
		for i, dump := range strings.Split(string(data), "\n----\n") {
			for round := range 4 {
				t.Run(fmt.Sprint(i, round), func(t *testing.T) {
					t.Parallel()
					kind := kindsOfSession[(i+round)%len(kindsOfSession)]
					messages := []string{strings.Trim(dump, "-\n ")}
					if round > 1 {
						messages = strings.FieldsFunc(messages[0], func(r rune) bool { return r == '\n' })
					}
					text, talk := pour(t, listener(round*2, kind), kind, messages)
					dumps.Add(1)
					for line := range strings.Lines(dump) {
						for _, s := range stops.Split(strings.TrimLeft(line, "-*•0123456789.) "), -1) {
							if len(strings.Fields(plain(leads.ReplaceAllString(s, "")))) < 4 {
								continue
							}
							told.Add(1)
							if !found(s, text) && !dealtWith(s, text, talk, messages) {
								lost.Add(1)
							}
						}
					}
				})
			}
		}
	})
	t.Logf("%d of %d sentences lost, of %d frozen dumps", lost.Load(), told.Load(), dumps.Load())
}

// listener is the offline partner, or a model that only nods.
func listener(seed int, kind agent.Message) model.Model {
	if seed%3 != 2 {
		return offline.New()
	}
	steps := slices.Repeat([]agenttest.Step{agenttest.Say("I see.")}, 100)
	if kind.Mode == "project_create" && seed%2 == 0 {
		steps = slices.Insert(steps, 0, agenttest.Call("update_draft_dimension", `{"name":"Otter"}`))
	}
	return agenttest.NewScript(steps...)
}

// manners are sentences as people write them.
func manners(t *testing.T) []string {
	data, err := os.ReadFile("testdata/manners.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// from chooses of a list, and wraps what is said twice into other words.
func from(r *rand.Rand, list []string) func() string {
	list = slices.Clone(list)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return func() string {
		if len(list) == 0 {
			return sentenceOf(r, "{shape}")
		}
		s := list[0]
		list = list[1:]
		return s
	}
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
	var all strings.Builder
	all.WriteString(s.proposed(t))
	for name, file := range vaulttest.Tree(t, s.vault.Dir()) {
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "conversations/") {
			all.WriteString(file + "\n")
		}
	}
	if d := os.Getenv("KIST_TALK"); d != "" {
		_ = os.WriteFile(d, []byte(b.String()+all.String()), 0o666)
	}
	return plain(all.String()), b.String()
}

var (
	leads  = regexp.MustCompile(`(?i)^(?:remember(?: that)?|i decided that|we have to|we decided to|we decided|i need to|i must|please|so|ok|and|todo:) `)
	joints = regexp.MustCompile(`(?i),? and |, |; |: `)
	stops  = regexp.MustCompile(`[.!?…]+["'”’)]*\s`)
	asks   = regexp.MustCompile(`(?i)\?$|^(?:who|what|when|where|why|how|is|are|does|do|can|should)\b`)
	denies = regexp.MustCompile(`not sure what to do with that|I found no `)
	dating = regexp.MustCompile(` (?:by friday|on 3 march|before easter|next week|by the end of may|on saturday at ten)\b`)
)

// found: it stands in the text, word for word, its parts where it is several sentences.
func found(s, text string) bool {
	return !slices.ContainsFunc(stops.Split(s, -1), func(part string) bool { return !strings.Contains(text, plain(part)) })
}

// dealtWith: in a message that is no dump, a question gets an answer, an order may be
// refused, a deadline be set, and what is decided
// or to be done is kept as that, without the words that say which of them it is, a part
// each for itself, its date as one.
func dealtWith(s, text, talk string, messages []string) bool {
	i := slices.IndexFunc(messages, func(m string) bool { return strings.Contains(m, strings.TrimRight(s, ".")) })
	if i < 0 || extract.IsDump(messages[i]) {
		return false
	}
	turn := around(talk, s)
	if asks.MatchString(s) || denies.MatchString(turn) || strings.HasPrefix(s, "The deadline") && strings.Contains(turn, `update_task {"due":`) {
		return true
	}
	for _, part := range joints.Split(leads.ReplaceAllString(s, ""), -1) {
		if part = plain(part); !strings.Contains(text, part) && !strings.Contains(text, dating.ReplaceAllString(part, "")) {
			return false
		}
	}
	return true
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

// plain are the words of a text, in lower case, and nothing between them.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// small: a sentence stands in a message that is no dump.
func small(s string, messages []string) bool {
	i := slices.IndexFunc(messages, func(m string) bool { return strings.Contains(m, strings.TrimRight(s, ".")) })
	return i >= 0 && !extract.IsDump(messages[i])
}

// refused: the reply names a sentence as not written down.
func refused(s, turn string) bool {
	_, list, ok := strings.Cut(plain(turn), "not written down ")
	return ok && strings.Contains(list, plain(s))
}
