/*
Package endpoint reaches a model server over HTTP in the one way that all of kist's
model clients do.

An [Endpoint] is an address and perhaps a key. [Endpoint.Client] is an HTTP client
for it: the key goes to that host alone, a redirect to another one is refused (the
notes that a request carries would go with it), an answer is cut off at a limit, and
whatever goes wrong comes back as an [*Error] with a hint, which never has the key.

The package sets no time limit on a request: its context does. It doesn't know what
is asked.
*/
package endpoint

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

const (
	// maxAnswer bounds an answer: the largest in use, 64 vectors of 8,192 numbers
	// with 20 characters each, takes a third of it.
	maxAnswer = 32 << 20
	// maxMessage bounds what is shown of an error that a server sends.
	maxMessage   = 200
	maxRedirects = 3
)

// ErrAddress: an address that no server can have.
var ErrAddress = errors.New("invalid address")

// ErrTooLong: an answer is longer than any that makes sense.
var ErrTooLong = errors.New("the answer is too long")

// An Endpoint is a server's address and key.
type Endpoint struct {
	base *url.URL
	key  string
}

// New returns the endpoint at an http or https address. An empty key sends none.
// The error wraps ErrAddress.
func New(address, key string) (*Endpoint, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		// Not err itself: it repeats the address, which may hold a password.
		return nil, fmt.Errorf("%w: it can't be parsed", ErrAddress)
	case u.User != nil:
		return nil, fmt.Errorf("%w: it must not hold a name or password", ErrAddress)
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("%w: it is not like http://127.0.0.1:11434", ErrAddress)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%w: it must not hold a ? or #", ErrAddress)
	case strings.ContainsFunc(key, unicode.IsControl):
		return nil, fmt.Errorf("%w: its key holds a control character", ErrAddress)
	}
	return &Endpoint{base: u, key: key}, nil
}

// URL is the address; the caller may change what it gets.
func (e *Endpoint) URL() *url.URL {
	u := *e.base
	return &u
}

// Client returns a new HTTP client for the endpoint. Statuses from 400 on are errors.
func (e *Endpoint) Client() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		CheckRedirect: e.checkRedirect,
		Transport: &transport{e, &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    10 * time.Second,
			IdleConnTimeout:        time.Minute,
			MaxIdleConnsPerHost:    4,
			ForceAttemptHTTP2:      true,
			MaxResponseHeaderBytes: 64 << 10,
		}},
	}
}

func (e *Endpoint) checkRedirect(req *http.Request, via []*http.Request) error {
	if !e.owns(req.URL) {
		return e.fault(0, errors.New("it redirects to another host, "+req.URL.Host))
	}
	if len(via) > maxRedirects {
		return e.fault(0, errors.New("it redirects again and again"))
	}
	return nil
}

func (e *Endpoint) owns(u *url.URL) bool { return u.Scheme == e.base.Scheme && u.Host == e.base.Host }

// A transport adds the key, bounds answers and makes errors of bad ones. That a
// round tripper returns an error for an answer that it got is unusual, but the
// libraries above read errors each in its own way, and without a limit.
type transport struct {
	endpoint *Endpoint
	base     *http.Transport
}

// CloseIdleConnections is for http.Client's method of the same name.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	e := t.endpoint
	if e.key != "" && e.owns(req.URL) {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+e.key)
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, e.fault(0, err)
	}
	if resp.StatusCode >= 400 {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
		return nil, e.fault(resp.StatusCode, errors.New(message(body)))
	}
	resp.Body = &limited{resp.Body, maxAnswer}
	return resp, nil
}

// limited reads so many bytes and then returns ErrTooLong, unlike io.LimitReader,
// after which a cut answer looks like a damaged one.
type limited struct {
	io.ReadCloser
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, ErrTooLong
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
