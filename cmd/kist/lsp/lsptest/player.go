/*
Package lsptest plays recorded dialogues with a language server. A dialogue is lines of text:

	> method {params}      a request
	< {result}             what its answer has to hold; "< error text" where it is to fail so, "< error text with
	                       {data}" where that is to come along
	! method {params}      a notification to the server
	? method {params}      one from the server, or a request of its, which is granted, has to hold this,
	                       now or within a while

An object has to hold the keys that are given, a list as many elements as are given, and a
text that begins with "~" is one that is to be somewhere in the text. $ROOT stands for the
vault's address.
*/
package lsptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"
)

// wait is how long is waited for what has to come.
const wait = 20 * time.Second

// A Player speaks for the editor.
type Player struct {
	one    sync.Mutex // for to
	to     io.Writer
	root   string
	id     int
	got    chan message // answers
	told   chan message // notifications
	heard  []message    // of these, those that nobody asked for yet
	ended  chan struct{}
	answer message
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// New returns a player that reads what the server says until that ends.
func New(to io.Writer, from io.Reader, root string) *Player {
	p := &Player{to: to, root: root, got: make(chan message, 100), told: make(chan message, 1000), ended: make(chan struct{})}
	go p.read(bufio.NewReader(from))
	return p
}

func (p *Player) read(from *bufio.Reader) {
	defer close(p.ended)
	for {
		head, err := textproto.NewReader(from).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(head.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(from, body); err != nil {
			return
		}
		var m message
		if json.Unmarshal(body, &m) != nil {
			return
		}
		if m.Method == "" {
			p.got <- m
		} else {
			if m.ID != nil { // a request, which the editor grants
				go func() {
					_ = p.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"applied":true}}`, m.ID)) // it may have ended
				}()
			}
			select {
			case p.told <- m:
			default: // nobody asks for so many, and answers have to get by
			}
		}
	}
}

// Frame is a message as it goes over the wire.
func Frame(body []byte) []byte {
	return fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// Message is what a line of a dialogue sends; nil: nothing.
func (p *Player) Message(line string) []byte {
	kind, rest, _ := strings.Cut(line, " ")
	method, params, _ := strings.Cut(strings.ReplaceAll(rest, "$ROOT", p.root), " ")
	if params == "" {
		params = "{}"
	}
	switch kind {
	case ">":
		p.id++
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, p.id, method, params)
	case "!":
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
	}
	return nil
}

// Play plays a dialogue, and returns what first isn't as it says.
func (p *Player) Play(dialogue string) error {
	for n, line := range strings.Split(dialogue, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := p.line(line); err != nil {
			return fmt.Errorf("line %d: %s\n%w", n+1, line, err)
		}
	}
	return nil
}

func (p *Player) line(line string) error {
	if line[0] == '>' || line[0] == '!' {
		if err := p.Send(line); err != nil || line[0] == '!' {
			return err
		}
		return p.Await()
	}
	kind, rest, _ := strings.Cut(strings.ReplaceAll(line, "$ROOT", p.root), " ")
	switch kind {
	case "<":
		return p.answered(rest)
	case "?":
		method, params, _ := strings.Cut(rest, " ")
		return p.notified(method, params)
	}
	return fmt.Errorf("a line begins with >, <, ! or ?")
}

// Send sends what a line says, and waits for nothing.
func (p *Player) Send(line string) error {
	return p.write(p.Message(line))
}

func (p *Player) write(body []byte) error {
	p.one.Lock()
	defer p.one.Unlock()
	_, err := p.to.Write(Frame(body))
	return err
}

// Await waits for an answer, whatever it is.
func (p *Player) Await() error {
	select {
	case p.answer = <-p.got:
		return nil
	case <-p.ended:
		return fmt.Errorf("the server ended")
	case <-time.After(wait):
		return fmt.Errorf("no answer")
	}
}

// Refused returns what the last answer says that nothing was done for, and what came along
// with that; false: it is no refusal.
func (p *Player) Refused() (why string, data json.RawMessage, refused bool) {
	if p.answer.Error == nil {
		return "", nil, false
	}
	return p.answer.Error.Message, p.answer.Error.Data, true
}

func (p *Player) answered(want string) error {
	if text, failing := strings.CutPrefix(want, "error "); failing {
		text, data, _ := strings.Cut(text, " with ")
		if p.answer.Error == nil || !strings.Contains(p.answer.Error.Message, text) {
			return fmt.Errorf("no such error: %s %v", p.answer.Result, p.answer.Error)
		}
		if data != "" {
			return holds(p.answer.Error.Data, data)
		}
		return nil
	}
	if p.answer.Error != nil {
		return fmt.Errorf("an error: %s", p.answer.Error.Message)
	}
	return holds(p.answer.Result, want)
}

func (p *Player) notified(method, want string) error {
	deadline := time.After(wait)
	var last error
	for i := 0; ; i++ {
		if i == len(p.heard) {
			select {
			case m := <-p.told:
				p.heard = append(p.heard, m)
			case <-deadline:
				return fmt.Errorf("no such notification; of the last: %v", last)
			case <-p.ended:
				return fmt.Errorf("the server ended; %v", last)
			}
		}
		if m := p.heard[i]; m.Method == method {
			if last = holds(m.Params, want); last == nil {
				p.heard = p.heard[i+1:]
				return nil
			}
		}
	}
}

func holds(have json.RawMessage, want string) error {
	var h, w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		return fmt.Errorf("what is expected isn't JSON: %w", err)
	}
	if len(have) > 0 {
		if err := json.Unmarshal(have, &h); err != nil {
			return err
		}
	}
	if !matches(h, w) {
		return fmt.Errorf("got %s", bytes.TrimSpace(have))
	}
	return nil
}

func matches(have, want any) bool {
	switch w := want.(type) {
	case map[string]any:
		h, ok := have.(map[string]any)
		for key, value := range w {
			ok = ok && matches(h[key], value)
		}
		return ok
	case []any:
		h, ok := have.([]any)
		ok = ok && len(h) == len(w)
		for i := range w {
			ok = ok && matches(h[i], w[i])
		}
		return ok
	case string:
		h, ok := have.(string)
		part, some := strings.CutPrefix(w, "~")
		return ok && (h == w || some && strings.Contains(h, part))
	}
	return have == want
}
