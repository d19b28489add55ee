package anthropic

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire"
)

// The limits of an answer, far above any honest one's: its blocks, and the bytes of
// signatures and hidden thoughts.
const (
	maxBlocks = 1024
	maxSigned = 1 << 20
)

// A stream is an answer that comes. It takes more than the API promises: an event without a
// name counts by its data, and a field of another type that nobody needs ends nothing.
type stream struct {
	endpoint *endpoint.Endpoint
	events   *wire.SSE
	body     io.Closer
	first    *event // was read when the stream was opened
	blocks   []*block
	said     bool // some text was
	signed   int  // bytes
	usage    model.Usage
}

type event struct {
	Type    string `json:"type"`
	Index   *int   `json:"index"`
	Message struct {
		Usage json.RawMessage `json:"usage"`
	} `json:"message"`
	Block json.RawMessage `json:"content_block"`
	Delta json.RawMessage `json:"delta"`
	Usage json.RawMessage `json:"usage"`
}

// known: the event tells something. Pings and the ends of blocks don't.
func known(kind string) bool {
	switch kind {
	case "message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop":
		return true
	}
	return false
}

// next returns the next event that tells something, or io.EOF.
func (s *stream) next() (*event, error) {
	for {
		name, line, err := s.events.Next()
		switch {
		case err == wire.ErrNoStream && line[0] == '<':
			return nil, s.endpoint.Answered(http.StatusOK, webPage)
		case err == wire.ErrNoStream:
			return nil, s.endpoint.Answered(http.StatusOK, endpoint.Message(line))
		case err != nil:
			return nil, err
		}
		var e event
		err = json.Unmarshal(line, &e)
		if e.Type == "" {
			e.Type = name
		}
		switch {
		case e.Type == "error":
			return nil, s.fault(line)
		case known(e.Type) && err == nil:
			return &e, nil
		case known(e.Type) || e.Type == "" && err != nil && string(line) != "[DONE]":
			return nil, s.senseless(err)
		}
	}
}

func (s *stream) senseless(err error) error {
	return s.endpoint.Answered(http.StatusOK, "a line of the stream makes no sense: "+err.Error())
}

// fault is the error that a server tells in its stream.
func (s *stream) fault(line []byte) error {
	var told struct {
		Error struct {
			Type string `json:"type"`
		} `json:"error"`
	}
	status := http.StatusOK
	if json.Unmarshal(line, &told) == nil {
		status = statusOf(told.Error.Type)
	}
	return s.endpoint.Answered(status, endpoint.Message(line))
}

// statusOf is the status that the API's errors have where they come before a stream.
func statusOf(kind string) int {
	switch kind {
	case "invalid_request_error":
		return http.StatusBadRequest
	case "authentication_error":
		return http.StatusUnauthorized
	case "permission_error":
		return http.StatusForbidden
	case "not_found_error":
		return http.StatusNotFound
	case "request_too_large":
		return http.StatusRequestEntityTooLarge
	case "rate_limit_error":
		return http.StatusTooManyRequests
	case "api_error":
		return http.StatusInternalServerError
	case "timeout_error":
		return http.StatusGatewayTimeout
	case "overloaded_error":
		return 529
	}
	return http.StatusOK
}

// read hands the pieces of a stream on, until it is over. What breaks after the reason why
// it ends, breaks nothing.
func (s *stream) read(answer *wire.Answer) error {
	e, err := s.first, error(nil)
	if e == nil {
		return nil
	}
	for err == nil && !answer.Over() && e.Type != "message_stop" {
		if err = s.take(e, answer); err == nil {
			e, err = s.next()
		}
	}
	if err != nil && err != io.EOF && !answer.Stopped() {
		return err
	}
	if !answer.Stopped() {
		return nil
	}
	for _, b := range s.blocks {
		if !b.pieces && b.kind == kindUse {
			answer.Call(wire.Part{Index: &b.number, Arguments: b.input})
		}
	}
	answer.State(state(s.blocks))
	return nil
}

// take hands on what one event tells.
func (s *stream) take(e *event, answer *wire.Answer) error {
	var err error
	switch e.Type {
	case "message_start":
		s.count(e.Message.Usage, answer)
	case "content_block_start":
		err = s.begin(e, answer)
	case "content_block_delta":
		err = s.add(e, answer)
	case "message_delta":
		s.count(e.Usage, answer)
		var d struct {
			Reason string `json:"stop_reason"`
		}
		if err = decode(e.Delta, &d); err == nil && d.Reason != "" {
			answer.Stop(stopOf(d.Reason))
		}
	}
	if _, ok := errors.AsType[*endpoint.Error](err); err == nil || ok {
		return err
	}
	return s.senseless(err)
}

// decode reads a part of an event, which may be missing.
func decode(raw json.RawMessage, v any) error {
	if len(raw) == 0 {
		return nil
	}
	return json.Unmarshal(raw, v)
}

func stopOf(reason string) model.Stop {
	switch reason {
	case "tool_use":
		return model.Calls
	case "max_tokens", "model_context_window_exceeded":
		return model.Length
	case "refusal":
		return model.Refused
	}
	return model.End // end_turn, stop_sequence, pause_turn, and what comes after these
}

// count takes numbers of tokens. What was read is told at the beginning by some servers, by
// others at the end. Of what was written the last number is that of the whole answer, also
// where it is less than the one at the beginning, which is a guess.
func (s *stream) count(raw json.RawMessage, answer *wire.Answer) {
	var u struct {
		Input   int  `json:"input_tokens"`
		Read    int  `json:"cache_read_input_tokens"`
		Created int  `json:"cache_creation_input_tokens"`
		Output  *int `json:"output_tokens"`
		Details struct {
			Thinking int `json:"thinking_tokens"`
		} `json:"output_tokens_details"`
	}
	const most = 1 << 30 // above it they make no sense
	if json.Unmarshal(raw, &u) != nil || max(u.Input, u.Read, u.Created) > most || min(u.Input, u.Read, u.Created) < 0 {
		return
	}
	s.usage = model.Usage{
		Input:    max(s.usage.Input, u.Input+u.Read+u.Created),
		Cached:   max(s.usage.Cached, u.Read),
		Output:   s.usage.Output,
		Thinking: max(s.usage.Thinking, u.Details.Thinking),
	}
	if u.Output != nil {
		s.usage.Output = *u.Output
	}
	answer.Usage(s.usage)
}

// begin takes the beginning of a block, with what is in it already.
func (s *stream) begin(e *event, answer *wire.Answer) error {
	var kind struct {
		Type string `json:"type"`
	}
	if err := decode(e.Block, &kind); err != nil {
		return err
	}
	if kind.Type == "" {
		return nil // its pieces tell what it is
	}
	b, err := s.fresh(kind.Type, e.Index)
	if err != nil {
		return err
	}
	var begun struct {
		Text      string          `json:"text"`
		Thinking  string          `json:"thinking"`
		Signature string          `json:"signature"`
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Input     json.RawMessage `json:"input"`
	}
	switch b.kind {
	case kindText, kindThinking, kindUse:
		if err := decode(e.Block, &begun); err != nil {
			return err
		}
	case kindRedacted:
		b.redacted = e.Block
		return s.sign(len(e.Block))
	default:
		return nil
	}
	s.say(b, begun.Text, answer)
	s.think(b, begun.Thinking, answer)
	if b.kind == kindUse {
		b.input = begun.Input
		answer.Call(wire.Part{Index: &b.number, ID: begun.ID, Name: begun.Name})
	}
	b.signature.WriteString(begun.Signature)
	return s.sign(len(begun.Signature))
}

// fresh is the next block.
func (s *stream) fresh(kind string, index *int) (*block, error) {
	n := len(s.blocks)
	if n >= maxBlocks {
		return nil, s.endpoint.Answered(http.StatusOK, fmt.Sprintf("an answer of more than %d blocks", maxBlocks))
	}
	b := &block{kind: kind, index: index, number: n}
	b.gap = kind == kindText && s.said && s.blocks[n-1].kind != kindText
	s.blocks = append(s.blocks, b)
	return b, nil
}

// sign counts what is kept to be sent back.
func (s *stream) sign(bytes int) error {
	if s.signed += bytes; s.signed > maxSigned {
		return s.endpoint.Answered(http.StatusOK, fmt.Sprintf("signatures of over %d bytes", maxSigned))
	}
	return nil
}

func (s *stream) say(b *block, piece string, answer *wire.Answer) {
	if piece == "" {
		return
	}
	s.said = s.said || strings.TrimSpace(piece) != ""
	b.text.WriteString(piece)
	if b.gap {
		b.gap, piece = false, "\n\n"+piece
	}
	answer.Text(piece)
}

func (s *stream) think(b *block, piece string, answer *wire.Answer) {
	b.text.WriteString(piece)
	answer.Thinking(piece)
}

// add takes a piece of a block.
func (s *stream) add(e *event, answer *wire.Answer) error {
	var d struct {
		Type      string          `json:"type"`
		Text      string          `json:"text"`
		Thinking  string          `json:"thinking"`
		Signature string          `json:"signature"`
		Arguments json.RawMessage `json:"partial_json"`
	}
	kind, err := kindOf(e.Delta)
	if kind == "" || err != nil {
		return err
	}
	if err := json.Unmarshal(e.Delta, &d); err != nil {
		return err
	}
	b := s.find(e.Index, kind)
	if b == nil { // nothing said that it begins
		if b, err = s.fresh(kind, e.Index); err != nil {
			return err
		}
	}
	switch b.kind {
	case kindText:
		s.say(b, d.Text, answer)
	case kindThinking:
		s.think(b, d.Thinking, answer)
		b.signature.WriteString(d.Signature)
		return s.sign(len(d.Signature))
	case kindUse:
		b.pieces = b.pieces || len(d.Arguments) > len(`""`) && string(d.Arguments) != "null"
		answer.Call(wire.Part{Index: &b.number, Arguments: d.Arguments})
	}
	return nil
}

// kindOf is the kind of block that a piece belongs to; empty: it tells nothing.
func kindOf(delta json.RawMessage) (string, error) {
	var d struct {
		Type string `json:"type"`
	}
	if err := decode(delta, &d); err != nil {
		return "", err
	}
	switch d.Type {
	case "text_delta":
		return kindText, nil
	case "thinking_delta", "signature_delta":
		return kindThinking, nil
	case "input_json_delta":
		return kindUse, nil
	}
	return "", nil
}

// find returns the last block of a number, or of any where none is told, to which a piece
// of a kind may belong: one of that kind, or one that isn't understood.
func (s *stream) find(index *int, kind string) *block {
	for _, b := range slices.Backward(s.blocks) {
		switch {
		case index != nil && (b.index == nil || *b.index != *index):
		case b.kind == kind || !ours(b.kind):
			return b
		}
	}
	return nil
}
