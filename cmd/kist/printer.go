package main

import (
	"io"

	"kist/cmd/kist/console"
	"kist/cmd/kist/output"
)

// A printer writes what the daemon tells of, each kind in its own way.
type printer struct{ *output.Printer }

func newPrinter(w io.Writer) *printer { return &printer{output.New(w)} }

// wrapped prints what fn prints, with its words wrapped at a terminal's width.
func (p *printer) wrapped(fn func(*printer)) {
	p.Wrapped(func(in *output.Printer) { fn(&printer{in}) })
}

// newBar returns a bar on standard error.
func (c *cli) newBar() *console.Bar { return console.NewBar(c.log.Out, c.log.TTY) }
