package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// ErrNoStream: what came is no stream of events, but a web page or one object.
var ErrNoStream = errors.New("no stream of events")

// maxOther bounds what is read of something that is no stream.
const maxOther = 4 << 10

// An SSE reads a stream of server-sent events. Servers write them in ways of their own:
// without the blank behind the colon, without the empty line between two events, without
// the newline at the very end.
type SSE struct {
	lines *bufio.Reader
	event string // named since the last empty line
}

// NewSSE returns a reader of r, which has to bound the length of a line.
func NewSSE(r io.Reader) *SSE { return &SSE{lines: bufio.NewReader(r)} }

// Next returns the next line of data and, if it has one, the name of its event. The error is
// io.EOF at the end, and ErrNoStream, with the beginning of what came instead, where it is no
// stream. A last line without its newline counts where it is whole JSON: otherwise it was
// cut.
func (s *SSE) Next() (event string, data []byte, err error) {
	for {
		line, err := s.lines.ReadBytes('\n')
		line = bytes.TrimPrefix(bytes.TrimSpace(line), []byte("\uFEFF"))
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		if err != nil && (err != io.EOF || !json.Valid(value) && !other(line)) {
			return "", nil, err
		}
		switch {
		case len(line) == 0:
			s.event = ""
		case string(name) == "event":
			s.event = string(value)
		case string(name) == "data" && len(value) > 0:
			return s.event, value, nil
		case string(name) == "error": // llama.cpp, once
			return "error", value, nil
		case other(line):
			rest, _ := io.ReadAll(io.LimitReader(s.lines, maxOther))
			return "", append(line, rest...), ErrNoStream
		}
	}
}

// other reports whether a line is the beginning of a web page or of JSON.
func other(line []byte) bool { return len(line) > 0 && bytes.IndexByte([]byte("<{["), line[0]) >= 0 }
