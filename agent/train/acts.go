package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kist/agent/intent"
	"kist/agent/intent/linear"
	"kist/agent/language"
	"kist/agent/train/learn"
)

// A message is an annotated one: its parts, what each asks for, and where its arguments
// stand.
type message struct {
	set    string
	number int
	input  intent.Input
	toks   []language.Token
	acts   []act
}

// An act is a part of a message: bytes of its text.
type act struct {
	span
	slots []span
}

// A span is a place with a name: an intent's or a slot's.
type span struct {
	name       string
	start, end int
}

// readActs reads the annotated messages of a folder; see LABELS.md for their form.
func readActs(folder string) ([]message, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "acts", "*.txt"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no annotated messages in %s: %w", folder, err)
	}
	var all []message
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		set, err := readMessages(f, strings.TrimSuffix(filepath.Base(path), ".txt"))
		f.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, set...)
	}
	return all, nil
}

func readMessages(f *os.File, set string) ([]message, error) {
	var out []message
	var in intent.Input
	names := map[string]string{"-": ""}
	rows := bufio.NewScanner(f)
	rows.Buffer(nil, 1<<20)
	for n := 1; rows.Scan(); n++ {
		row := strings.TrimSpace(rows.Text())
		if list, ok := strings.CutPrefix(row, "# projects: "); ok {
			in = intent.Input{}
			for item := range strings.SplitSeq(list, ", ") {
				slug, name, _ := strings.Cut(item, "=")
				names[slug] = name
				in.Projects = append(in.Projects, name)
			}
		}
		if words := strings.Fields(row); len(words) > 1 && words[0] == "@" {
			name, ok := names[words[1]]
			if !ok {
				return nil, fmt.Errorf("%s:%d: no project %s", set, n, words[1])
			}
			in.Project, in.Waiting, in.Asked, in.Guided = name, strings.Contains(row, " waiting"), strings.Contains(row, " asked"), strings.Contains(row, " guided")
		}
		if row == "" || row[0] == '#' || row[0] == '@' {
			continue
		}
		m, err := parseMessage(row)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", set, n, err)
		}
		text := m.input.Text
		m.set, m.number, m.input = set, n, in
		m.input.Text = text
		m.toks = language.Tokenize(text)
		out = append(out, m)
	}
	return out, rows.Err()
}

// marks are what stands in a message besides its text.
var marks = regexp.MustCompile(`[{\[]\w+ |[}\]]`)

// parseMessage reads "{add_task remind me to [task call Ana] [due today]}".
func parseMessage(row string) (message, error) {
	var m message
	var text strings.Builder
	var open, slot *span
	at := 0
	for _, place := range marks.FindAllStringIndex(row, -1) {
		text.WriteString(row[at:place[0]])
		mark := row[place[0]:place[1]]
		at = place[1]
		here := text.Len()
		switch {
		case mark[0] == '{' && open == nil:
			m.acts = append(m.acts, act{span: span{strings.TrimSpace(mark[1:]), here, here}})
			open = &m.acts[len(m.acts)-1].span
		case mark[0] == '[' && open != nil && slot == nil:
			slot = &span{strings.TrimSpace(mark[1:]), here, here}
		case mark == "]" && slot != nil:
			slot.end = here
			last := &m.acts[len(m.acts)-1]
			last.slots, slot = append(last.slots, *slot), nil
		case mark == "}" && open != nil && slot == nil:
			open.end, open = here, nil
		default:
			return m, fmt.Errorf("%q stands where it can't: %s", mark, row)
		}
	}
	text.WriteString(row[at:])
	m.input.Text = text.String()
	if open != nil || len(m.acts) == 0 {
		return m, fmt.Errorf("no whole act: %s", row)
	}
	return m, nil
}

// starts are the tokens at which acts begin. Words that stand between two belong to the
// second.
func (m message) starts() []int {
	out := []int{0}
	for i := range m.acts[1:] {
		for k, t := range m.toks {
			if t.Start >= m.acts[i].end && t.Word {
				if k > out[len(out)-1] {
					out = append(out, k)
				}
				break
			}
		}
	}
	return out
}

// part is the i-th act as a reader gets it: its tokens, and its text as a message.
func (m message) part(i int) (intent.Input, []language.Token) {
	starts := append(m.starts(), len(m.toks))
	in, toks := m.input, m.toks
	if len(m.acts) > 1 && i+1 < len(starts) {
		toks = language.TrimMarks(m.toks[starts[i]:starts[i+1]])
		if len(toks) > 0 {
			in = m.input.Of(toks)
		}
	}
	return in, toks
}

// linesOf are the acts as labelled lines.
func linesOf(messages []message) []line {
	var out []line
	for _, m := range messages {
		for i, a := range m.acts {
			in, _ := m.part(i)
			out = append(out, line{m.set, m.number, a.name, in})
		}
	}
	return out
}

// slotsOf are the slots of an act by its tokens.
func slotsOf(a act, toks []language.Token) []intent.Slot {
	var out []intent.Slot
	for _, s := range a.slots {
		slot := intent.Slot{Name: s.name, Start: -1}
		for i, t := range toks {
			if t.Start >= s.start && t.Start < s.end {
				if slot.Start < 0 {
					slot.Start = i
				}
				slot.End = i + 1
			}
		}
		if slot.Start >= 0 && (len(out) == 0 || out[len(out)-1].End <= slot.Start) {
			out = append(out, slot)
		}
	}
	return out
}

// A tagged is one sequence to learn, with what its tags may be.
type tagged struct {
	linear.Sequence
	name intent.Name
	set  string
}

// slotSequences are what the tagger of slots learns from. Text is that of the message,
// since tokens say where in it they stand.
func slotSequences(messages []message) []tagged {
	parts := make([][]tagged, len(messages))
	together(len(messages), func(at int) {
		m := messages[at]
		for i, a := range m.acts {
			_, toks := m.part(i)
			if len(toks) == 0 || !intent.HasSlots(intent.Name(a.name)) {
				continue
			}
			s := intent.SlotSequence(m.input, intent.Name(a.name), toks)
			s.Tags = tagsOf(len(toks), slotsOf(a, toks))
			parts[at] = append(parts[at], tagged{s, intent.Name(a.name), m.set})
		}
	})
	return slices.Concat(parts...)
}

// tagsOf are the tags of so many tokens with these slots.
func tagsOf(n int, slots []intent.Slot) []string {
	tags := slices.Repeat([]string{intent.Outside}, n)
	for _, s := range slots {
		for i := s.Start; i < s.End; i++ {
			tags[i] = intent.Later + s.Name
		}
		tags[s.Start] = intent.First + s.Name
	}
	return tags
}

// A place is a token of a message: does a part begin there?
type place struct {
	learn.Example
	set string
}

// placesOf are what the divider learns from.
func placesOf(messages []message) []place {
	parts := make([][]place, len(messages))
	together(len(messages), func(at int) {
		m := messages[at]
		starts := m.starts()
		for i, features := range intent.PartFeatures(m.input, m.toks) {
			class := intent.GoesOn
			if slices.Contains(starts, i) {
				class = intent.Begins
			}
			if i > 0 {
				parts[at] = append(parts[at], place{learn.Example{Features: features, Class: class}, m.set})
			}
		}
	})
	return slices.Concat(parts...)
}

// trainDivider learns from places.
func trainDivider(all []place) *linear.Model {
	var examples []learn.Example
	for _, p := range all {
		examples = append(examples, p.Example)
	}
	return learn.Train(examples, partOptions)
}

// Options of the tagger and the divider were chosen by leaving sets out.
var (
	slotOptions = learn.Options{Rounds: 14, Seen: 2, Keep: 150000, Drop: 0.5}
	partOptions = learn.Options{Rounds: 8, Rate: 0.3, Decay: 1e-5, Seen: 2, Keep: 60000, Drop: 0.3}
)

// trainTagger learns from sequences.
func trainTagger(all []tagged) *linear.Model {
	var sequences []linear.Sequence
	for _, s := range all {
		sequences = append(sequences, s.Sequence)
	}
	return learn.TrainSequences(sequences, func(i int) linear.May { return intent.MaySlot(all[i].name) }, slotOptions)
}
