package markdown

import (
	"errors"
	"fmt"
)

// The sentinels of this package; every error returned wraps one of them.
var (
	// ErrFrontMatter: the front matter doesn't parse, or is over a limit. The
	// error is a [*SyntaxError]. No edit is made until it is repaired, but for
	// aliases: those only stop edits of the keys they are about.
	ErrFrontMatter = errors.New("invalid front matter")
	// ErrUnsupported: the edit can't be made without touching other bytes or
	// without guessing. The error is an [*UnsupportedError].
	ErrUnsupported = errors.New("can't be edited safely")
	// ErrValue: not one YAML value on one line or not a usable key; not the text of
	// one list item; not a usable heading or level.
	ErrValue = errors.New("invalid value")
	// ErrNoProperty: the front matter has no such key, or its list no such element.
	ErrNoProperty = errors.New("no such property")
	// ErrNoSection: no heading of that name.
	ErrNoSection = errors.New("no such section")
	// ErrAmbiguous: several headings of that name; "Name#2" means the second.
	ErrAmbiguous = errors.New("ambiguous heading")
	// ErrNotItem: no checkbox, or no list item, on that line.
	ErrNotItem = errors.New("no checkbox or list item on that line")
)

// A SyntaxError says where front matter is wrong. It wraps [ErrFrontMatter].
type SyntaxError struct {
	Line    int // in the file, from 1
	Column  int // in characters, from 1
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

func (e *SyntaxError) Unwrap() error { return ErrFrontMatter }

// An UnsupportedError says what can't be edited safely, and where. It wraps
// [ErrUnsupported].
type UnsupportedError struct {
	Line    int // in the file, from 1
	Column  int // in characters, from 1
	Message string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

func (e *UnsupportedError) Unwrap() error { return ErrUnsupported }
