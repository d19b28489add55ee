/*
Package steps counts the steps of a turn, each a request to a model and the calls that it
answers with, and says when the model isn't asked again. A [Pace] knows nothing of what is
asked or called.
*/
package steps

import (
	"fmt"

	"kist/agent/model"
)

// maxWrong is after how many steps in a row of nothing but wrong calls a model is given up.
const maxWrong = 3

// A Pace is how far a turn has come. It is used by one goroutine.
type Pace struct {
	most   int
	step   int
	wrong  int // steps in a row of which no call made sense
	nudged bool
	again  bool // the last step was nothing but calls that had been made before
}

// New returns the pace of a turn that may have so many steps with calls.
func New(most int) *Pace { return &Pace{most: most} }

// Choice is what the next request lets the model choose: after the last step it has to end
// in words.
func (p *Pace) Choice() model.Choice {
	if p.Over() {
		return model.None
	}
	return model.Auto
}

// Over reports whether no more calls are carried out.
func (p *Pace) Over() bool { return p.step >= p.most }

// Nudge reports whether a model whose answer won't do may be asked once more: one time in a turn.
func (p *Pace) Nudge() bool {
	may := !p.nudged && !p.Over()
	p.nudged = true
	if may {
		p.step++
	}
	return may
}

// Did takes a step with so many calls, of which so many made no sense, and so many had been made
// before in the turn, and reports whether the model has to be given up. One that only does the
// same again is at its end: it is asked for words.
func (p *Pace) Did(calls, wrong, again int) bool {
	p.step++
	if p.again = again == calls; p.again {
		p.step = max(p.step, p.most)
	}
	if p.wrong++; wrong < calls {
		p.wrong = 0
	}
	return p.wrong >= maxWrong
}

// Again begins anew, for another model.
func (p *Pace) Again() { *p = Pace{most: p.most} }

// Stopped says why the turn ends with calls that the model would have gone on with, with so many
// proposals and changes that it had made before.
func (p *Pace) Stopped(waiting, made int) string {
	switch {
	case p.again && waiting > 0:
		return "Stopped: the model went on making a call that it had made before; what it proposed waits for your approval."
	case p.again && made > 0:
		return "It is done; the model only went on making the same call, and was stopped."
	case p.again:
		return "Stopped: the model went on making a call that it had made before."
	case p.wrong < maxWrong:
		return fmt.Sprintf("Stopped after %d steps; say go on to continue.", p.most)
	}
	why := fmt.Sprintf("Stopped: in %d steps in a row the model made no call that makes sense. Nothing of them was carried out", p.wrong)
	if waiting > 0 {
		return why + "; what it proposed before waits for your approval."
	}
	return why + "."
}
