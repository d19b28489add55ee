package main

import (
	"fmt"
	"strings"
	"time"
)

// A bar shows how far something is: on a terminal as one line that fills,
// elsewhere as a line now and then.
type bar struct {
	p     *printer
	last  time.Time
	drawn bool

	phase string    // that is measured
	since time.Time // its beginning
	from  int       // what was done then
}

// barPause is long enough for a log not to fill with progress.
const barPause = 5 * time.Second

func newBar(p *printer) *bar { return &bar{p: p, last: time.Now()} }

// show takes note of progress; total 0 means that the end isn't known yet.
func (b *bar) show(done, total int, phase string) {
	now := time.Now()
	if phase != b.phase || done < b.from {
		b.phase, b.since, b.from = phase, now, done
	}
	pause := barPause
	if b.p.tty {
		pause = 50 * time.Millisecond
	}
	finished := total > 0 && done >= total
	if now.Sub(b.last) < pause && !(finished && b.drawn) {
		return // what is quick needs no bar
	}
	b.last, b.drawn = now, true
	if !b.p.tty {
		if total > 0 {
			b.p.printf("%s: %d of %d%s\n", phase, done, total, b.pace(now, done, total))
		} else {
			b.p.printf("%s: %d\n", phase, done)
		}
		return
	}
	const width = 30
	filled := 0
	if total > 0 {
		filled = min(width, done*width/total)
	}
	// Back to the start of the line, and clear what was there.
	b.p.printf("%s%s [%s%s] %d/%d%s", safe("\r\x1b[K"), phase,
		strings.Repeat("#", filled), strings.Repeat(".", width-filled), done, total, b.pace(now, done, total))
}

// pace is how many are done a second and how long the rest takes at that.
func (b *bar) pace(now time.Time, done, total int) string {
	took := now.Sub(b.since).Seconds()
	if took <= 0 || done <= b.from || done >= total {
		return ""
	}
	rate := float64(done-b.from) / took
	return paceText(rate, float64(total-done)/rate)
}

func paceText(perSecond, secondsLeft float64) string {
	left := time.Duration(secondsLeft * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf(", %s a second, %s left", significant(perSecond), left)
}

// end takes the bar off the terminal.
func (b *bar) end() {
	if b.drawn && b.p.tty {
		b.p.printf("%s", safe("\r\x1b[K"))
	}
	b.drawn = false
}
