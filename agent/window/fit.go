package window

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"kist/agent/model"
)

// Fit returns a request that takes at most size tokens with its answer, where ratio is how
// many tokens the server counts for one that is estimated. MaxOutput is set to what an answer
// in such a window may take, or to less where less is left or asked for. The error wraps model.ErrTooLong.
func Fit(req model.Request, size int, ratio float64) (model.Request, error) {
	f := &fitting{req: req, whole: req.Brief, profile: profileOf(size), ratio: ratio}
	f.req.Messages = slices.Clone(req.Messages)
	f.req.Context = size
	f.room = size - f.answer
	f.chooseTools(f.tools)
	f.shortenResults()
	for _, m := range f.req.Messages {
		f.costs = append(f.costs, m.Tokens())
	}
	f.write(f.brief)
	spare := f.spare()
	for _, less := range []func(){
		func() { f.write(f.brief * 2 / 3) },
		f.dropHistory,
		func() { f.dropResults(spare) },
		func() { f.chooseTools(8) },
		f.dropSteps,
		func() { f.write(f.brief / 3) },
		f.shortenDescriptions,
		func() { f.chooseTools(4) },
	} {
		if f.over() <= 0 {
			break
		}
		less()
	}
	if f.over() > 0 {
		return req, fmt.Errorf("%w: %d tokens and %d for the answer, in a window of %d", model.ErrTooLong, f.used(), f.answer, size)
	}
	if left := size - f.used(); f.req.MaxOutput == 0 {
		f.req.MaxOutput = min(left, f.most)
	} else {
		f.req.MaxOutput = min(left, f.req.MaxOutput)
	}
	f.req.Input = f.used()
	return f.req, nil
}

// A fitting is a request that is being made smaller.
type fitting struct {
	profile
	req   model.Request
	whole func(room int) model.Brief // as the request came with it
	ratio float64
	room  int   // tokens for all but the answer
	text  int   // tokens of the brief, estimated
	tool  int   // of the tools
	costs []int // of each message
}

// used is how many tokens the request takes to read.
func (f *fitting) used() int {
	n := f.text + f.tool + frame
	for _, cost := range f.costs {
		n += cost
	}
	return int(f.ratio * float64(n))
}

// frame is what a server puts around a request.
const frame = 60

func (f *fitting) over() int { return f.used() - f.room }

// spare is how many more tokens of results are given up than the request is too long by, so
// that what is left out, and with it the beginning of the request, which a server finds in its
// cache, stays the same for a few steps: it is too long by whole blocks, as it were.
func (f *fitting) spare() int {
	over, block := f.over(), f.room/6
	if over <= 0 {
		return 0
	}
	return (block - over%block) % block
}

// write has the brief written for so much room, once.
func (f *fitting) write(room int) {
	if f.whole == nil {
		return
	}
	b := f.whole(int(float64(room) / max(f.ratio, 1)))
	f.req.Brief = func(int) model.Brief { return b }
	f.text = model.Tokens(b.Rules) + model.Tokens(b.Now)
}

// chooseTools keeps n tools in the order they had: those that were called in this turn, the
// rest by their rank.
func (f *fitting) chooseTools(n int) {
	defer f.countTools()
	if n == 0 || len(f.req.Tools) <= n {
		return
	}
	called := map[string]bool{}
	for _, m := range f.req.Messages[min(f.req.Said, len(f.req.Messages)):] {
		for _, c := range m.Calls {
			called[c.Name] = true
		}
	}
	byRank := slices.Clone(f.req.Tools)
	compare := func(a, b model.Tool) int {
		if called[a.Name] != called[b.Name] {
			return map[bool]int{true: -1, false: 1}[called[a.Name]]
		}
		return cmp.Compare(b.Rank, a.Rank)
	}
	sort.SliceStable(byRank, func(i, j int) bool { return compare(byRank[i], byRank[j]) < 0 })
	keep := map[string]bool{}
	for _, t := range byRank[:n] {
		keep[t.Name] = true
	}
	f.req.Tools = slices.DeleteFunc(slices.Clone(f.req.Tools), func(t model.Tool) bool { return !keep[t.Name] })
}

func (f *fitting) countTools() { f.tool = model.Request{Tools: f.req.Tools}.Tokens() }

// shortenDescriptions leaves the first sentence of each.
func (f *fitting) shortenDescriptions() {
	f.req.Tools = slices.Clone(f.req.Tools)
	for i, t := range f.req.Tools {
		first, _, _ := strings.Cut(t.Description, ". ")
		f.req.Tools[i].Description = first
	}
	f.countTools()
}

// dropHistory gives up turns from before the user's message, the oldest first. It does so as it
// did for the steps of this turn before the last, so that what they gave up stays the same,
// whatever came since; and each time a little more than has no room, so that a short step finds
// some, as long as the turn before stays.
func (f *fitting) dropHistory() {
	turn := len(f.req.Messages) - f.req.Said
	for step := 1; step <= turn; step++ {
		next := f.req.Said + step
		if next < len(f.req.Messages) && f.req.Messages[next].Role != model.Assistant {
			continue // nothing was asked there
		}
		later := 0
		for _, cost := range f.costs[next:] {
			later += cost
		}
		f.dropTurns(int(f.ratio * float64(later)))
	}
}

// dropTurns gives up turns where the request is too long without its last steps, of so many
// tokens. It goes on to a turn that is chosen by what it says, so that the next request begins
// with the same one and the server finds it in its cache, but gives up no more than half of what
// fits.
func (f *fitting) dropTurns(later int) {
	if f.over() <= later {
		return
	}
	for f.req.Said > 0 && (f.over() > later || f.req.Said > 2 && f.over()+f.room/slack > later) {
		f.dropTurn()
	}
	for fits := f.req.Said; f.req.Said >= fits/2+2 && !mark(f.req.Messages[0].Text); {
		f.dropTurn()
	}
}

// slack is the part of the room that is left free beside the history then: a call with its result.
const slack = 24

// dropTurn removes the first message of the history and what answers it.
func (f *fitting) dropTurn() {
	n := 1
	for n < f.req.Said && f.req.Messages[n].Role != model.User {
		n++
	}
	f.cutOut(0, n)
	f.req.Said -= n
}

// cutOut removes messages.
func (f *fitting) cutOut(from, to int) {
	f.req.Messages = slices.Delete(f.req.Messages, from, to)
	f.costs = slices.Delete(f.costs, from, to)
}

// mark tells about one text of three from the others, always the same.
func mark(text string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum32()%3 == 0
}

// dropped stands for a result of an earlier step.
const dropped = `{"ok":true,"note":"this result was left out to save room; ask again if it is needed"}`

// dropResults gives up what tools told in steps before the last, the oldest first, and so many
// tokens more than there is no room for.
func (f *fitting) dropResults(spare int) {
	last := len(f.req.Messages)
	for last > 0 && f.req.Messages[last-1].Role == model.ToolRole {
		last--
	}
	for i := f.req.Said; i < last && f.over()+spare > 0; i++ {
		if m := &f.req.Messages[i]; m.Role == model.ToolRole && len(m.Text) > len(dropped) {
			m.Text = dropped
			f.costs[i] = m.Tokens()
		}
	}
}

// skipped stands for the steps of this turn that were given up.
const skipped = "(My first steps in this turn are left out here to save room.)"

// dropSteps gives up the first steps of this turn, but not the last.
func (f *fitting) dropSteps() {
	first := f.req.Said + 1
	told := false
	for f.over() > 0 {
		next := first + 1
		if told {
			next++
		}
		for next < len(f.req.Messages) && f.req.Messages[next].Role != model.Assistant {
			next++
		}
		if next >= len(f.req.Messages) {
			return
		}
		f.cutOut(first, next)
		note := model.Message{Role: model.Assistant, Text: skipped}
		f.req.Messages, f.costs = slices.Insert(f.req.Messages, first, note), slices.Insert(f.costs, first, note.Tokens())
		told = true
	}
}

// shortenResults cuts long results at the profile's limit; those of one step have half of the
// room together, or what tools, instructions and the user's message leave of it but for a
// sixth: else they would fill it, and the next step would have to leave some of them out.
func (f *fitting) shortenResults() {
	share, room := 0, float64(f.room)/f.ratio
	together := min(room/2, room*5/6-float64(f.tool+f.brief*2/3+frame+f.costOfSaid()))
	for i := range f.req.Messages {
		m := &f.req.Messages[i]
		if m.Role != model.ToolRole {
			share = 0
			continue
		}
		if share == 0 { // the first of a step
			share = min(f.result, max(100, int(together)/f.results(i)))
		}
		if len(m.Text) <= share { // a token is a byte at least
			continue
		}
		if tokens := model.Tokens(m.Text); tokens > share {
			kept := cut(m.Text, len(m.Text)*share/tokens)
			m.Text = kept + fmt.Sprintf(" [cut here: %d bytes more; read less at a time]", len(m.Text)-len(kept))
		}
	}
}

func (f *fitting) costOfSaid() int {
	if f.req.Said >= len(f.req.Messages) {
		return 0
	}
	return f.req.Messages[f.req.Said].Tokens()
}

// results is how many results a step has, from the first on.
func (f *fitting) results(first int) int {
	n := 0
	for _, m := range f.req.Messages[first:] {
		if m.Role != model.ToolRole {
			break
		}
		n++
	}
	return n
}

// cut returns the first n bytes of a text, or a few fewer, without a part of a rune.
func cut(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
