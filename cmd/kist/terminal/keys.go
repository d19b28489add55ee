package terminal

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// What terminals send around pasted text when they are asked to (bracketed paste).
const (
	pasteOn    = "\x1b[?2004h"
	pasteOff   = "\x1b[?2004l"
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// keys says what each key does, by what terminals send for it. They don't agree, so
// most keys have several names: those of xterm, of the Linux console and of rxvt,
// with Ctrl, Alt or Meta held down.
func keys() map[string]func(*Editor) {
	edit := func(f func(*input)) func(*Editor) { return func(e *Editor) { f(&e.in) } }
	table := map[string]func(*Editor){}
	for _, row := range []struct {
		do   func(*Editor)
		sent []string
	}{
		{edit((*input).home), []string{ctrl('A'), "\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"}},
		{edit((*input).end), []string{ctrl('E'), "\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"}},
		{edit((*input).left), []string{ctrl('B'), "\x1b[D", "\x1bOD"}},
		{edit((*input).right), []string{ctrl('F'), "\x1b[C", "\x1bOC"}},
		{edit((*input).wordLeft), []string{"\x1bb", "\x1b[1;5D", "\x1b[1;3D", "\x1b[1;9D", "\x1b[5D", "\x1bOd", "\x1b\x1b[D"}},
		{edit((*input).wordRight), []string{"\x1bf", "\x1b[1;5C", "\x1b[1;3C", "\x1b[1;9C", "\x1b[5C", "\x1bOc", "\x1b\x1b[C"}},
		{edit((*input).rubOut), []string{ctrl('H'), "\x7f"}},
		{edit((*input).remove), []string{"\x1b[3~"}},
		{edit((*input).cutBlank), []string{ctrl('W')}},
		{edit((*input).cutWordLeft), []string{"\x1b\x7f", "\x1b" + ctrl('H')}},
		{edit((*input).cutWordRight), []string{"\x1bd", "\x1b[3;5~", "\x1b[3;3~"}},
		{edit((*input).cutToStart), []string{ctrl('U')}},
		{edit((*input).cutToEnd), []string{ctrl('K')}},
		{edit((*input).paste), []string{ctrl('Y')}},
		{(*Editor).older, []string{ctrl('P'), "\x1b[A", "\x1bOA"}},
		{(*Editor).newer, []string{ctrl('N'), "\x1b[B", "\x1bOB"}},
		{(*Editor).submit, []string{"\r", "\n"}},
		{(*Editor).interrupt, []string{ctrl('C')}},
		{(*Editor).endOfInput, []string{ctrl('D')}},
		{(*Editor).clear, []string{ctrl('L')}},
	} {
		for _, sent := range row.sent {
			table[sent] = row.do
		}
	}
	return table
}

func ctrl(letter rune) string { return string(letter - '@') }

// next takes the first key, or a run of typed characters, or a whole paste off what a
// terminal sent. Either sent or text is empty; n is how many bytes it was, 0 where the
// rest of a key has yet to arrive.
func next(b []byte) (sent, text string, n int) {
	switch {
	case len(b) == 0:
		return "", "", 0
	case bytes.HasPrefix(b, []byte(pasteStart)):
		end := bytes.Index(b, []byte(pasteEnd))
		if end < 0 {
			return "", "", 0
		}
		return "", pasted(b[len(pasteStart):end]), end + len(pasteEnd)
	case b[0] == 0x1b:
		n = escapeLength(b)
		return string(b[:n]), "", n
	case b[0] < 0x20 || b[0] == 0x7f:
		return string(b[:1]), "", 1
	}
	for n < len(b) && b[n] >= 0x20 && b[n] != 0x7f && utf8.FullRune(b[n:]) {
		_, size := utf8.DecodeRune(b[n:])
		n += size
	}
	return "", strings.ToValidUTF8(string(b[:n]), ""), n
}

// escapeLength is how long the sequence is that b begins with, 0 if it isn't complete.
// A single press of Escape can't be told from its beginning: it waits for the next key.
func escapeLength(b []byte) int {
	switch {
	case len(b) < 2:
		return 0
	case b[1] == 'O':
		return min(3, len(b)/3*3)
	case b[1] == 0x1b: // Alt and a key that is a sequence itself
		if n := escapeLength(b[1:]); n > 0 {
			return n + 1
		}
		return 0
	case b[1] != '[':
		if !utf8.FullRune(b[1:]) {
			return 0
		}
		_, size := utf8.DecodeRune(b[1:])
		return 1 + size
	}
	// ECMA-48: parameters and intermediates, then one final byte.
	for i, c := range b[2:] {
		if c < 0x20 || c > 0x3f {
			return i + 3
		}
	}
	return 0
}

// pasted makes text that was pasted fit for a message: terminals send line ends as CR.
func pasted(b []byte) string {
	s := strings.ReplaceAll(strings.ToValidUTF8(string(b), ""), "\r\n", "\n")
	return strings.ReplaceAll(s, "\r", "\n")
}
