package wiretest

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func get(t *testing.T, url string) *http.Response {
	t.Helper()
	resp, err := http.Post(url+"/x", "text/plain", strings.NewReader("asked"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestEnds(t *testing.T) {
	s := New(t, Each(
		Answer{Body: "one\ntwo\n"},
		Answer{Status: 418, Header: map[string]string{"Content-Type": "text/html", "X-A": "b"}, Body: "one\ntwo\n", Step: 1},
		Answer{Body: "one\n", End: Broken},
		Answer{Body: "", End: Reset},
	))
	whole := get(t, s.URL)
	if body, err := io.ReadAll(whole.Body); string(body) != "one\ntwo\n" || err != nil || whole.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%q %v %v", body, err, whole.Header)
	}
	html := get(t, s.URL)
	if body, err := io.ReadAll(html.Body); string(body) != "one\ntwo\n" || err != nil || html.StatusCode != 418 || html.Header.Get("Content-Type") != "text/html" || html.Header.Get("X-A") != "b" {
		t.Errorf("%q %v %v", body, err, html)
	}
	if body, err := io.ReadAll(get(t, s.URL).Body); string(body) != "one\n" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("broken: %q %v", body, err)
	}
	if _, err := http.Post(s.URL, "text/plain", nil); err == nil {
		t.Error("reset: no error")
	}
	all := s.Requests()
	if len(all) < 4 || string(all[0].Body) != "asked" || all[0].Method != "POST" || all[0].Path != "/x" {
		t.Errorf("%+v", all)
	}
}

// TestGo: each step waits to be told.
func TestGo(t *testing.T) {
	next := make(chan struct{})
	s := New(t, Each(Answer{Body: "abc", Step: 1, Go: next, End: Hang}))
	go func() { next <- struct{}{} }() // the status comes with the first step
	body := get(t, s.URL).Body
	for i, want := range "abc" {
		if i > 0 {
			next <- struct{}{}
		}
		var b [1]byte
		if _, err := io.ReadFull(body, b[:]); err != nil || rune(b[0]) != want {
			t.Fatalf("%q %v", b, err)
		}
	}
}
