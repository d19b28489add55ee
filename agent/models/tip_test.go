package models

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestTip: an Ollama that is there is told of once, and not where a model was chosen, where
// it has none, where it isn't on this machine or where it was told before.
func TestTip(t *testing.T) {
	var mu sync.Mutex
	asked := 0
	body := `{"models":[{"name":"big:cloud","remote_host":"https://ollama.com"},{"name":"qwen3:8b"}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked++
		io.WriteString(w, body)
	}))
	defer server.Close()
	for _, c := range []struct {
		name, chat, url, body string
		told                  bool
		want                  string
		asks                  int
	}{
		{"it is there", Offline, server.URL, body, false, "kist model use ollama/qwen3:8b", 1},
		{"a model was chosen", "ollama/x", server.URL, body, false, "", 0},
		{"it was told", Offline, server.URL, body, true, "", 0},
		{"it has none", Offline, server.URL, `{"models":[]}`, false, "", 1},
		{"only some elsewhere", Offline, server.URL, `{"models":[{"name":"big:cloud","remote_host":"https://ollama.com"}]}`, false, "", 1},
		{"it makes no sense", Offline, server.URL, `<html>`, false, "", 1},
		{"nobody listens", Offline, "http://127.0.0.1:1", body, false, "", 0},
	} {
		mu.Lock()
		asked, body = 0, c.body
		mu.Unlock()
		told := 0
		tip := &Tip{
			Settings: Settings{Chat: c.chat, Servers: map[string]Server{"ollama": {URL: c.url}}},
			Told:     func() bool { return c.told }, Tell: func() { told++ },
		}
		got := tip.Next()
		for deadline := time.Now().Add(time.Second); got == "" && time.Now().Before(deadline) && (c.want != "" || time.Until(deadline) > 900*time.Millisecond); time.Sleep(5 * time.Millisecond) {
			got = tip.Next()
		}
		mu.Lock()
		asks := asked
		mu.Unlock()
		if c.want == "" && got != "" || !strings.Contains(got, c.want) || asks != c.asks || tip.Next() != "" || (told == 1) != (c.want != "") {
			t.Errorf("%s: %q, asked %d times, told %d times", c.name, got, asks, told)
		}
	}
}
