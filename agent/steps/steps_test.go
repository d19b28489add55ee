package steps

import (
	"strings"
	"testing"

	"kist/agent/model"
)

func TestPace(t *testing.T) {
	p := New(4)
	for n, wrong := range []int{2, 2, 1} { // a call that makes sense counts from anew
		if p.Did(2, wrong, 0) || p.Over() || p.Choice() != model.Auto {
			t.Errorf("step %d: %+v", n, p)
		}
	}
	if p.Did(1, 1, 0) || !p.Over() || p.Choice() != model.None || p.Nudge() || p.Stopped(0, 0) != "Stopped after 4 steps; say go on to continue." {
		t.Errorf("%+v", p)
	}
	if p.Again(); p.Over() || !p.Nudge() || p.Nudge() {
		t.Errorf("begun anew: %+v", p)
	}
	for n := range maxWrong {
		if p.Did(1, 1, 0) != (n == maxWrong-1) {
			t.Errorf("after %d wrong steps: %+v", n+1, p)
		}
	}
	if why := p.Stopped(0, 0); !strings.HasPrefix(why, "Stopped: in 3 steps") || strings.Contains(why, "waits") || !strings.Contains(p.Stopped(1, 1), "waits") {
		t.Error(why)
	}
	p.Again()
	if p.Did(2, 1, 1) || p.Over() || p.Did(2, 1, 2) || !p.Over() || !strings.Contains(p.Stopped(0, 0), "had made before.") || !strings.HasPrefix(p.Stopped(0, 1), "It is done;") || !strings.Contains(p.Stopped(1, 1), "waits") {
		t.Errorf("the same again: %+v, %s", p, p.Stopped(0, 0))
	}
}
