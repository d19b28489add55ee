package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"kist/cmd/kist/console"
	"kist/cmd/kist/terminal"
)

// A printer is the one way to a stream. It writes safe text only, in colour if
// the stream is a terminal that wants it. The first error of the stream stays
// in err and ends all later output.
type printer struct {
	w     io.Writer
	tty   bool
	color bool
	err   error
}

// safe is text that may be written as it is: made visible before, or our own.
type safe string

// A style is the middle of a terminal's colour sequence.
type style string

const (
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

func newPrinter(w io.Writer) *printer {
	f, ok := w.(*os.File)
	p := &printer{w: w, tty: ok && term.IsTerminal(int(f.Fd()))}
	p.color = p.tty && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return p
}

// paint returns one line of untrusted text in a style.
func (p *printer) paint(s style, text string) safe { return p.wrap(s, safe(terminal.Line(text))) }

// wrap puts a style around text that is safe already.
func (p *printer) wrap(s style, text safe) safe {
	if !p.color || text == "" {
		return text
	}
	return "\x1b[" + safe(s) + "m" + text + "\x1b[0m"
}

// printf writes by a constant format. Every argument is made fit for one line
// unless it is safe or a number.
func (p *printer) printf(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case safe, int, int32, int64, uint64, float64, bool:
		default:
			args[i] = safe(terminal.Line(fmt.Sprint(a)))
		}
	}
	p.write(fmt.Appendf(nil, format, args...))
}

// text writes untrusted text of any number of lines.
func (p *printer) text(s string) { p.write([]byte(terminal.Block(s))) }

// raw writes bytes of a document, as they are unless a terminal would see them.
func (p *printer) raw(b []byte) {
	if p.tty {
		b = []byte(terminal.Block(string(b)))
	}
	p.write(b)
}

// json writes a message as one indented object; with its zero values, so that
// scripts find every field.
func (p *printer) json(m proto.Message) error { return p.encode(m, true) }

// jsonLine writes a message as one line.
func (p *printer) jsonLine(m proto.Message) error { return p.encode(m, false) }

func (p *printer) encode(m proto.Message, indent bool) error {
	b, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode the response: %w", err)
	}
	return p.jsonValue(json.RawMessage(b), indent)
}

// jsonValue writes anything as JSON.
func (p *printer) jsonValue(v any, indent bool) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the response: %w", err)
	}
	p.write([]byte(terminal.JSON(buf.String())))
	return p.err
}

func (p *printer) write(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}

// newBar returns a bar on standard error.
func (c *cli) newBar() *console.Bar { return console.NewBar(c.log.w, c.log.tty) }

// A table is rows of cells that are printed in columns.
type table [][]safe

// add appends a row; untrusted strings are made fit for one line.
func (t *table) add(cells ...any) {
	row := make([]safe, len(cells))
	for i, c := range cells {
		s, ok := c.(safe)
		if !ok {
			s = safe(terminal.Line(fmt.Sprint(c)))
		}
		row[i] = s
	}
	*t = append(*t, row)
}

// table prints rows with two blanks between the columns; the last one is not padded.
func (p *printer) table(t table) {
	var widths []int
	for _, row := range t {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], terminal.Cells(string(c)))
		}
	}
	for _, row := range t {
		var b strings.Builder
		for i, c := range row {
			b.WriteString(string(c))
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-terminal.Cells(string(c))+2))
			}
		}
		p.printf("%s\n", safe(strings.TrimRight(b.String(), " ")))
	}
}

// columns is how wide the terminal is, 0 for what isn't one.
func (p *printer) columns() int {
	if f, ok := p.w.(*os.File); ok && p.tty {
		return terminal.Columns(f)
	}
	return 0
}

// wrapped prints what fn prints, with its words wrapped at a terminal's width.
func (p *printer) wrapped(fn func(*printer)) {
	columns := p.columns()
	if columns == 0 {
		fn(p)
		return
	}
	var text strings.Builder
	fn(&printer{w: &text, tty: p.tty, color: p.color})
	w := terminal.Wrapper{Width: columns}
	p.write([]byte(w.Add(text.String()) + w.End()))
}
