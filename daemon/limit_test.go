package daemon

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A pipeListener accepts the ends of pipes that dial makes.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{} }

func (l *pipeListener) dial() *caller {
	ours, theirs := net.Pipe()
	l.conns <- theirs
	return &caller{ours, bufio.NewReader(ours)}
}

// A caller is a client's end of a connection.
type caller struct {
	net.Conn
	r *bufio.Reader
}

func (c *caller) ask(path string) error {
	_, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
	return err
}

// status is that of the answer; 0 where the connection was closed.
func (c *caller) status() int {
	res, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

func (c *caller) get(path string) int {
	if c.ask(path) != nil {
		return 0
	}
	return c.status()
}

// limitedServer serves /hold, which answers when release is closed, and all else at once.
// What begins with /stranger doesn't get past the guard.
func limitedServer(t *testing.T, fresh, known int) (l *pipeListener, release chan struct{}) {
	l, release = &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}, make(chan struct{})
	inner := admitted(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hold" {
			<-release
		}
	}))
	s := &http.Server{ConnContext: withConn, ConnState: connState, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stranger" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})}
	go func() { _ = s.Serve(limit(l, fresh, known)) }()
	t.Cleanup(func() { s.Close(); synctest.Wait() })
	return l, release
}

// Whoever opens connections without the token, and holds them, keeps nobody out.
func TestStrangersHoldNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := limitedServer(t, 4, 4)
		var held []*caller
		for i := range 20 {
			c := l.dial()
			if i%2 == 0 && c.get("/stranger") != http.StatusUnauthorized {
				t.Error("a stranger wasn't refused")
			}
			held = append(held, c)
			synctest.Wait()
		}
		guest := l.dial()
		if got := guest.get("/"); got != http.StatusOK {
			t.Errorf("with 20 strangers: %d", got)
		}
		time.Sleep(helloTime)
		synctest.Wait()
		for i, c := range held {
			if _, err := c.r.ReadByte(); err == nil {
				t.Errorf("stranger %d is still there", i)
			}
		}
		if got := guest.get("/"); got != http.StatusOK {
			t.Errorf("later: %d", got)
		}
	})
}

// Known connections that are idle make room, the oldest first; those in use stay.
func TestIdleMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, release := limitedServer(t, 4, 3)
		var idle []*caller
		for range 3 {
			c := l.dial()
			if got := c.get("/"); got != http.StatusOK {
				t.Fatalf("status %d", got)
			}
			idle = append(idle, c)
			time.Sleep(time.Second)
		}
		if got := idle[0].get("/"); got != http.StatusOK { // now the second is the oldest
			t.Errorf("status %d", got)
		}
		busy := l.dial()
		if err := busy.ask("/hold"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := idle[1].r.ReadByte(); err == nil {
			t.Error("the one that was idle for longest is still there")
		}
		for _, c := range []*caller{idle[0], idle[2]} {
			if err := c.ask("/hold"); err != nil {
				t.Error("one that was used since is gone")
			}
		}
		synctest.Wait()
		one := l.dial()
		if got := one.get("/"); got != http.StatusServiceUnavailable {
			t.Errorf("with all in use: %d", got)
		}
		close(release)
		if got := busy.status(); got != http.StatusOK {
			t.Errorf("held: %d", got)
		}
		synctest.Wait()
		if got := l.dial().get("/"); got != http.StatusOK {
			t.Errorf("with room again: %d", got)
		}
	})
}
