//go:build live

package live

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// A proxy stands between kist and the server, and can break an answer off.
type proxy struct {
	*httptest.Server
	upstream *url.URL

	mu    sync.Mutex
	fault fault
	after int       // pieces of words that still come through
	fell  time.Time // when the fault happened
}

// A fault is what happens to an answer.
type fault int

const (
	none  fault = iota
	cut         // the connection breaks
	stall       // nothing more comes
)

func newProxy(t *testing.T, s server) *proxy {
	t.Helper()
	u, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{upstream: u}
	p.Server = httptest.NewServer(p)
	t.Cleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// server is the one behind the proxy, by its address.
func (p *proxy) server(s server) server { return server{p.URL + p.upstream.Path, s.model} }

// breaks has the next answers break after so many pieces of words.
func (p *proxy) breaks(f fault, after int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.after, p.fell = f, after, time.Time{}
}

// broke is when the fault happened; zero: it didn't.
func (p *proxy) broke() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fell
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answers := strings.HasSuffix(r.URL.Path, "/chat/completions")
	out := r.Clone(r.Context())
	out.RequestURI, out.Host = "", ""
	out.URL.Scheme, out.URL.Host = p.upstream.Scheme, p.upstream.Host
	resp, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	buffer := make([]byte, 32<<10)
	for {
		n, err := resp.Body.Read(buffer)
		if n > 0 && answers {
			p.mayBreak(r, buffer[:n])
		}
		if _, wrote := w.Write(buffer[:n]); wrote != nil || err != nil {
			if err != nil && err != io.EOF {
				panic(http.ErrAbortHandler)
			}
			return
		}
		w.(http.Flusher).Flush()
	}
}

// mayBreak ends the request, where it is to, before a piece of words is passed on.
func (p *proxy) mayBreak(r *http.Request, piece []byte) {
	p.mu.Lock()
	f := p.fault
	if words := bytes.Contains(piece, []byte(`"content":"`)); f == none || !words {
		p.mu.Unlock()
		return
	}
	if p.after--; p.after >= 0 {
		p.mu.Unlock()
		return
	}
	p.fell = time.Now()
	p.mu.Unlock()
	if f == stall {
		<-r.Context().Done()
	}
	panic(http.ErrAbortHandler) // which closes the connection
}
