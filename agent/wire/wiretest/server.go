// Package wiretest is a server for tests of model clients: a [Server] plays recorded
// streams, whole or damaged, whatever the protocol is, and keeps what it was asked.
package wiretest

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// An Answer is what the server sends for one request.
type Answer struct {
	Status int               // 0: 200
	Header map[string]string // beside Content-Type, which is text/event-stream if it isn't named
	Body   string
	Step   int             // bytes sent at once; 0: all
	Go     <-chan struct{} // each step waits until it yields something or is closed; nil: none waits
	End    End
}

// An End is what comes after the body.
type End int

// The ends.
const (
	Whole  End = iota // the answer ends as it should: one that was cut before looks complete
	Broken            // the connection ends in the middle of the answer
	Reset             // likewise, by a reset; what was sent just before may be lost
	Hang              // nothing, until the client goes or the test ends
)

// A Request is what a client sent.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         []byte
}

// A Server plays answers.
type Server struct {
	URL string

	http   *httptest.Server
	answer func(Request) Answer
	over   chan struct{}

	mu       sync.Mutex
	requests []Request
}

// New starts a server, which ends with the test. answer may be called concurrently.
func New(t testing.TB, answer func(Request) Answer) *Server {
	t.Helper()
	s := &Server{answer: answer, over: make(chan struct{})}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	t.Cleanup(func() {
		close(s.over)
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// Each is for New: the first request gets the first answer, and so on; the last one is for
// all that follow.
func Each(answers ...Answer) func(Request) Answer {
	var mu sync.Mutex
	return func(Request) Answer {
		mu.Lock()
		defer mu.Unlock()
		a := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		return a
	}
}

// Requests returns what was asked until now.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ServeHTTP plays the answer to a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	req := Request{Method: r.Method, Path: r.URL.Path, Header: r.Header, Body: body}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	a := s.answer(req)
	w.Header().Set("Content-Type", "text/event-stream")
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	if !s.play(w, r, a) {
		return
	}
	switch a.End {
	case Hang:
		s.wait(r, nil)
	case Broken:
		panic(http.ErrAbortHandler)
	case Reset:
		reset(w)
	}
}

// play sends the body and reports whether somebody took all of it.
func (s *Server) play(w http.ResponseWriter, r *http.Request, a Answer) bool {
	step := a.Step
	if step == 0 {
		step = max(1, len(a.Body))
	}
	for piece := range slices.Chunk([]byte(a.Body), step) {
		if a.Go != nil && !s.wait(r, a.Go) {
			return false
		}
		if _, err := w.Write(piece); err != nil {
			return false
		}
		http.NewResponseController(w).Flush()
	}
	return true
}

// wait waits for a channel, and reports whether the client waits too.
func (s *Server) wait(r *http.Request, next <-chan struct{}) bool {
	select {
	case <-next:
		return true
	case <-r.Context().Done():
	case <-s.over:
	}
	return false
}

func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}
