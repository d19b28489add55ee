package oplog

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Encode returns a record as a YAML document with its start and end marks, in a form
// that people can read: patches are literal blocks wherever YAML can hold them in one.
// It reads back what it wrote; should a patch not be the same, base64 stands for it.
func Encode(r Record) ([]byte, error) {
	var err error
	for _, plain := range []bool{true, false} {
		text := write(r, plain)
		if err = comesBack(r, text[len(docStart):len(text)-len(docEnd)]); err == nil {
			return text, nil
		}
	}
	return nil, fmt.Errorf("encode operation %s: %w", r.ID, err)
}

func comesBack(r Record, text []byte) error {
	back, err := Decode(text)
	if err != nil {
		return err
	}
	for i, c := range r.Changes {
		if i >= len(back.Changes) || back.Changes[i].Patch != c.Patch {
			return fmt.Errorf("%w: the patch of %q does not come back", ErrRecord, c.Path)
		}
	}
	return nil
}

func write(r Record, plain bool) []byte {
	w := &writer{plain: plain}
	w.WriteString(docStart)
	w.field("", "id", r.ID)
	w.field("", "event", string(r.Event))
	w.raw("at", r.At.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano))
	w.field("", "type", string(r.Type))
	if e := r.Entity; e != nil {
		w.entity(*e)
	}
	w.field("", "actor", string(r.Actor))
	w.field("", "client", r.Client)
	w.field("", "session", r.Session)
	w.field("", "turn", r.Turn)
	if r.Outside {
		w.raw("outside", "true")
	}
	w.field("", "request", r.Request)
	if r.Batch != r.ID {
		w.field("", "batch", r.Batch)
	}
	w.number("seq", int64(r.Seq))
	w.field("", "reason", r.Reason)
	w.field("", "undoes", r.Undoes)
	w.field("", "error", r.Error)
	w.number("duration_ms", r.DurationMS)
	w.field("", "digest", r.Digest)
	for i, c := range r.Changes {
		if i == 0 {
			w.WriteString("changes:\n")
		}
		w.change(c)
	}
	w.WriteString(docEnd)
	return w.Bytes()
}

// A writer writes the few shapes of YAML that records have. (A library chooses the style
// of a text by itself, and takes quotes for all that ends in a blank.)
type writer struct {
	bytes.Buffer
	plain bool // patches may be text
}

func (w *writer) raw(key, value string) { w.WriteString(key + ": " + value + "\n") }

func (w *writer) number(key string, n int64) {
	if n != 0 {
		w.raw(key, strconv.FormatInt(n, 10))
	}
}

func (w *writer) field(indent, key, value string) {
	if value != "" {
		w.raw(indent+key, scalar(value))
	}
}

func (w *writer) entity(e Entity) {
	fields := []string{"type: " + scalar(e.Type)}
	if e.ID != "" {
		fields = append(fields, "id: "+scalar(e.ID))
	}
	if e.Path != "" {
		fields = append(fields, "path: "+scalar(e.Path))
	}
	w.raw("entity", "{"+strings.Join(fields, ", ")+"}")
}

func (w *writer) change(c Change) {
	w.raw("- path", scalar(c.Path))
	w.field("  ", "from", c.From)
	w.field("  ", "before", string(c.Before))
	w.field("  ", "after", string(c.After))
	w.field("  ", "mode", c.Mode)
	const indent = "   " // one more than the keys have, since bytes count
	switch patch := string(c.Patch); {
	case patch == "":
	case !w.plain || !utf8.ValidString(patch):
		w.WriteString("  patch_bytes: !!binary |\n")
		for code := base64.StdEncoding.EncodeToString([]byte(patch)); code != ""; {
			n := min(len(code), 76) // as in mail
			w.WriteString(indent + code[:n] + "\n")
			code = code[n:]
		}
	case strings.ContainsFunc(patch, func(r rune) bool { return r != '\n' && r != '\t' && escaped(r) }):
		w.WriteString("  patch: \"\\\n")
		for line := range strings.Lines(patch) {
			w.WriteString(indent + leading(escape(line)) + "\\\n")
		}
		w.WriteString(indent + "\"\n")
	default:
		w.WriteString("  patch: " + blockHead(patch, len(indent)) + "\n")
		for line := range strings.Lines(patch) {
			if line != "\n" {
				w.WriteString(indent)
			}
			w.WriteString(line)
		}
		if !strings.HasSuffix(patch, "\n") {
			w.WriteString("\n")
		}
	}
}

// blockHead says that a block is literal, how far it is indented where its first line
// doesn't show it, and whether the line breaks at its end belong to it.
func blockHead(text string, indent int) string {
	head := "|"
	if text[0] == ' ' || text[0] == '\n' || text[0] == '\t' {
		head += strconv.Itoa(indent - 2) // counted from the keys
	}
	switch {
	case !strings.HasSuffix(text, "\n"):
		head += "-"
	case text == "\n" || strings.HasSuffix(text, "\n\n"):
		head += "+"
	}
	return head
}

// escaped reports whether a rune can't stand for itself: what YAML 1.1 or 1.2 takes for
// a line break, the byte order mark, and what neither calls printable.
func escaped(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff
}

// escape returns what stands between quotation marks for a text of one line.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case escaped(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// leading keeps a blank that begins a line between quotation marks.
func leading(line string) string {
	if strings.HasPrefix(line, " ") {
		return `\` + line
	}
	return line
}

// scalar returns a text of one line as it stands behind a key: plain where no reader
// could take it for anything else.
func scalar(text string) string {
	if isPlain(text) {
		return text
	}
	return `"` + escape(strings.ToValidUTF8(text, "\ufffd")) + `"`
}

func isPlain(text string) bool {
	if text == "" || strings.HasSuffix(text, " ") || len(text) > 5 && strings.HasSuffix(text, "...") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text)
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		case strings.ContainsRune(" /._-()", r):
		case r >= 0xa1 && r != utf8.RuneError && !escaped(r) && (unicode.IsLetter(r) || unicode.IsPunct(r)):
		default:
			return false
		}
	}
	if !unicode.IsLetter(first) {
		return first >= '0' && first <= '9' && isCode(text)
	}
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf":
		return false
	}
	return true
}

// isCode reports whether a text of digits and letters, such as a hash or a ULID, is
// surely no number.
func isCode(text string) bool {
	for _, r := range text {
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return false
		}
	}
	return !strings.HasPrefix(text, "0x") && strings.ContainsAny(text, "acdfACDFGHJKMNPQRSTVWXYZ")
}
