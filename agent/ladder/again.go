package ladder

import (
	"time"

	"kist/agent/model"
)

// A Down is how a model came to stand lower than its server says it can, as it is worth
// keeping. Zero is not known.
type Down struct {
	Since time.Time // it came down
	Tried time.Time // it was tried higher up the last time
	Made  string    // what the server and the model were then: model.Info.Made
}

// maxWait bounds for how many times the usual wait nothing is tried again.
const maxWait = 30

// due reports whether it is time to try a model higher up that came down: its server or the
// model itself is another one, or it is long ago. Each time that it fails there the wait is as
// long again as it has failed by then.
func (d Down) due(now time.Time, made string, usual time.Duration) bool {
	if made != "" && d.Made != "" && made != d.Made {
		return true
	}
	wait := min(max(usual, d.Tried.Sub(d.Since)), maxWait*usual)
	return now.Sub(d.Tried) >= wait || d.Tried.After(now) // by a clock that was wrong
}

// Stand is where the model stands, and since when: while it is tried higher up, where it stood
// before.
func (m *Model) Stand() (Rung, Down) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.trying {
		return m.from, m.down
	}
	return m.rung, m.down
}

// highest is the rung from which a model may well be read, by what its server says. What it
// doesn't say is tried.
func highest(info model.Info) Rung {
	switch {
	case info.Tools || !told(info):
		return Native
	case info.Format:
		return Union
	}
	return Text
}

// retry has the model tried from its highest rung again where that is due, at the beginning of
// a turn: within one the calls of the steps before are written as its rung has them. The lock
// is held.
func (m *Model) retry(info model.Info, req model.Request) {
	if m.opts.Again <= 0 || m.trying || len(req.Messages) != req.Said+1 || m.rung <= highest(info) {
		return
	}
	if now := time.Now(); m.down.due(now, info.Made, m.opts.Again) {
		m.trying, m.from, m.rung, m.falls = true, m.rung, highest(info), 0
		m.down.Tried, m.down.Made = now, info.Made
	}
}

// stays: in the step before, calls made sense, so that a model that is tried higher up stays
// there. The lock is held.
func (m *Model) stays(info model.Info) {
	if !m.trying {
		return
	}
	if m.trying = false; m.rung <= highest(info) {
		m.down = Down{}
	}
}

// fall puts the model on a lower rung: on the one where it stood where it was only tried
// higher up, unless it still is. The lock is held.
func (m *Model) fall(to Rung, info model.Info) {
	if to <= m.rung {
		return
	}
	m.rung, m.falls = to, 0
	switch {
	case !m.trying:
		now := time.Now()
		m.down = Down{Since: now, Tried: now, Made: info.Made}
	case m.rung >= m.from:
		m.trying = false
	}
}

// madeSense reports whether the last step of the turn had a call that did.
func madeSense(req model.Request) bool {
	for i := len(req.Messages) - 1; i > req.Said && req.Messages[i].Role == model.ToolRole; i-- {
		if !req.Messages[i].Invalid {
			return true
		}
	}
	return false
}
