package export

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// A reader reads lists of conversations, of one export.
type reader struct {
	source Source
	left   int64 // bytes that may still be read
	each   func(Conversation) error
	count  int
}

// bounded stops when its file, or the conversation that is being read, is too large.
type bounded struct {
	from io.Reader
	all  *int64
	one  int64
	err  error // why it stopped
}

func (b *bounded) Read(p []byte) (int, error) {
	switch {
	case b.one <= 0:
		b.err = fmt.Errorf("%w: a conversation is larger than %d MiB", ErrFile, maxOne>>20)
	case *b.all <= 0:
		b.err = fmt.Errorf("%w: it unpacks to more than %d MiB", ErrFile, maxUnpacked>>20)
	}
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.one, *b.all)])
	b.one -= int64(n)
	*b.all -= int64(n)
	return n, err
}

// list reads one file, conversation by conversation.
func (r *reader) list(ctx context.Context, name string, from io.Reader) error {
	b := &bounded{from: from, all: &r.left, one: maxOne}
	text := bufio.NewReader(b)
	if mark, _ := text.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = text.Discard(3) // they were just looked at
	}
	err := r.elements(ctx, json.NewDecoder(text), b)
	switch _, syntax := errors.AsType[*json.SyntaxError](err); {
	case err == nil:
		return nil
	case b.err != nil:
		return b.err
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %s is cut off after %d conversations", ErrFile, name, r.count)
	case syntax:
		return fmt.Errorf("%w: %s is broken JSON after %d conversations (%v)", ErrFile, name, r.count, err)
	}
	if _, odd := errors.AsType[*json.UnmarshalTypeError](err); odd { // such as a number of 300 digits
		return fmt.Errorf("%w: %s has a value that can't be read after %d conversations", ErrFile, name, r.count)
	}
	return err
}

func (r *reader) elements(ctx context.Context, d *json.Decoder, b *bounded) error {
	first, err := d.Token()
	if err != nil {
		return err
	}
	if first != json.Delim('[') {
		return fmt.Errorf("%w: it holds no list of conversations; it may be another file of the export, or of a newer kind", ErrFile)
	}
	for d.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.one = maxOne
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		r.count++
		c, err := r.conversation(raw)
		if err != nil {
			return fmt.Errorf("%w: conversation %d: %v", ErrFile, r.count, err)
		}
		if err := r.each(c); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if _, err := d.Token(); err == nil {
		return fmt.Errorf("%w: something stands behind the list of conversations", ErrFile)
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// maxID is how long an id may be, in bytes.
const maxID = 200

// conversation reads one in the way of the export's source.
func (r *reader) conversation(raw json.RawMessage) (c Conversation, err error) {
	if r.source == ChatGPT {
		c, err = readChatGPT(raw)
	} else {
		c, err = readClaude(raw)
	}
	switch {
	case err != nil:
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return c, fmt.Errorf("%q is of another kind than in the exports that kist knows", wrong.Field)
		}
		return c, err
	case c.ID == "" || len(c.ID) > maxID || strings.IndexFunc(c.ID, func(r rune) bool { return !unicode.IsGraphic(r) }) >= 0:
		return c, errors.New("it has no id that kist can keep")
	}
	return c, nil
}

// clean makes lines of text that any editor can show.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text), " \t\n")
}

// add appends a message that says something.
func (c *Conversation) add(m Message) {
	m.Text = clean(m.Text)
	if strings.TrimSpace(m.Text) != "" || m.Left > 0 {
		c.Messages = append(c.Messages, m)
	}
}
