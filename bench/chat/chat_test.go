package chat

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kist/agent/models"
)

// TestMeasureSendsNoKeyElsewhere: the key of the settings is for their server alone.
func TestMeasureSendsNoKeyElsewhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("KIST_CONFIG", t.TempDir()+"/none.yaml")
	t.Setenv("KIST_OPENAI_KEY", "sesame")
	var asked, keys atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1); r.Header.Get("Authorization") != "" {
			keys.Add(1)
		}
		if r.Method == http.MethodGet {
			io.WriteString(w, `{"data":[{"id":"one"},{"id":"two"}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Fine.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer s.Close()
	opts := Options{URL: s.URL, Model: "one", Requests: 1}
	r, err := Measure(t.Context(), opts)
	if err != nil || r.Model != "openai/one" || r.Remote || len(r.Rungs) != 4 || asked.Load() < 6 || keys.Load() > 0 {
		t.Errorf("%+v, %v; asked %d times, %d keys", r, err, asked.Load(), keys.Load())
	}
	opts.Model = ""
	if _, err := Measure(t.Context(), opts); hintOf(err) != "name one with --model, such as one, two" {
		t.Errorf("%v (%s)", err, hintOf(err))
	}
	t.Setenv("KIST_OPENAI_URL", s.URL)
	if _, err := Measure(t.Context(), Options{Model: "openai/one", Requests: 1}); err != nil || keys.Load() == 0 {
		t.Errorf("%v, %d keys", err, keys.Load())
	}
}

func hintOf(err error) string {
	if h, ok := errors.AsType[hinted](err); ok {
		return h.Hint()
	}
	return ""
}

func TestMeasureRefused(t *testing.T) {
	t.Setenv("KIST_CONFIG", t.TempDir()+"/none.yaml")
	t.Setenv("KIST_CHAT", "")
	for name, c := range map[string]struct {
		opts Options
		want error
	}{
		"no model":         {Options{}, nil},
		"no name":          {Options{Model: "x"}, ErrOptions},
		"no server":        {Options{Model: "openai/x"}, models.ErrServer},
		"no address":       {Options{URL: "x"}, ErrOptions},
		"too few requests": {Options{Requests: -1}, ErrOptions},
		"too little time":  {Options{Within: -1}, ErrOptions},
	} {
		if r, err := Measure(t.Context(), c.opts); r != nil || err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

// TestProgressIsToldAgain: what comes too soon to be shown is told once more, and nothing
// after the end.
func TestProgressIsToldAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		a := &again{tell: func(string, int, int) { told++ }}
		a.report("native", 0, 12)
		a.report("native", 1, 12)
		time.Sleep(time.Minute)
		synctest.Wait()
		if told != 3 {
			t.Errorf("told %d times", told)
		}
		a.report("native", 2, 12)
		a.end()
		time.Sleep(time.Minute)
		synctest.Wait()
		if told != 4 {
			t.Errorf("told %d times", told)
		}
	})
}

// TestMeasureAsksFirst: a model that isn't on this machine, or passes on what it gets, is
// said nothing before somebody agreed.
func TestMeasureAsksFirst(t *testing.T) {
	var said atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			said.Add(1)
		}
		io.WriteString(w, `{"data":[{"id":"one"}]}`)
	}))
	defer s.Close()
	config := filepath.Join(t.TempDir(), "config.yaml")
	text := "models: {chat: openai/one, openai: {url: '" + s.URL + "', remote: true}}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KIST_CONFIG", config)
	no := errors.New("no")
	r, err := Measure(t.Context(), Options{Requests: 4, Agree: func(r Report) error {
		if !r.Remote || r.Messages != 15 || r.URL != s.URL || r.Model != "openai/one" {
			t.Errorf("%+v", r)
		}
		return no
	}})
	if r != nil || !errors.Is(err, no) || said.Load() > 0 {
		t.Errorf("%+v, %v; it was sent %d requests", r, err, said.Load())
	}
	if r, err := Measure(t.Context(), Options{Requests: 4}); r != nil || err == nil || said.Load() > 0 {
		t.Errorf("with nobody to ask: %+v, %v; it was sent %d requests", r, err, said.Load())
	}
}

// TestMeasureBroken: what must be 0 and isn't is an error that comes with the report.
func TestMeasureBroken(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		}
		io.WriteString(w, `{"data":[{"id":"one"}]}`)
	}))
	defer s.Close()
	r, err := Measure(t.Context(), Options{URL: s.URL, Requests: 1, Turn: 200 * time.Millisecond})
	if r == nil || !errors.Is(err, ErrBroken) || hintOf(err) == "" || len(r.Rungs) != 4 || r.Rungs[0].Endless == 0 || r.Rungs[3].Right != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
