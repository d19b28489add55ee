package terminal

import (
	"slices"
	"unicode"
)

// An input is the text that is being written, with the cursor in it. Its methods are
// what keys do; none fails, each does nothing where there is nothing to do.
type input struct {
	text []rune
	at   int    // the cursor is before this rune
	cut  []rune // what was cut out last
}

func (in *input) insert(text []rune) {
	in.text = slices.Insert(in.text, in.at, text...)
	in.at += len(text)
}

// set puts another text in place, with the cursor at its end.
func (in *input) set(text string) {
	in.text = []rune(text)
	in.at = len(in.text)
}

func (in *input) home() { in.at = 0 }
func (in *input) end()  { in.at = len(in.text) }

// left and right step over a character with all that combines with it.
func (in *input) left()  { in.at = in.before() }
func (in *input) right() { in.at = in.after() }

func (in *input) before() int {
	i := max(in.at-1, 0)
	for i > 0 && cells(in.text[i]) == 0 && in.text[i] != '\n' {
		i--
	}
	return i
}

func (in *input) after() int {
	i := min(in.at+1, len(in.text))
	for i < len(in.text) && cells(in.text[i]) == 0 && in.text[i] != '\n' {
		i++
	}
	return i
}

func (in *input) wordLeft()  { in.at = in.start(inWord) }
func (in *input) wordRight() { in.at = in.stop(inWord) }

// start is where the word before the cursor begins.
func (in *input) start(word func(rune) bool) int {
	i := in.at
	for i > 0 && !word(in.text[i-1]) {
		i--
	}
	for i > 0 && word(in.text[i-1]) {
		i--
	}
	return i
}

// stop is where the word at or after the cursor ends.
func (in *input) stop(word func(rune) bool) int {
	i := in.at
	for i < len(in.text) && !word(in.text[i]) {
		i++
	}
	for i < len(in.text) && word(in.text[i]) {
		i++
	}
	return i
}

func inWord(r rune) bool  { return unicode.In(r, unicode.L, unicode.M, unicode.N) }
func inBlank(r rune) bool { return !unicode.IsSpace(r) }

// rubOut removes the last rune before the cursor, so that an accent can be taken off
// its letter.
func (in *input) rubOut() {
	if in.at > 0 {
		in.at--
		in.text = slices.Delete(in.text, in.at, in.at+1)
	}
}

// remove removes the character under the cursor.
func (in *input) remove() { in.text = slices.Delete(in.text, in.at, in.after()) }

func (in *input) cutBlank()     { in.take(in.start(inBlank), in.at) }
func (in *input) cutWordLeft()  { in.take(in.start(inWord), in.at) }
func (in *input) cutWordRight() { in.take(in.at, in.stop(inWord)) }
func (in *input) cutToStart()   { in.take(0, in.at) }
func (in *input) cutToEnd()     { in.take(in.at, len(in.text)) }

// take cuts out part of the text; paste brings it back.
func (in *input) take(from, to int) {
	if from == to {
		return
	}
	in.cut = slices.Clone(in.text[from:to])
	in.text = slices.Delete(in.text, from, to)
	in.at = from
}

func (in *input) paste() { in.insert(in.cut) }
