package rpc_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kist/rpc"
)

const testToken = "2f5c0f8b9d3e4a71c6b8d7e2f1a09384756f6e5d4c3b2a190817263544536271"

// counting is a handler that counts how often it runs.
type counting struct{ runs atomic.Int64 }

func (c *counting) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.runs.Add(1)
	w.WriteHeader(http.StatusOK)
}

func testGuard(next http.Handler) http.Handler {
	return rpc.Guard{
		Hosts:   []string{"127.0.0.1:7777", "[::1]:7777", "localhost:7777"},
		Origins: rpc.DefaultOrigins(),
		Token:   func() string { return testToken },
	}.Wrap(next)
}

// A request is one kind of call that a browser or program could make.
type request struct{ name, method, path, contentType string }

var requests = []request{
	{"unary", "POST", "/kist.v1.ProjectService/ListProjects", "application/json"},
	{"get", "GET", "/kist.v1.ProjectService/ListProjects?encoding=json&message=%7B%7D", ""},
	{"stream", "POST", "/kist.v1.SessionService/Send", "application/connect+json"},
	{"grpc-web", "POST", "/kist.v1.ProjectService/ListProjects", "application/grpc-web+proto"},
	{"simple", "POST", "/kist.v1.DaemonService/Stop", "text/plain"},
	{"health", "GET", "/healthz", ""},
}

// TestGuardMatrix goes through every combination of Host, Origin and
// Sec-Fetch-Site on every kind of call, each with the right token: what DNS
// rebinding and other pages can come up with.
func TestGuardMatrix(t *testing.T) {
	hosts := []struct {
		host string
		ok   bool
	}{
		{"127.0.0.1:7777", true}, {"[::1]:7777", true}, {"localhost:7777", true},
		{"127.0.0.1", false}, {"localhost", false}, {"[::1]", false},
		{"127.0.0.1:7778", false}, {"localhost:80", false}, {"LOCALHOST:7777", false},
		{"localhost.:7777", false}, {"evil.example", false}, {"evil.example:7777", false},
		{"localhost.evil.example:7777", false}, {"127.0.0.1.nip.io:7777", false},
		{"0.0.0.0:7777", false}, {"127.1:7777", false}, {"[::ffff:127.0.0.1]:7777", false}, {"", false},
	}
	origins := []struct {
		origin string // "-": no header
		ok     bool
	}{
		{"-", true}, {"app://obsidian.md", true}, {"capacitor://localhost", true}, {"http://localhost", true},
		{"vscode-webview://0a1b2c", true},
		{"null", false}, {"", false}, {"http://localhost:3000", false}, {"https://evil.example", false},
		{"http://127.0.0.1:7777", false},
	}
	sites := []string{"-", "none", "same-origin", "same-site", "cross-site"}
	if n := len(hosts) * len(origins) * len(sites); n != 900 {
		t.Fatalf("the matrix has %d combinations, want 900", n)
	}
	for _, kind := range requests {
		handler := &counting{}
		guarded := testGuard(handler)
		want := int64(0)
		for _, h := range hosts {
			for _, o := range origins {
				for _, site := range sites {
					r := httptest.NewRequest(kind.method, "http://localhost:7777"+kind.path, strings.NewReader("{}"))
					r.Host = h.host
					r.Header.Set("Authorization", "Bearer "+testToken)
					if kind.contentType != "" {
						r.Header.Set("Content-Type", kind.contentType)
					}
					if o.origin != "-" {
						r.Header.Set("Origin", o.origin)
					}
					if site != "-" {
						r.Header.Set("Sec-Fetch-Site", site)
					}
					status := http.StatusForbidden
					if h.ok && o.ok && (o.origin != "-" || site == "-" || site == "none" || site == "same-origin") {
						status = http.StatusOK
						want++
					}
					w := httptest.NewRecorder()
					guarded.ServeHTTP(w, r)
					if kind.name == "stream" || kind.name == "grpc-web" {
						status = http.StatusOK // where the protocol says behind it what is wrong
					}
					if w.Code != status {
						t.Errorf("%s with host %q, origin %q, site %q: %d, want %d", kind.name, h.host, o.origin, site, w.Code, status)
					}
					if got := handler.runs.Load(); got != want {
						t.Fatalf("%s with host %q, origin %q, site %q: the handler ran %d times, want %d", kind.name, h.host, o.origin, site, got, want)
					}
				}
			}
		}
	}
}

func TestGuardToken(t *testing.T) {
	other := strings.Repeat("0", 64)
	for _, tc := range []struct {
		name   string
		status int
		change func(*http.Request)
	}{
		{"right", 200, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken) }},
		{"scheme in lower case", 200, func(r *http.Request) { r.Header.Set("Authorization", "bearer "+testToken) }},
		{"missing", 401, func(*http.Request) {}},
		{"empty", 401, func(r *http.Request) { r.Header.Set("Authorization", "") }},
		{"bare scheme", 401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }},
		{"wrong", 401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+other) }},
		{"other scheme", 401, func(r *http.Request) { r.Header.Set("Authorization", "Basic "+testToken) }},
		{"no scheme", 401, func(r *http.Request) { r.Header.Set("Authorization", testToken) }},
		{"upper case", 401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.ToUpper(testToken)) }},
		{"prefix", 401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken[:63]) }},
		{"longer", 401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken+"0") }},
		{"blank before", 401, func(r *http.Request) { r.Header.Set("Authorization", "Bearer  "+testToken) }},
		{"twice", 401, func(r *http.Request) {
			r.Header.Add("Authorization", "Bearer "+testToken)
			r.Header.Add("Authorization", "Bearer "+testToken)
		}},
		{"in the query", 401, func(r *http.Request) { r.URL.RawQuery = "access_token=" + testToken + "&token=" + testToken }},
		{"in the user info", 401, func(r *http.Request) { r.SetBasicAuth("kist", testToken) }},
		{"in a cookie", 401, func(r *http.Request) { r.Header.Set("Cookie", "token="+testToken) }},
		{"in another header", 401, func(r *http.Request) { r.Header.Set("Kist-Token", testToken) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			handler := &counting{}
			r := httptest.NewRequest("POST", "http://localhost:7777/kist.v1.DaemonService/Stop", nil)
			tc.change(r)
			w := httptest.NewRecorder()
			testGuard(handler).ServeHTTP(w, r)
			if w.Code != tc.status {
				t.Errorf("status %d, want %d", w.Code, tc.status)
			}
			if ran := handler.runs.Load() == 1; ran != (tc.status == 200) {
				t.Errorf("handler ran: %v", ran)
			}
			if strings.Contains(w.Body.String(), testToken) {
				t.Error("the answer holds the token")
			}
		})
	}
}

// TestGuardRotation shows that a changed token counts at once.
func TestGuardRotation(t *testing.T) {
	var current atomic.Value
	current.Store("old")
	h := rpc.Guard{Hosts: []string{"localhost"}, Token: func() string { return current.Load().(string) }}.Wrap(&counting{})
	status := func(token string) int {
		r := httptest.NewRequest("GET", "http://localhost/healthz", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	if got := fmt.Sprint(status("old"), status("new")); got != "200 401" {
		t.Errorf("before: %s", got)
	}
	current.Store("new")
	if got := fmt.Sprint(status("old"), status("new")); got != "401 200" {
		t.Errorf("after: %s", got)
	}
	current.Store("")
	if got := fmt.Sprint(status("old"), status("")); got != "401 401" {
		t.Errorf("without any: %s", got)
	}
}

func TestGuardPreflight(t *testing.T) {
	preflight := func(origin string) (*httptest.ResponseRecorder, int64) {
		handler := &counting{}
		r := httptest.NewRequest("OPTIONS", "http://localhost:7777/kist.v1.SessionService/Send", nil)
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
		r.Header.Set("Access-Control-Request-Private-Network", "true")
		r.Header.Set("Origin", origin)
		w := httptest.NewRecorder()
		testGuard(handler).ServeHTTP(w, r)
		return w, handler.runs.Load()
	}
	w, runs := preflight("app://obsidian.md")
	if w.Code != 204 || runs != 0 {
		t.Errorf("allowed origin: %d, %d runs", w.Code, runs)
	}
	if got := w.Header().Get("Access-Control-Allow-Origin"); got != "app://obsidian.md" {
		t.Errorf("allowed origin is told %q", got)
	}
	if !strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Error("the token's header isn't allowed")
	}
	if w.Header().Get("Access-Control-Allow-Credentials") != "" {
		t.Error("cookies are invited")
	}
	for _, origin := range []string{"https://evil.example", "null", "vscode-webview://", "vscode-webview://a\"b", "http://localhost:1"} {
		w, runs := preflight(origin)
		if w.Code != 403 || runs != 0 || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("origin %q: %d, %d runs, %v", origin, w.Code, runs, w.Header())
		}
	}
	// What isn't a preflight needs the token, whatever its method.
	handler := &counting{}
	r := httptest.NewRequest("OPTIONS", "http://localhost:7777/", nil)
	r.Header.Set("Origin", "app://obsidian.md")
	plain := httptest.NewRecorder()
	testGuard(handler).ServeHTTP(plain, r)
	if plain.Code != 401 || handler.runs.Load() != 0 {
		t.Errorf("plain OPTIONS: %d", plain.Code)
	}
}

// TestGuardRefusalClosesConnection: the server must not read on to the end of a
// body that it refused.
func TestGuardRefusalClosesConnection(t *testing.T) {
	s := httptest.NewServer(testGuard(&counting{}))
	defer s.Close()
	res, err := http.Post(s.URL, "application/json", io.LimitReader(strings.NewReader(strings.Repeat("x", 1<<16)), 1<<16))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if !res.Close || res.StatusCode != 403 {
		t.Errorf("status %d, close %v", res.StatusCode, res.Close)
	}
}
