package daemon

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Limits of the connections of one listener. The two listeners share none, so that
// whatever happens on the port, commands on the socket are answered.
const (
	// maxNew is how many may be there at a time that have not shown the token yet. One more
	// takes the place of the oldest: whoever opens them without end is in nobody's way.
	maxNew = 128
	// helloTime is how long one may take to show it.
	helloTime = 5 * time.Second
	// maxKnown is how many may be there that have shown it. One more takes the place of the
	// one that was idle for longest, and is turned away only if none is idle.
	maxKnown = 1024
)

// limit returns a listener that accepts connections without ever waiting for a slot, and
// closes those that are too many: see maxNew and maxKnown. Its server must have
// [connState] and [withConn], and what is behind the guard must be wrapped in [admitted].
func limit(l net.Listener, fresh, known int) *limited {
	return &limited{Listener: l, maxFresh: fresh, maxKnown: known, conns: map[*counted]bool{}}
}

type limited struct {
	net.Listener
	maxFresh, maxKnown int

	mu    sync.Mutex
	conns map[*counted]bool
}

// A counted connection; its fields are guarded by its listener's mutex.
type counted struct {
	net.Conn
	l     *limited
	hello *time.Timer
	known bool      // a request on it had the token
	busy  bool      // a request is under way
	since time.Time // when it was accepted, and later, when it became idle
}

func (l *limited) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	n := &counted{Conn: c, l: l, since: time.Now()}
	n.hello = time.AfterFunc(helloTime, n.late)
	l.mu.Lock()
	var over *counted
	if l.count(false) >= l.maxFresh {
		over = l.oldest(func(c *counted) bool { return !c.known })
		delete(l.conns, over)
	}
	l.conns[n] = true
	l.mu.Unlock()
	over.drop()
	return n, nil
}

// count and oldest are called with the mutex held.
func (l *limited) count(known bool) (n int) {
	for c := range l.conns {
		if c.known == known {
			n++
		}
	}
	return n
}

// oldest returns nil where there is none.
func (l *limited) oldest(which func(*counted) bool) (oldest *counted) {
	for c := range l.conns {
		if which(c) && (oldest == nil || c.since.Before(oldest.since)) {
			oldest = c
		}
	}
	return oldest
}

// connState is for [http.Server.ConnState].
func connState(conn net.Conn, s http.ConnState) {
	c, ok := conn.(*counted)
	if !ok || s != http.StateActive && s != http.StateIdle {
		return
	}
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	c.busy = s == http.StateActive
	if c.known {
		c.since = time.Now()
	}
}

type connKey struct{}

// withConn is for [http.Server.ConnContext].
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// admitted passes on the requests of connections that there is a place for. It stands
// behind the guard: whoever comes this far has the token.
func admitted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*counted); ok && !c.admit() {
			w.Header().Set("Connection", "close")
			http.Error(w, "too many connections are in use; close some, or use one for several requests", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// admit gives the connection a place among the known ones, if there is any.
func (c *counted) admit() bool {
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	if c.known {
		return true
	}
	if c.l.count(true) >= c.l.maxKnown {
		idle := c.l.oldest(func(c *counted) bool { return c.known && !c.busy })
		if idle == nil {
			return false
		}
		delete(c.l.conns, idle)
		defer idle.drop()
	}
	c.hello.Stop()
	c.known, c.busy = true, true
	return true
}

// late closes a connection that hasn't shown the token in time.
func (c *counted) late() {
	c.l.mu.Lock()
	known := c.known
	c.l.mu.Unlock()
	if !known {
		c.drop()
	}
}

// drop closes a connection that has to make room; nil is none. Closing may not wait for
// the mutex.
func (c *counted) drop() {
	if c != nil {
		go c.Close()
	}
}

func (c *counted) Close() error {
	c.hello.Stop()
	c.l.mu.Lock()
	delete(c.l.conns, c)
	c.l.mu.Unlock()
	return c.Conn.Close()
}
