package torture

import (
	"os"
	"slices"
	"time"
)

// This file is programs that hold a file open, for seconds or minutes, while operations
// go on, and write when kist has long put another file in its place.

// late is a file that an editor has open.
type late struct {
	f     *os.File
	file  string
	after time.Duration // the first write comes so long after the file was displaced
	due   time.Time     // of the next write; zero: it isn't displaced yet
	left  int           // writes
}

// mostLate is how many files an editor holds in this way. Each operation on one waits
// for it to be closed first, which must not be all that happens.
const mostLate = 1

// lateStyle begins the name of this way to save.
const lateStyle = "late"

// stayLate opens a file that nobody else edits, to write into it when it is displaced.
func (e *editor) stayLate(file string) {
	if len(e.late) >= mostLate || e.held != nil && e.held.file == file {
		return
	}
	f, err := os.OpenFile(e.path(file), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return
	}
	l := &late{f: f, file: file, left: 1 + e.rng.IntN(3)}
	if e.lateness > 0 {
		l.after = e.lateness/2 + time.Duration(e.rng.Int64N(int64(e.lateness/2)))
	}
	e.late = append(e.late, l)
}

// isLate reports whether a file is held open. Its editor leaves it alone otherwise: with a
// save of its own in the file's place, nobody would see what is written.
func (e *editor) isLate(file string) bool {
	return slices.ContainsFunc(e.late, func(l *late) bool { return l.file == file })
}

// writeLate writes into the files that are due. What gives a write its moment is that
// the file was displaced, and no clock, as long as the lateness is 0.
func (e *editor) writeLate() {
	var still []*late
	for _, l := range e.late {
		if e.writes(l) {
			still = append(still, l)
		} else {
			l.f.Close()
		}
	}
	e.late = still
}

// writes writes into a file if it is time to; false: the file can be closed.
func (e *editor) writes(l *late) bool {
	mine, err := l.f.Stat()
	if err != nil {
		panic(err)
	}
	switch now, err := os.Stat(e.files.path(l.file)); {
	case unlinked(mine):
		return false // the editor itself has replaced it: nobody will see what is written
	case err != nil || os.SameFile(mine, now):
		return true
	case l.due.IsZero():
		l.due = time.Now().Add(l.after)
	}
	if time.Now().Before(l.due) {
		return true
	}
	style := lateStyle
	if e.lateness > 0 {
		style += " by up to " + e.lateness.String()
	}
	e.add(l.f, l.file, style)
	l.due = time.Now().Add(time.Duration(e.rng.IntN(400)) * time.Millisecond)
	l.left--
	return l.left > 0
}

// releaseLate closes all of them.
func (e *editor) releaseLate() {
	for _, l := range e.late {
		l.f.Close()
	}
	e.late = nil
}
