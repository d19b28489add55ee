package endpoint

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

// bubble serves over pipes, so that all waiting is in one synctest bubble, and returns a
// stream's client for it.
func bubble(t *testing.T, p Patience, serve http.HandlerFunc) *http.Client {
	t.Helper()
	pipes := &listener{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: serve}
	go server.Serve(pipes)
	e, err := New("http://127.0.0.1:1", key)
	if err != nil {
		t.Fatal(err)
	}
	c := e.Stream(p)
	c.Transport.(*patient).base.base.DialContext = func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		pipes.conns <- there
		return here, nil
	}
	t.Cleanup(func() {
		c.CloseIdleConnections()
		server.Close()
	})
	return c
}

type listener struct {
	conns chan net.Conn
	done  chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}
func (l *listener) Close() error   { close(l.done); return nil }
func (l *listener) Addr() net.Addr { return &net.TCPAddr{} }

// ask reads a whole answer.
func ask(ctx context.Context, t *testing.T, c *http.Client) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1:1/", strings.NewReader("a note"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", Cause(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func say(w http.ResponseWriter, text string) {
	io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

// hang waits until the client is gone, which a server notices once it has read the request.
func hang(r *http.Request) {
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

var quick = Patience{First: 10 * time.Second, Load: 30 * time.Second, Next: 5 * time.Second}

func TestPatience(t *testing.T) {
	for name, tc := range map[string]struct {
		serve http.HandlerFunc
		body  string
		took  time.Duration
		err   error
	}{
		"silent from the beginning": {func(_ http.ResponseWriter, r *http.Request) { hang(r) }, "", 30 * time.Second, ErrSilent},
		"silent after the status":   {func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); hang(r) }, "", 30 * time.Second, ErrSilent},
		"late":                      {func(w http.ResponseWriter, r *http.Request) { time.Sleep(29 * time.Second); say(w, "x") }, "x", 29 * time.Second, nil},
		"silent in the middle":      {func(w http.ResponseWriter, r *http.Request) { time.Sleep(time.Second); say(w, "half a"); hang(r) }, "half a", 6 * time.Second, ErrSilent},
		"silent within an error":    {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); say(w, "oh"); hang(r) }, "", 30 * time.Second, ErrSilent},
		"it goes on and on": {func(w http.ResponseWriter, _ *http.Request) {
			for range 1000 {
				time.Sleep(4900 * time.Millisecond)
				say(w, ".")
			}
		}, strings.Repeat(".", 1000), 4900 * time.Second, nil},
		"comments are no going on": {func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			say(w, "data: x\n")
			for r.Context().Err() == nil {
				say(w, ": still here\n\n")
				select {
				case <-r.Context().Done():
				case <-time.After(1100 * time.Millisecond):
				}
			}
		}, "data: x\n" + strings.Repeat(": still here\n\n", 5), 5 * time.Second, ErrSilent},
		"nor are they a beginning": {func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			for r.Context().Err() == nil {
				say(w, ": still here\n\n")
				select {
				case <-r.Context().Done():
				case <-time.After(1100 * time.Millisecond):
				}
			}
		}, "", 30 * time.Second, ErrSilent},
		"comments before the words": {func(w http.ResponseWriter, r *http.Request) {
			for range 20 {
				say(w, ": at it\n")
				time.Sleep(time.Second)
			}
			say(w, "data: x\n")
		}, strings.Repeat(": at it\n", 20) + "data: x\n", 20 * time.Second, nil},
		"it breaks off": {func(w http.ResponseWriter, _ *http.Request) { say(w, "half a"); panic(http.ErrAbortHandler) }, "half a", 0, io.ErrUnexpectedEOF},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, start := bubble(t, quick, tc.serve), time.Now()
			body, err := ask(t.Context(), t, c)
			took := time.Since(start)
			if body != tc.body || !errors.Is(err, tc.err) || took != tc.took {
				t.Errorf("%s: %.20q, %v after %v", name, body, err, took)
			}
			if _, ok := errors.AsType[*Error](err); err != nil && !ok {
				t.Errorf("%s: %T", name, err)
			}
		})
	}
}

// TestLives: a server that is silent in a stream and is there when it is asked has time up to the
// first limit; one that doesn't answer that has none.
func TestLives(t *testing.T) {
	for _, lives := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			c := bubble(t, Patience{First: 150 * time.Second, Load: time.Hour, Next: time.Minute, Lives: func() bool { asked++; return lives }}, func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, "a\n")
				w.(http.Flusher).Flush()
				select {
				case <-time.After(110 * time.Second):
				case <-r.Context().Done():
					return
				}
				io.WriteString(w, "b\n")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			})
			began := time.Now()
			resp, err := c.Get("http://127.0.0.1:1/")
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			got, err := io.ReadAll(resp.Body)
			text, took, times := "a\nb\n", 110*time.Second+150*time.Second, 3
			if !lives {
				text, took, times = "a\n", time.Minute, 1
			}
			if string(got) != text || !errors.Is(err, ErrSilent) || time.Since(began) != took || asked != times {
				t.Errorf("%v: %q, %v after %v, asked %d times", lives, got, err, time.Since(began), asked)
			}
		})
	}
}

// TestLoad: only the first request of all may have to load the model.
func TestLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := true
		c := bubble(t, quick, func(w http.ResponseWriter, r *http.Request) {
			if !first {
				hang(r)
				return
			}
			first = false
			time.Sleep(20 * time.Second)
			say(w, "x")
		})
		if _, err := ask(t.Context(), t, c); err != nil {
			t.Error(err)
		}
		start := time.Now()
		if _, err := ask(t.Context(), t, c); !errors.Is(err, ErrSilent) || time.Since(start) != quick.First {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// TestSlowReader: who reads may take as long as it likes, the server isn't silent meanwhile.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := bubble(t, quick, func(w http.ResponseWriter, _ *http.Request) {
			say(w, "a")
			say(w, "b")
		})
		resp, err := c.Get("http://127.0.0.1:1/")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		for _, want := range "ab" {
			var b [1]byte
			if _, err := resp.Body.Read(b[:]); rune(b[0]) != want {
				t.Fatalf("%q, %v", b, err)
			}
			time.Sleep(time.Hour)
		}
		if rest, err := io.ReadAll(resp.Body); len(rest) > 0 || err != nil {
			t.Errorf("%q, %v", rest, err)
		}
	})
}

func TestUsualPatience(t *testing.T) {
	if p := (Patience{Next: 7}).orUsual(); p.First != 2*time.Minute || p.Load != 5*time.Minute || p.Next != 7 {
		t.Errorf("%v", p)
	}
}

// TestCancel: who cancels gets the context's error, whatever it waits for.
func TestCancel(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"before the status":     func(_ http.ResponseWriter, r *http.Request) { hang(r) },
		"before the first byte": func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); hang(r) },
		"in the middle":         func(w http.ResponseWriter, r *http.Request) { say(w, "half a"); hang(r) },
		"in an error's message": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); w.(http.Flusher).Flush(); hang(r) },
	} {
		synctest.Test(t, func(t *testing.T) {
			c := bubble(t, quick, serve)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			if _, err := ask(ctx, t, c); (!errors.Is(err, context.Canceled) || errors.Is(err, ErrSilent)) && name != "in an error's message" {
				t.Errorf("%s: %v", name, err)
			}
			late, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := ask(late, t, c); (!errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrSilent)) && name != "in an error's message" {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestClose: closing a body ends who reads it, and leaves nothing behind.
func TestClose(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { say(w, "half a"); hang(r) }))
	defer server.Close()
	e, err := New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	c := e.Stream(Patience{})
	defer c.CloseIdleConnections()
	for range 20 {
		resp, err := c.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		begun, read := make(chan struct{}), make(chan error)
		go func() {
			resp.Body.Read(make([]byte, 64))
			close(begun)
			_, err := io.ReadAll(resp.Body)
			read <- err
		}()
		<-begun
		resp.Body.Close()
		if err := <-read; err == nil || errors.Is(err, ErrSilent) {
			t.Errorf("%v", err)
		}
		body := resp.Body.(*living)
		body.allow(time.Hour)
		if body.silence.Stop() {
			t.Error("a timer runs on")
		}
	}
}

// TestStreamLimits: neither a line nor a whole without an end fills the memory.
func TestStreamLimits(t *testing.T) {
	line := []byte("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 8 {
		z.Write(make([]byte, 1<<20))
	}
	z.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part, times := bytes.Repeat([]byte("x"), 64<<10), 128 // 8 MB
		switch r.URL.Path {
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
			return
		case "/lines":
			part, times = bytes.Repeat(line, 64<<10/len(line)), 1<<30/(64<<10)
		case "/long":
			part, times = bytes.Repeat(line, 64<<10/len(line)), 40<<20/(64<<10)
		}
		for range times {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	e, err := New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	c := e.Stream(Patience{})
	defer c.CloseIdleConnections()
	for path, most := range map[string]int{"/line": maxLine + 64<<10, "/bomb": maxLine + 64<<10, "/lines": maxStream, "/long": 0} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		resp, err := c.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, resp.Body, make([]byte, 32<<10))
		resp.Body.Close()
		runtime.ReadMemStats(&after)
		if most == 0 {
			if err != nil || n < 39<<20 {
				t.Errorf("%s: %d bytes, %v", path, n, err)
			}
			continue
		}
		if e, ok := errors.AsType[*Error](err); !ok || !errors.Is(err, ErrTooLong) || n > int64(most) || !strings.Contains(e.Hint(), "circles") {
			t.Errorf("%s: %d bytes, %v", path, n, err)
		}
		if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 16<<20 {
			t.Errorf("%s: %d bytes more in use", path, grown)
		}
	}
}

// TestClosedConnection: a server closes a connection that it kept just as the next request
// comes, which is no failure: the request goes out on another one.
func TestClosedConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	heads := make(chan string, 10)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buffer := make([]byte, 4096)
				n, _ := conn.Read(buffer)
				heads <- string(buffer[:n])
				io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
				_, _ = conn.Read(buffer) // the next request, which gets no answer
			}()
		}
	}()
	e, err := New("http://"+l.Addr().String(), key)
	if err != nil {
		t.Fatal(err)
	}
	c := e.Stream(Patience{})
	defer c.CloseIdleConnections()
	for n := range 3 {
		resp, err := c.Post("http://"+l.Addr().String()+"/", "text/plain", strings.NewReader("a note"))
		if err != nil {
			t.Fatalf("request %d: %v", n, err)
		}
		if body, err := io.ReadAll(resp.Body); string(body) != "hi" || err != nil {
			t.Errorf("request %d: %q, %v", n, body, err)
		}
		resp.Body.Close()
		if head := <-heads; strings.Contains(head, "Idempotency") || !strings.Contains(head, key) {
			t.Errorf("sent %q", head)
		}
	}
}
