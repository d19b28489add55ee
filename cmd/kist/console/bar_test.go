package console

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBarOnATerminalStaysOnOneLine(t *testing.T) {
	var buf bytes.Buffer
	b := &Bar{w: &buf, tty: true}
	b.Show(1, 2, "indexing\x1b[2J")
	b.End()
	want := "\r\x1b[Kindexing␛[2J [###############...............] 1/2\r\x1b[K"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
}

func TestBarElsewhereIsALineNowAndThen(t *testing.T) {
	var buf bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		b := NewBar(&buf, false)
		for i := range 11 {
			b.Show(i, 10, "indexing")
			time.Sleep(2 * time.Second)
		}
		b.End()
	})
	want := "indexing: 3 of 10, 0.50 a second, 14s left\nindexing: 6 of 10, 0.50 a second, 8s left\n" +
		"indexing: 9 of 10, 0.50 a second, 2s left\nindexing: 10 of 10\n"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
}

// TestQuestionStaysLast: what is logged while a question is open goes before it, no bar
// covers it, and what is logged can't do anything to a terminal.
func TestQuestionStaysLast(t *testing.T) {
	var buf bytes.Buffer
	c := New(&buf, true)
	c.Ask("Sure?", func() { buf.WriteString("it would\n") })
	if _, err := c.Write([]byte("news\x1b[2J\n")); err != nil {
		t.Fatal(err)
	}
	c.Progress(1, 2, "indexing")
	c.Progress(2, 2, "indexing")
	c.Answered()
	if _, err := c.Write([]byte("more\n")); err != nil {
		t.Fatal(err)
	}
	want := "it would\nSure? [y/N] \r\x1b[Knews␛[2J\nSure? [y/N] \r\x1b[Kmore\n"
	if diff := cmp.Diff(want, buf.String()); diff != "" {
		t.Error(diff)
	}
}
