package torture

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// This file holds the ways in which editors save.

// errNotSaved: the file was not there any more and nothing was saved.
var errNotSaved = errors.New("the file is gone")

// movedBack: the file was moved away and back as it was, which is no save, but
// gave the file this text if an operation changed it meanwhile.
type movedBack struct{ text []byte }

func (*movedBack) Error() string { return "the file is not what was read" }

// A style is a way to save: old is what the editor read, text what it has now.
type style struct {
	name string
	save func(e *editor, p string, old, text []byte) error
}

// styles are the ways to save a whole text; some stand for more than one program.
var styles = []style{
	{"in place", (*editor).inPlace},
	{"in place", (*editor).inPlace},
	{"in pieces", (*editor).inPieces},
	{"rename", (*editor).rename},
	{"rename", (*editor).rename},
	{"backup", (*editor).backup},
	{"truncate", (*editor).truncate},
	{"delete and create", (*editor).deleteCreate},
	{"move away and back", (*editor).moveAway},
}

// gone turns the absence of a file into errNotSaved.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errNotSaved
	}
	return err
}

func (e *editor) nap(max time.Duration) { time.Sleep(time.Duration(e.rng.Int64N(int64(max)))) }

// inPlace truncates the file and writes it.
func (e *editor) inPlace(p string, _, text []byte) error { return os.WriteFile(p, text, 0o666) }

// inPieces is inPlace by a slow program.
func (e *editor) inPieces(p string, _, text []byte) error {
	f, err := os.Create(p)
	if err != nil {
		return err
	}
	for len(text) > 0 {
		n := min(len(text), 1+e.rng.IntN(600))
		if _, err := f.Write(text[:n]); err != nil {
			return err
		}
		text = text[n:]
		e.nap(1500 * time.Microsecond)
	}
	return f.Close()
}

// rename writes another file and renames it over the old one.
func (e *editor) rename(p string, _, text []byte) error {
	tmp := filepath.Join(filepath.Dir(p), "."+filepath.Base(p)+"."+e.name+"~")
	if err := os.WriteFile(tmp, text, 0o666); err != nil {
		return err
	}
	return os.Rename(tmp, p)
}

// backup keeps the old file under another name until the new one is written.
func (e *editor) backup(p string, _, text []byte) error {
	old := p + "~"
	if err := os.Rename(p, old); err != nil {
		return gone(err)
	}
	e.nap(300 * time.Microsecond)
	if err := os.WriteFile(p, text, 0o666); err != nil {
		return err
	}
	return os.Remove(old)
}

// truncate cuts the file to nothing, closes it, and writes it a moment later.
func (e *editor) truncate(p string, _, text []byte) error {
	f, err := os.OpenFile(p, os.O_RDWR, 0)
	if err != nil {
		return gone(err)
	}
	defer f.Close()
	if err := f.Truncate(0); err != nil {
		return err
	}
	e.nap(time.Millisecond)
	_, err = f.WriteAt(text, 0)
	return err
}

func (e *editor) deleteCreate(p string, _, text []byte) error {
	if err := os.Remove(p); err != nil {
		return gone(err)
	}
	e.nap(300 * time.Microsecond)
	err := writeNew(p, text)
	if errors.Is(err, errNotSaved) {
		// An operation has brought the file back. A person would say: overwrite.
		return os.WriteFile(p, text, 0o666)
	}
	return err
}

// writeNew creates a file.
func writeNew(p string, text []byte) error {
	f, err := os.OpenFile(p, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return errNotSaved
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// moveAway moves the file to another folder, saves it there, and moves it back.
func (e *editor) moveAway(p string, old, text []byte) error {
	away := filepath.Join(filepath.Dir(filepath.Dir(p)), "attic", e.name+" "+filepath.Base(p))
	if err := os.Rename(p, away); err != nil {
		return gone(err)
	}
	e.nap(2 * time.Millisecond)
	f, err := os.OpenFile(away, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	now, err := io.ReadAll(f)
	if err == nil && bytes.Equal(now, old) {
		if err = f.Truncate(0); err == nil {
			_, err = f.WriteAt(text, 0)
		}
	} else if err == nil {
		err = &movedBack{now} // an operation came in between
	}
	return errors.Join(err, f.Close(), os.Rename(away, p))
}
