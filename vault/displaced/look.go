package displaced

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"time"

	"kist/vault/fsys"
)

// An entry is a file and what was seen of it.
type entry struct {
	File
	since time.Time // it has been watched
	seen  fsys.Stat // at the last look
	moved time.Time // when that changed the last time
	stir  time.Time // the first change that isn't brought in yet; zero: there is none
	due   time.Time // the next look
	wait  time.Duration
	held  bool // open for writing, at the last look
	rests bool // somebody may write into it, and all that was saved is accounted for
	saves int
	fault string // why the last look failed
	over  bool   // it is gone
}

// look looks at a file once and returns what is known of it then. At the end what was
// saved doesn't wait for a better moment.
func (w *Watch) look(e entry, end bool) (entry, error) {
	f, err := w.vault.Open(e.Path)
	if errors.Is(err, fs.ErrNotExist) {
		e.over = true
		return e, err
	}
	if err != nil {
		return e.later(), err
	}
	defer f.Close()
	e.rests = false
	// In this order: nobody writes any more into a file that nobody has open.
	held, known := fsys.HeldForWriting(f)
	info, err := f.Stat()
	if err != nil {
		return e.later(), err
	}
	e.held = held && known
	now, stat := time.Now(), fsys.StatOf(info)
	if stat != e.seen {
		e.seen, e.moved = stat, now
		if e.stir.IsZero() {
			e.stir = now
		}
		if !end && (held || !known) && now.Sub(e.stir) < ceiling {
			e.due = now.Add(quiet)
			return e, nil
		}
	}
	switch {
	case fsys.Links(info) > 1: // the same file has another name, and with it all that is saved
		return w.remove(e)
	case known && !held, !known && !end && now.Sub(e.moved) >= Blind:
		return w.end(e, f)
	case !e.stir.IsZero():
		return w.bringIn(e, f)
	}
	e.rests = true
	return e.later(), nil
}

// later puts the next look off.
func (e entry) later() entry {
	e.wait = min(2*e.wait, longest)
	e.due = time.Now().Add(e.wait)
	return e
}

// bringIn brings in what was saved into a file that may be written again. One that was
// emptied is about to be; if not, it counts when it is closed.
func (w *Watch) bringIn(e entry, f io.Reader) (entry, error) {
	text, err := read(f)
	switch {
	case err != nil:
		return e.later(), err
	case (text == nil || len(text) > 0) && !e.accounts(text):
		if e, err = w.merge(e, text, true); err != nil {
			return e.later(), err
		}
	}
	e.stir, e.rests = time.Time{}, true
	return e.later(), nil
}

// end deals with a file that nobody writes into any more.
func (w *Watch) end(e entry, f io.Reader) (entry, error) {
	text, err := read(f)
	if err == nil && !e.accounts(text) {
		e, err = w.merge(e, text, false)
	}
	switch {
	case err != nil:
		return e.later(), err
	case e.over:
		return e, nil
	}
	return w.remove(e)
}

// read returns a file's text; nil: it is larger than Largest.
func read(f io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, Largest+1))
	if len(text) > Largest {
		text = nil
	}
	return text, err
}

func (e entry) accounts(text []byte) bool {
	return e.Base != nil && text != nil && bytes.Equal(text, e.Base)
}

func (w *Watch) merge(e entry, text []byte, open bool) (entry, error) {
	moved, err := w.vault.BringIn(e.File, text, open)
	if err != nil {
		return e, err
	}
	e.over = moved
	e.Base = text
	e.saves++
	return e, nil
}

func (w *Watch) remove(e entry) (entry, error) {
	if err := w.vault.Remove(e.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return e.later(), err
	}
	e.over = true
	return e, nil
}
