package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

const key = "hunter2"

// post sends a note to an endpoint.
func post(t *testing.T, url string) (string, error) {
	t.Helper()
	e, err := New(url, key)
	if err != nil {
		t.Fatal(err)
	}
	c := e.Client()
	defer c.CloseIdleConnections()
	resp, err := c.Post(url, "text/plain", strings.NewReader("a private note"))
	if err != nil {
		return "", Cause(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// TestRedirect: a note and the key go to the host that was named, and no other.
func TestRedirect(t *testing.T) {
	var strayed atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strayed.Add(1) }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case "/here":
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusTemporaryRedirect)
		default:
			fmt.Fprintf(w, "%s with %s", body, r.Header.Get("Authorization"))
		}
	}))
	defer server.Close()
	if _, err := post(t, server.URL+"/away"); err == nil || !strings.Contains(err.Error(), "redirects to another host") {
		t.Errorf("away: %v", err)
	}
	if _, err := post(t, server.URL+"/round"); err == nil || !strings.Contains(err.Error(), "again and again") {
		t.Errorf("round: %v", err)
	}
	if got, err := post(t, server.URL+"/here"); got != "a private note with Bearer "+key {
		t.Errorf("here: %q, %v", got, err)
	}
	if n := strayed.Load(); n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
	// The standard client sends the note along.
	if _, err := http.Post(server.URL+"/away", "text/plain", strings.NewReader("x")); err != nil || strayed.Load() != 1 {
		t.Errorf("the test would not notice: %v", err)
	}
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		status     int
		body, want string
		refused    bool
		hint       string
	}{
		{404, `{"error":"model \"x\" not found"}`, `404 Not Found: model "x" not found`, false, "pull"},
		{401, `{"error":{"message":"wrong key hunter2 "}}`, "401 Unauthorized: wrong key [key]", false, "key"},
		{400, `{"message":"too long"}`, "400 Bad Request: too long", true, "log"},
		{500, "\x1b[31mtwo\nlines\xff", "500 Internal Server Error: [31mtwo lines", true, "log"},
		{503, strings.Repeat("x", 5000), "xxx...", false, "log"},
		{500, "<html><head><script>" + strings.Repeat("let x = 1;\n", 1000) + "</script></head><body><h1>Out of\nmemory</h1>", "500 Internal Server Error: a web page, “Out of memory”", true, "log"},
		{500, `{"trace":["` + strings.Repeat("at x\n", 3000) + `"],"error":{"message":"out of memory"}}`, `500 Internal Server Error: {"trace":["at x at x `, true, "log"},
		{500, `{"trace":"` + strings.Repeat("at x ", 3000) + `","error":{"message":"out of memory"}}`, "500 Internal Server Error: out of memory", true, "log"},
		{500, `{"error":{"message":"` + strings.Repeat("at x ", 3000) + `"}}`, "500 Internal Server Error: at x at x ", true, "log"},
		{429, "", "429 Too Many Requests", false, "fewer"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tc.status)
			io.WriteString(w, tc.body)
		}))
		_, err := post(t, server.URL)
		server.Close()
		e, ok := errors.AsType[*Error](err)
		if !ok || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), key) || len(err.Error()) > 300 {
			t.Errorf("%d: %v, want %q", tc.status, err, tc.want)
			continue
		}
		if e.Refused() != tc.refused || !strings.Contains(e.Hint(), tc.hint) {
			t.Errorf("%d: refused %v, hint %q", tc.status, e.Refused(), e.Hint())
		}
	}
	if _, err := post(t, "http://127.0.0.1:1"); err == nil || !strings.Contains(err.(*Error).Hint(), "runs") {
		t.Errorf("nobody there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e, _ := New("http://127.0.0.1:1", "")
	req, _ := http.NewRequestWithContext(ctx, "GET", "http://127.0.0.1:1", nil)
	if _, err := e.Client().Do(req); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTooLong(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for part := make([]byte, 1<<20); ; {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	if got, err := post(t, server.URL); !errors.Is(err, ErrTooLong) || len(got) > maxAnswer {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestNew(t *testing.T) {
	for _, bad := range []string{"", "127.0.0.1:11434", "ftp://x", "http://", "http://me:hunter2@x", "http://x?key=hunter2", "http://x\x00hunter2", "file:///etc/passwd"} {
		if _, err := New(bad, ""); !errors.Is(err, ErrAddress) || strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := New("http://x", "a\nb"); !errors.Is(err, ErrAddress) {
		t.Errorf("a key of two lines: %v", err)
	}
	for _, good := range []string{"http://127.0.0.1:11434", "https://api.example.com/v1", "http://[::1]:8080/v1/"} {
		if _, err := New(good, "k"); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}
