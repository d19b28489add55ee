/*
Package endpoint reaches a model server over HTTP in the one way that all of kist's
model clients do.

An [Endpoint] is an address and perhaps a key. [Endpoint.Client] is an HTTP client
for it: the key goes to that host alone, a redirect to another one is refused (the
notes that a request carries would go with it), an answer is cut off at a limit, and
whatever goes wrong comes back as an [*Error] with a hint, which never has the key.

[Endpoint.Stream] is one for answers that come piece by piece, which may last but not be
silent; for others the package sets no time limit: the context of a request does. The
package does not know what is asked.
*/
package endpoint

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode"
)

const (
	// maxAnswer bounds an answer: the largest in use, 64 vectors of 8,192 numbers
	// with 20 characters each, takes a third of it.
	maxAnswer = 32 << 20
	// maxMessage bounds what is shown of an error that a server sends, in characters, and
	// maxFault what is read of it to find that, in bytes.
	maxMessage   = 200
	maxFault     = 64 << 10
	maxRedirects = 3
)

// ErrAddress: an address that no server can have.
var ErrAddress = errors.New("invalid address")

// ErrTooLong: an answer is longer than any that makes sense.
var ErrTooLong = errors.New("the answer is too long")

// An Endpoint is a server's address and key.
type Endpoint struct {
	base    *url.URL
	key     string
	keyName string            // header of the key; empty: Authorization, as a bearer
	headers map[string]string // sent with each request
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

// With returns the endpoint as one that sends the key in a header of that name, bare,
// and further headers.
func (e *Endpoint) With(keyName string, headers map[string]string) *Endpoint {
	return &Endpoint{base: e.base, key: e.key, keyName: keyName, headers: headers}
}

// Local reports whether the address is this machine's. What listens there may still pass
// on what it gets.
func (e *Endpoint) Local() bool {
	host := e.base.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

// URL is the address; the caller may change what it gets.
func (e *Endpoint) URL() *url.URL {
	u := *e.base
	return &u
}

// Client returns a new HTTP client for the endpoint. Statuses from 400 on are errors. One for
// an endpoint on this machine reaches no other, and asks no name server.
func (e *Endpoint) Client() *http.Client {
	return &http.Client{
		CheckRedirect: e.checkRedirect,
		Transport: &transport{e, maxAnswer, &http.Transport{
			Proxy:                  e.proxy,
			DialContext:            e.dialer(),
			TLSHandshakeTimeout:    10 * time.Second,
			IdleConnTimeout:        time.Minute,
			MaxIdleConnsPerHost:    4,
			ForceAttemptHTTP2:      true,
			MaxResponseHeaderBytes: 64 << 10,
		}},
	}
}

// proxy is the one of the environment, but for what is on this machine, in whatever spelling.
func (e *Endpoint) proxy(req *http.Request) (*url.URL, error) {
	if e.Local() {
		return nil, nil
	}
	return http.ProxyFromEnvironment(req)
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
	limit    int // of an answer, in bytes
	base     *http.Transport
}

// CloseIdleConnections is for http.Client's method of the same name.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	e := t.endpoint
	if e.owns(req.URL) {
		req = req.Clone(req.Context())
		e.sign(req.Header)
		// A question has no effect, so that it may be asked again on a new connection where a
		// kept one turns out to be closed, as servers do after some idle seconds. This entry
		// says so to net/http and isn't sent.
		req.Header["Idempotency-Key"] = []string{}
	}
	if err := record(req); err != nil {
		return nil, e.fault(0, err)
	}
	watch, began := watchOf(req.Context()), time.Now()
	watch.request()
	resp, err := t.base.RoundTrip(req)
	watch.since(began)
	if err != nil {
		return nil, e.fault(0, err)
	}
	resp.Body = watch.body(resp.Body)
	if resp.StatusCode >= 400 {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxFault))
		fault := e.fault(resp.StatusCode, errors.New(Message(body)))
		fault.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), time.Now())
		return nil, fault
	}
	resp.Body = &limited{resp.Body, t.limit}
	return resp, nil
}

func (e *Endpoint) sign(h http.Header) {
	for name, value := range e.headers {
		h.Set(name, value)
	}
	switch {
	case e.key == "":
	case e.keyName != "":
		h.Set(e.keyName, e.key)
	default:
		h.Set("Authorization", "Bearer "+e.key)
	}
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
