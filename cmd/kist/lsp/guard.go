package lsp

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	maxMessage = 16 << 20 // bytes of one message
	maxHeader  = 8 << 10  // bytes of its header
)

// A guard lets messages through whose header makes sense: whoever reads them takes a header's
// word for how much memory to have ready.
type guard struct {
	in    io.Reader
	read  *bufio.Reader
	head  []byte // what is left of a header that was looked at
	body  int    // bytes of the message that are to come
	fault error  // why nothing more is read
}

// Read implements [io.Reader].
func (g *guard) Read(p []byte) (int, error) {
	if g.read == nil {
		g.read = bufio.NewReader(g.in)
	}
	if len(g.head) == 0 && g.body == 0 {
		if err := g.header(); err != nil {
			return 0, err
		}
	}
	if len(g.head) > 0 {
		n := copy(p, g.head)
		g.head = g.head[n:]
		return n, nil
	}
	n, err := g.read.Read(p[:min(len(p), g.body)])
	g.body -= n
	return n, err
}

// header reads a header.
func (g *guard) header() error {
	if g.fault != nil {
		return g.fault
	}
	size := -1
	var head []byte
	for {
		line, err := g.read.ReadSlice('\n')
		if err == io.EOF && len(head)+len(line) == 0 {
			return io.EOF
		}
		if head = append(head, line...); err == bufio.ErrBufferFull || len(head) > maxHeader {
			return g.refuse("a header of more than %d bytes", maxHeader)
		}
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		key, value, _ := strings.Cut(string(line), ":")
		if !strings.EqualFold(strings.TrimSpace(key), "Content-Length") {
			continue
		}
		if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || size < 0 {
			return g.refuse("the Content-Length %.40q", value)
		}
	}
	if size < 0 {
		return g.refuse("a message without Content-Length")
	}
	if size > maxMessage {
		return g.refuse("a message of %d bytes; there may be %d", size, maxMessage)
	}
	// Only what counts goes on: a type that isn't known is no reason to stop.
	g.head, g.body = fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", size), size
	return nil
}

func (g *guard) refuse(format string, args ...any) error {
	g.fault = fmt.Errorf("the editor sent "+format, args...)
	return g.fault
}
