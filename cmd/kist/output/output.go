/*
Package output is how kist writes to a terminal, a file or a pipe: safe text only, whatever a vault
holds.
*/
package output

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

	"kist/cmd/kist/terminal"
)

// A Printer is the one way to a stream. It writes safe text only, in colour if
// the stream is a terminal that wants it. The first error of the stream stays
// in Err and ends all later output.
type Printer struct {
	Out   io.Writer
	TTY   bool // it is a terminal
	Color bool
	Err   error
}

// Safe is text that may be written as it is: made visible before, or our own.
type Safe string

// A Style is the middle of a terminal's colour sequence.
type Style string

const (
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// New returns a printer to w, which knows whether that is a terminal.
func New(w io.Writer) *Printer {
	f, ok := w.(*os.File)
	p := &Printer{Out: w, TTY: ok && term.IsTerminal(int(f.Fd()))}
	p.Color = p.TTY && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return p
}

// Paint returns one line of untrusted text in a style.
func (p *Printer) Paint(s Style, text string) Safe { return p.Wrap(s, Safe(terminal.Line(text))) }

// Wrap puts a style around text that is safe already.
func (p *Printer) Wrap(s Style, text Safe) Safe {
	if !p.Color || text == "" {
		return text
	}
	return "\x1b[" + Safe(s) + "m" + text + "\x1b[0m"
}

// Printf writes by a constant format. Every argument is made fit for one line
// unless it is safe or a number.
func (p *Printer) Printf(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case Safe, int, int32, int64, uint64, float64, bool:
		default:
			args[i] = Safe(terminal.Line(fmt.Sprint(a)))
		}
	}
	p.Write(fmt.Appendf(nil, format, args...))
}

// Text writes untrusted text of any number of lines.
func (p *Printer) Text(s string) { p.Write([]byte(terminal.Block(s))) }

// Raw writes bytes of a document, as they are unless a terminal would see them.
func (p *Printer) Raw(b []byte) {
	if p.TTY {
		b = []byte(terminal.Block(string(b)))
	}
	p.Write(b)
}

// JSON writes a message as one indented object; with its zero values, so that
// scripts find every field.
func (p *Printer) JSON(m proto.Message) error { return p.encode(m, true) }

// JSONLine writes a message as one line.
func (p *Printer) JSONLine(m proto.Message) error { return p.encode(m, false) }

func (p *Printer) encode(m proto.Message, indent bool) error {
	b, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode the response: %w", err)
	}
	return p.JSONValue(json.RawMessage(b), indent)
}

// JSONValue writes anything as JSON.
func (p *Printer) JSONValue(v any, indent bool) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode the response: %w", err)
	}
	p.Write([]byte(terminal.JSON(buf.String())))
	return p.Err
}

func (p *Printer) Write(b []byte) {
	if p.Err == nil {
		_, p.Err = p.Out.Write(b)
	}
}

// A Table is rows of cells that are printed in columns.
type Table [][]Safe

// Add appends a row; untrusted strings are made fit for one line.
func (t *Table) Add(cells ...any) {
	row := make([]Safe, len(cells))
	for i, c := range cells {
		s, ok := c.(Safe)
		if !ok {
			s = Safe(terminal.Line(fmt.Sprint(c)))
		}
		row[i] = s
	}
	*t = append(*t, row)
}

// Table prints rows with two blanks between the columns; the last one is not padded.
func (p *Printer) Table(t Table) {
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
		p.Printf("%s\n", Safe(strings.TrimRight(b.String(), " ")))
	}
}

// Columns is how wide the terminal is, 0 for what isn't one.
func (p *Printer) Columns() int {
	if f, ok := p.Out.(*os.File); ok && p.TTY {
		return terminal.Columns(f)
	}
	return 0
}

// Wrapped prints what fn prints, with its words wrapped at a terminal's width.
func (p *Printer) Wrapped(fn func(*Printer)) {
	Columns := p.Columns()
	if Columns == 0 {
		fn(p)
		return
	}
	var text strings.Builder
	fn(&Printer{Out: &text, TTY: p.TTY, Color: p.Color})
	w := terminal.Wrapper{Width: Columns}
	p.Write([]byte(w.Add(text.String()) + w.End()))
}

// LineRef names a line of a file the way compilers do.
func LineRef(path string, n int32) string {
	if n == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, n)
}

// Plural is a number of things: "1 file", "2 files".
func Plural(n int, noun string) Safe {
	if n == 1 {
		return Safe("1 " + noun)
	}
	return Safe(fmt.Sprintf("%d %ss", n, noun))
}

// OneLine makes text fit for a line with blanks where it had line ends and tabs.
func OneLine(s string) string {
	return terminal.Line(strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(s))
}

// NoPatch says why there is none to show.
func NoPatch(leftOut bool) string {
	if leftOut {
		return "too much to be shown here; kist op show shows it"
	}
	return "only hashes were kept"
}
