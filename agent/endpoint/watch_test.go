package endpoint

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestWatch: the time until an answer begins counts, and that between its pieces, but not
// what its reader does in between.
func TestWatch(t *testing.T) {
	const pause = 40 * time.Millisecond
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 2 {
			time.Sleep(pause)
			io.WriteString(w, "piece\n")
			http.NewResponseController(w).Flush()
		}
	}))
	defer s.Close()
	e, err := New(s.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, client := range map[string]*http.Client{"whole": e.Client(), "stream": e.Stream(Patience{})} {
		ctx, watch := Watched(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(resp.Body); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		time.Sleep(2 * pause)
		took := time.Since(began)
		if watch.Waited() < 3*pause/2 || watch.Waited() > took-2*pause || watch.Asked() != 1 {
			t.Errorf("%s: waited %v of %v, asked %d times", name, watch.Waited(), took, watch.Asked())
		}
		client.CloseIdleConnections()
	}
}
