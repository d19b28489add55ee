// Package meter measures how fast something long goes on, and what is left of it.
package meter

import (
	"math"
	"time"
)

// Progress of a build. Rate is in files a second, of the last seconds more than of
// those before; Left is what that makes of the files that remain. Both are 0 as long
// as they aren't known, and when the build is done.
type Progress struct {
	Done, Total int
	Rate        float64
	Left        time.Duration
}

// A Meter measures the rate of one build.
type Meter struct {
	last time.Time
	done int
	rate float64
}

// smoothing is how far the rate looks back. Batches are unlike one another: some have
// many small files, others few large ones.
const smoothing = 5 * time.Second

// Start begins a measurement.
func (m *Meter) Start(now time.Time) { *m = Meter{last: now} }

// Progress notes that so many files are done.
func (m *Meter) Progress(now time.Time, done, total int) Progress {
	if took := now.Sub(m.last).Seconds(); took > 0 && done > m.done {
		rate := float64(done-m.done) / took
		if m.rate == 0 {
			m.rate = rate
		}
		m.rate += (1 - math.Exp(-took/smoothing.Seconds())) * (rate - m.rate)
		m.last, m.done = now, done
	}
	p := Progress{Done: done, Total: total}
	if done < total && m.rate > 0 {
		p.Rate = m.rate
		p.Left = time.Duration(float64(total-done) / m.rate * float64(time.Second))
	}
	return p
}
