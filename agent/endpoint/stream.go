package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// ErrSilent: the server said nothing for so long that nobody waits any longer.
var ErrSilent = errors.New("the server is silent")

// Patience is how long a stream may be silent. Zero fields are the usual: 2 minutes for
// the first byte, 5 for that of the first request of all, before which a server may have
// to load its model, and one minute later on. A stream that goes on may last for ever.
type Patience struct {
	First, Load, Next time.Duration
	// Lives reports whether a server that was silent for Next is there nevertheless. It may then
	// be silent for as long again, up to First in all. nil: it isn't asked.
	Lives func() bool
}

func (p Patience) orUsual() Patience {
	for value, usual := range map[*time.Duration]time.Duration{&p.First: 2 * time.Minute, &p.Load: 5 * time.Minute, &p.Next: time.Minute} {
		if *value == 0 {
			*value = usual
		}
	}
	return p
}

// The limits of a stream, in bytes: far above any answer's.
const (
	maxStream = 64 << 20
	maxLine   = 4 << 20
)

// Stream returns a new HTTP client for answers that come piece by piece: one that is
// silent for too long, or sends a line or a whole beyond all measure, ends with an error.
func (e *Endpoint) Stream(p Patience) *http.Client {
	c := e.Client()
	base := c.Transport.(*transport)
	base.limit = maxStream
	c.Transport = &patient{base: base, patience: p.orUsual()}
	return c
}

// patient is a transport for streams.
type patient struct {
	base     *transport
	patience Patience
	answered atomic.Bool // some request was
}

// CloseIdleConnections is for http.Client's method of the same name.
func (t *patient) CloseIdleConnections() { t.base.CloseIdleConnections() }

func (t *patient) RoundTrip(req *http.Request) (*http.Response, error) {
	if taken, err := capture(req); taken {
		return nil, err
	}
	wait := t.patience.Load
	if t.answered.Load() {
		wait = t.patience.First
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	silence := time.AfterFunc(wait, func() { cancel(fmt.Errorf("%w: nothing came for %v", ErrSilent, wait)) })
	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		silence.Stop()
		defer cancel(nil)
		return nil, t.cause(ctx, err)
	}
	body := &living{body: resp.Body, transport: t, ctx: ctx, cancel: cancel, silence: silence, blank: true}
	resp.Body = body
	if err := body.begin(); err != nil {
		body.Close()
		return nil, err
	}
	return resp, nil
}

// cause names silence where that is why a request failed.
func (t *patient) cause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrSilent) {
		return t.base.endpoint.fault(0, cause)
	}
	return err
}

// living is a body that has to go on. Only the time in which it is read counts: a reader
// may take as long as it likes for what it got. Comments and blank lines of server-sent
// events, with which a proxy keeps a connection open, are no going on.
type living struct {
	body      io.ReadCloser
	transport *patient
	ctx       context.Context
	cancel    context.CancelCauseFunc
	head      []byte // read before anybody asked for it
	headErr   error
	begun     bool // something came, and that was no comment
	waiting   bool // the time runs
	line      int  // bytes since the last newline
	blank     bool // there are none
	comment   bool // the line is one

	mu      sync.Mutex // Close may be called while Read lasts
	closed  bool
	silence *time.Timer
	waits   int // how often it was waited: a time that ran out before counts no more
}

// begin waits for the first bytes, so that a request has an answer when it returns.
func (l *living) begin() error {
	l.waiting = true
	buffer := make([]byte, 512)
	for len(l.head) < maxHead && l.headErr == nil && !l.begun {
		n, err := l.receive(buffer)
		l.head, l.headErr = append(l.head, buffer[:n]...), err
	}
	if errors.Is(l.headErr, ErrSilent) {
		return l.headErr
	}
	return nil
}

// maxHead bounds what is read of comments before the first event, in bytes.
const maxHead = 64 << 10

func (l *living) Read(p []byte) (int, error) {
	if len(l.head) > 0 {
		n := copy(p, l.head)
		l.head = l.head[n:]
		return n, nil
	}
	if l.headErr != nil {
		return 0, l.headErr
	}
	return l.receive(p)
}

func (l *living) receive(p []byte) (int, error) {
	if l.begun && !l.waiting { // until then the time lasts that began with the request
		l.allow(l.transport.patience.Next)
		l.waiting = true
	}
	n, err := l.body.Read(p)
	says := l.scan(p[:n])
	if says {
		l.begun = true
		l.transport.answered.Store(true)
	}
	if says || err != nil {
		l.allow(0)
		l.waiting = false
	}
	switch {
	case l.line > maxLine:
		return n, l.transport.base.endpoint.fault(0, ErrTooLong)
	case err == nil || err == io.EOF:
		return n, err
	case errors.Is(context.Cause(l.ctx), ErrSilent):
		return n, l.transport.cause(l.ctx, err)
	case context.Cause(l.ctx) != nil:
		return n, context.Cause(l.ctx)
	}
	return n, l.transport.base.endpoint.fault(0, err)
}

// scan counts the bytes of lines and reports whether a piece says anything.
func (l *living) scan(piece []byte) (says bool) {
	for _, b := range piece {
		switch {
		case b == '\n':
			l.line, l.blank, l.comment = 0, true, false
			continue
		case b == '\r' || b == ' ' && l.blank:
		case l.blank:
			l.blank, l.comment = false, b == ':'
			says = says || !l.comment
		default:
			says = says || !l.comment
		}
		l.line++
	}
	return says
}

// allow lets the server be silent for so long from now on; 0: nothing is waited for.
func (l *living) allow(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silence.Stop()
	l.waits++
	if d > 0 && !l.closed {
		l.await(d, d)
	}
}

// await ends the stream after some silence, of so long in all. The lock is held.
func (l *living) await(more, all time.Duration) {
	waits := l.waits
	l.silence = time.AfterFunc(more, func() {
		p := l.transport.patience
		lives := p.Lives != nil && all < p.First && p.Lives()
		l.mu.Lock()
		defer l.mu.Unlock()
		switch {
		case l.closed || waits != l.waits: // something came, while it was asked
		case lives:
			more := min(p.Next, p.First-all)
			l.await(more, all+more)
		default:
			l.cancel(fmt.Errorf("%w: nothing more came for %v", ErrSilent, all))
		}
	})
}

func (l *living) Close() error {
	l.mu.Lock()
	l.closed = true
	l.silence.Stop()
	l.mu.Unlock()
	err := l.body.Close()
	l.cancel(nil)
	return err
}
