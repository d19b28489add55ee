package wire

import (
	"fmt"
	"strings"

	"kist/agent/model"
)

// maxThoughts bounds what a model thinks, in bytes: one that goes in circles is stopped.
const maxThoughts = 1 << 20

// An Answer takes the pieces of one stream and yields its events. Once Over is true, the
// client stops reading: nobody listens any more, or the answer went beyond its limits.
type Answer struct {
	yield    func(model.Event, error) bool
	over     bool
	spoke    bool // some of what it says was passed on
	text     cleaner
	inner    cleaner // of thoughts
	thinker  thinker
	marks    marks
	said     circles
	thinking circles
	thoughts int // bytes
	calls    calls
	usage    *model.Usage
	stop     model.Stop
	state    *model.State
}

// NewAnswer returns an answer that yields to yield.
func NewAnswer(yield func(model.Event, error) bool) *Answer { return &Answer{yield: yield} }

// Over reports whether nothing more is wanted.
func (a *Answer) Over() bool { return a.over }

func (a *Answer) send(e model.Event) {
	if !a.over {
		a.over = !a.yield(e, nil)
	}
}

// Notice tells the user something, and reports whether anybody listens.
func (a *Answer) Notice(text string) bool {
	a.send(model.Event{Notice: text})
	return !a.over
}

// Fail ends the answer with an error.
func (a *Answer) Fail(err error) {
	if !a.over {
		a.over = true
		a.yield(model.Event{}, err)
	}
}

// Text takes a piece of what the model says, which may hold thoughts between tags. Where the
// answer ends within it, nothing of the rest counts: it doesn't matter in which pieces it came.
func (a *Answer) Text(piece string) {
	for piece != "" && !a.over {
		end := len(piece) // of what is all said or all thought
		if at := strings.IndexByte(piece[1:], '<'); at >= 0 {
			end = 1 + at
		}
		if at := strings.IndexByte(piece[:end], '>'); at >= 0 {
			end = at + 1
		}
		a.part(piece[:end])
		piece = piece[end:]
	}
}

func (a *Answer) part(piece string) {
	n, round := a.said.add(piece)
	a.bits(a.thinker.add(a.text.add(piece[:n])))
	if round {
		a.round()
	}
}

// bits passes on what is said and thought, in its order.
func (a *Answer) bits(all []bit) {
	for _, b := range all {
		switch {
		case a.over:
			return
		case b.back:
			if a.marks = (marks{}); a.spoke {
				a.send(model.Event{Back: true})
			}
			a.spoke = false
		case b.thought:
			a.thought(b.text)
		default:
			said, ends := a.marks.add(b.text)
			a.say(said)
			if ends {
				a.stop = model.End
				a.End()
			}
		}
	}
}

func (a *Answer) say(text string) {
	if text != "" {
		a.spoke = true
		a.send(model.Event{Text: text})
	}
}

// round ends the answer of a model that goes in circles.
func (a *Answer) round() {
	if a.over {
		return
	}
	a.stop = model.Circles
	a.End()
}

// Thinking takes a piece of what it thinks.
func (a *Answer) Thinking(piece string) {
	n, round := a.thinking.add(piece)
	a.thought(a.inner.add(piece[:n]))
	if round {
		a.round()
	}
}

func (a *Answer) thought(piece string) {
	if piece == "" {
		return
	}
	if a.thoughts += len(piece); a.thoughts > maxThoughts {
		a.Fail(fmt.Errorf("it thought for over %d bytes and came to no end", maxThoughts))
		return
	}
	a.send(model.Event{Thinking: piece})
}

// Call takes a part of a call.
func (a *Answer) Call(p Part) {
	if err := a.calls.add(p); err != nil {
		a.Fail(err)
	}
	if a.calls.goRound() {
		a.round()
	}
}

// State takes what the provider wants back with this answer; the last one counts.
func (a *Answer) State(s *model.State) { a.state = s }

// Usage takes a count of tokens; the last one counts. Absurd ones don't.
func (a *Answer) Usage(u model.Usage) {
	const most = 1 << 30
	for _, n := range []int{u.Input, u.Output, u.Cached, u.Thinking} {
		if n < 0 || n > most {
			return
		}
	}
	if u.Input+u.Output > 0 {
		a.usage = &u
	}
}

// Stop takes the reason why the answer ends; the first one counts.
func (a *Answer) Stop(s model.Stop) {
	if a.stop == "" {
		a.stop = s
	}
}

// Stopped reports whether the stream has said why it ends: what breaks later, breaks
// nothing.
func (a *Answer) Stopped() bool { return a.stop != "" }

// End yields what is left once the stream is over: calls, tokens and, if the stream told
// one, the reason. An answer with calls waits for their results, whatever the server says.
// Nothing comes after it.
func (a *Answer) End() {
	defer func() { a.over = true }()
	if !a.marks.ended { // else it ends with that mark
		a.bits(append(a.thinker.add(a.text.flush()), a.thinker.flush()...))
		a.say(a.marks.flush())
	}
	a.thought(a.inner.flush())
	if a.stop == "" {
		return // cut off: calls may not be whole
	}
	calls := a.calls.events()
	for _, c := range calls {
		a.send(model.Event{Call: c})
	}
	if a.state != nil {
		a.send(model.Event{State: a.state})
	}
	if a.usage != nil {
		a.send(model.Event{Usage: a.usage})
	}
	if len(calls) > 0 && a.stop == model.End {
		a.stop = model.Calls
	}
	if len(calls) == 0 && a.stop == model.Calls {
		a.stop = model.End
	}
	a.send(model.Event{Stop: a.stop})
}
