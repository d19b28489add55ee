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

// Did takes a step with so many calls, of which so many made no sense, and reports whether the
// model has to be given up.
func (p *Pace) Did(calls, wrong int) bool {
	p.step++
	if p.wrong++; wrong < calls {
		p.wrong = 0
	}
	return p.wrong >= maxWrong
}

// Again begins anew, for another model.
func (p *Pace) Again() { *p = Pace{most: p.most} }

// Stopped says why the turn ends with calls that the model would have gone on with, with so many
// proposals that it had made before.
func (p *Pace) Stopped(waiting int) string {
	if p.wrong < maxWrong {
		return fmt.Sprintf("Stopped after %d steps; say go on to continue.", p.most)
	}
	why := fmt.Sprintf("Stopped: in %d steps in a row the model made no call that makes sense, or only such as it had made before. Nothing of them was carried out", p.wrong)
	if waiting > 0 {
		return why + "; what it proposed before waits for your approval."
	}
	return why + "."
}
