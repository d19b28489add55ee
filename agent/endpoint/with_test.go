package endpoint

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestWith: the key goes in the header that is named, no other, and to nobody else.
func TestWith(t *testing.T) {
	var got http.Header
	keep := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	other := httptest.NewServer(keep)
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case "/here":
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		default:
			keep(w, r)
		}
	}))
	defer server.Close()
	plain, err := New(server.URL, key)
	if err != nil {
		t.Fatal(err)
	}
	headers := map[string]string{"Version": "7"}
	for _, path := range []string{"/", "/here", "/away"} {
		for name, c := range map[string]*http.Client{"client": plain.With("X-Key", headers).Client(), "stream": plain.With("X-Key", headers).Stream(Patience{})} {
			got = nil
			resp, err := c.Get(server.URL + path)
			if err == nil {
				resp.Body.Close()
			}
			c.CloseIdleConnections()
			if path == "/away" {
				if err == nil || got != nil {
					t.Errorf("%s %s: %v, %v", name, path, err, got)
				}
			} else if err != nil || got.Get("X-Key") != key || got.Get("Version") != "7" || got.Get("Authorization") != "" {
				t.Errorf("%s %s: %v, %v", name, path, err, got)
			}
		}
	}
	// What isn't the endpoint's gets nothing, even if a client is used for it.
	c := plain.With("X-Key", headers).Client()
	defer c.CloseIdleConnections()
	if resp, err := c.Get(other.URL); err != nil || got.Get("X-Key") != "" || got.Get("Version") != "" {
		t.Errorf("%v, %v", err, got)
	} else {
		resp.Body.Close()
	}
	if plain.keyName != "" || plain.headers != nil {
		t.Error("With changed the endpoint that it was called on")
	}
	bad := plain.With("", map[string]string{"X": "a\nb" + key}).Client()
	if _, err := bad.Get(server.URL); err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("a header of two lines: %v", err)
	}
}

func TestLocal(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.0.0.2": true, "[::1]": true, "[::ffff:127.0.0.1]": true,
		"0.0.0.0": false, "[::]": false, "10.0.0.1": false, "192.168.0.1": false, "[::ffff:10.0.0.1]": false, "localhost.evil.com": false,
		"127.0.0.1.evil.com": false, "evil.com": false, "2130706433": false, "127.1": false, "[fe80::1]": false,
	} {
		for _, address := range []string{"http://" + host, "https://" + host + ":8080/v1"} {
			e, err := New(address, "")
			if err != nil {
				t.Fatal(err)
			}
			if e.Local() != want {
				t.Errorf("%s: %v", address, !want)
			}
		}
	}
}

// TestProxy: what is on this machine is spoken to without a proxy. The standard library reads
// the environment once, so that the test is run by itself.
func TestProxy(t *testing.T) {
	if os.Getenv("KIST_PROXY_TEST") == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxy$")
		cmd.Env = append(os.Environ(), "KIST_PROXY_TEST=1", "HTTP_PROXY=http://127.0.0.9:1", "HTTPS_PROXY=http://127.0.0.9:1", "ALL_PROXY=socks5://127.0.0.9:1", "NO_PROXY=", "http_proxy=", "https_proxy=", "no_proxy=", "REQUEST_METHOD=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for host, want := range map[string]string{
		"127.0.0.1:1": "", "127.0.0.2": "", "localhost": "", "LOCALHOST:1": "", "[::1]:1": "", "[::ffff:127.0.0.1]": "",
		"10.0.0.1": "http://127.0.0.9:1", "api.example.com": "http://127.0.0.9:1", "localhost.evil.com": "http://127.0.0.9:1",
	} {
		for _, scheme := range []string{"http://", "https://"} {
			e, err := New(scheme+host, "")
			if err != nil {
				t.Fatal(err)
			}
			for name, base := range map[string]*http.Transport{
				"client": e.Client().Transport.(*transport).base, "stream": e.Stream(Patience{}).Transport.(*patient).base.base,
			} {
				got, err := base.Proxy(&http.Request{URL: e.URL()})
				if err != nil || fmt.Sprint(got) != fmt.Sprint(parsed(want)) {
					t.Errorf("%s of %s: %v, %v", name, e.URL(), got, err)
				}
			}
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("here")) }))
	defer server.Close()
	if got, err := post(t, server.URL); got != "here" {
		t.Errorf("%q, %v", got, err)
	}
}

func parsed(address string) *url.URL {
	u, err := url.Parse(address)
	if address == "" || err != nil {
		return nil
	}
	return u
}

func TestMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":"a"}`:                      "a",
		`{"error":{"message":"a","code":7}}`: "a",
		`{"message":"a"}`:                    "a",
		`[{"error":{"message":"a"}}]`:        "a",
		`{"error":{"code":7}}`:               `{"code":7}`,
		`{"error":7}`:                        `7`,
		`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"a"}}]}}],"error":7}`: `7`,
		`{"choices":[{"delta":{"content":"a"}}]}`:                                      "a piece of an answer came where none belongs",
		`{"code":7,"reason":"a"}`:                                                      `{"code":7,"reason":"a"}`,
		`{"function":{"name":"a","arguments":"{}`:                                      "a piece of an answer came where none belongs",
		"{\"tool\":\"a\"}\ndata: x":                                                    "a piece of an answer came where none belongs",
		`[ERROR] a`:                                                                    "[ERROR] a",
		`[]`:                                                                           `[]`,
		`[1]`:                                                                          `1`,
		` a `:                                                                          "a",
		``:                                                                             "",
		`null`:                                                                         "null",
		`{"detail":"a"}`:                                                               "a",
		`{"detail":[{"loc":["body"],"msg":"a"},{"msg":"b"}]}`:                                                            "a",
		`{"type":"about:blank","title":"a","status":500}`:                                                                "a",
		`{"error":"<html><title>a</title>"}`:                                                                             "a web page, “a”",
		`{"error":{"message":"<!DOCTYPE html><html><h1>a</h1>"}}`:                                                        "a web page, “a”",
		"<!doctype html>\n<html><head><title>502 Bad\nGateway</title>":                                                   "a web page, “502 Bad Gateway”",
		`<html><head><style>p {}</style><script>if (a < b) {}</script></head><body><h1>Oops</h1><p>it&#39;s <b>down</b>`: "a web page, “Oops it's down”",
		`<html><title> </title><body><!-- <p>x</p> -->`:                                                                  "a web page",
		`<?xml version="1.0"?><html><body>a<script>b`:                                                                    "a web page, “a”",
		`<think> a </think>`: "<think> a </think>",
		`a <b> c`:            "a <b> c",
	} {
		if got := Message([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestTooLongRequest(t *testing.T) {
	for _, tc := range []struct {
		status int
		text   string
		want   bool
	}{
		{413, "", true},
		{400, "This model's maximum context length is 8192 tokens.", true},
		{400, "the request exceeds the available context size", true},
		{200, "prompt is too long: 210000 tokens > 200000 maximum", true},
		{400, "context_length_exceeded", true},
		{400, "unknown tool", false},
		{0, "connection refused", false},
	} {
		if got := (&Error{Status: tc.status, Err: errors.New(tc.text)}).TooLong(); got != tc.want {
			t.Errorf("%d %s: %v", tc.status, tc.text, got)
		}
	}
}
