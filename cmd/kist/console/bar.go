package console

import (
	"fmt"
	"io"
	"strings"
	"time"

	"kist/cmd/kist/terminal"
)

// A Bar shows how far something is: on a terminal as one line that fills,
// elsewhere as a line now and then.
type Bar struct {
	w     io.Writer
	tty   bool
	last  time.Time
	drawn bool

	phase string    // that is measured
	since time.Time // its beginning
	from  int       // what was done then
}

// clear goes back to the start of the line, and takes away what was there.
const clear = "\r\x1b[K"

// barPause is long enough for a log not to fill with progress.
const barPause = 5 * time.Second

// NewBar returns a bar on w, which may be a terminal. What can't be written is lost:
// there is nobody to tell.
func NewBar(w io.Writer, tty bool) *Bar { return &Bar{w: w, tty: tty, last: time.Now()} }

// Show takes note of progress; total 0 means that the end isn't known yet.
func (b *Bar) Show(done, total int, phase string) {
	now := time.Now()
	if phase != b.phase || done < b.from {
		b.phase, b.since, b.from = phase, now, done
	}
	pause := barPause
	if b.tty {
		pause = 50 * time.Millisecond
	}
	finished := total > 0 && done >= total
	if now.Sub(b.last) < pause && !(finished && b.drawn) {
		return // what is quick needs no bar
	}
	b.last, b.drawn = now, true
	if !b.tty {
		if total > 0 {
			fmt.Fprintf(b.w, "%s: %d of %d%s\n", terminal.Line(phase), done, total, b.pace(now, done, total))
		} else {
			fmt.Fprintf(b.w, "%s: %d\n", terminal.Line(phase), done)
		}
		return
	}
	const width = 30
	filled := 0
	if total > 0 {
		filled = min(width, done*width/total)
	}
	fmt.Fprintf(b.w, "%s%s [%s%s] %d/%d%s", clear, terminal.Line(phase),
		strings.Repeat("#", filled), strings.Repeat(".", width-filled), done, total, b.pace(now, done, total))
}

// pace is how many are done a second and how long the rest takes at that.
func (b *Bar) pace(now time.Time, done, total int) string {
	took := now.Sub(b.since).Seconds()
	if took <= 0 || done <= b.from || done >= total {
		return ""
	}
	rate := float64(done-b.from) / took
	return Pace(rate, float64(total-done)/rate)
}

// Pace says how fast something goes, and how long the rest takes.
func Pace(perSecond, secondsLeft float64) string {
	left := time.Duration(secondsLeft * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf(", %s a second, %s left", Significant(perSecond), left)
}

// End takes the bar off the terminal.
func (b *Bar) End() {
	if b.drawn && b.tty {
		fmt.Fprint(b.w, clear)
	}
	b.drawn = false
}

// Significant prints at least two digits that count.
func Significant(v float64) string {
	switch {
	case v >= 10:
		return fmt.Sprintf("%.0f", v)
	case v >= 1:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}
