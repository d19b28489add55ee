package index

import (
	"context"
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

// A meter measures the rate of one build.
type meter struct {
	last time.Time
	done int
	rate float64
}

// smoothing is how far the rate looks back. Batches are unlike one another: some have
// many small files, others few large ones.
const smoothing = 5 * time.Second

// start begins a measurement.
func (m *meter) start(now time.Time) { *m = meter{last: now} }

// progress notes that so many files are done.
func (m *meter) progress(now time.Time, done, total int) Progress {
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

// Watch calls fn with the status at once and then whenever it may have changed, though
// not oftener than the interval, until fn returns an error or ctx ends; it returns that
// error, or ErrClosed.
func (x *Index) Watch(ctx context.Context, interval time.Duration, fn func(Status) error) error {
	for {
		x.mu.RLock()
		moved, closed := x.moved, x.current == nil
		x.mu.RUnlock()
		if closed {
			return ErrClosed
		}
		if err := fn(x.Status()); err != nil {
			return err
		}
		// What vectors are doing wakes nobody.
		look := time.NewTimer(max(interval, time.Second))
		select {
		case <-moved:
		case <-look.C:
		case <-ctx.Done():
		}
		look.Stop()
		pause := time.NewTimer(interval)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}
