//go:build live

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"kist/agent"
	"kist/agent/endpoint"
	"kist/agent/ladder"
	"kist/agent/model"
	"kist/agent/tool/dialect"
	"kist/agent/window"
	"kist/bench/talk"
)

// A counter stands before llama.cpp's server and answers each request by a word and by how
// many tokens it is, by the server's own template and tokenizer: to read them all takes long.
type counter struct{ upstream string }

func (c counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		resp, err := http.Get(c.upstream + r.URL.Path)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body) // whoever asked hears that it is cut off
		return
	}
	n, err := c.count(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Fine.\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n", n)
}

func (c counter) count(body []byte) (int, error) {
	var request struct{ Prompt string }
	if err := c.post("/apply-template", body, &request); err != nil {
		return 0, err
	}
	body, err := json.Marshal(map[string]any{"content": request.Prompt, "add_special": true, "parse_special": true})
	if err != nil {
		return 0, err
	}
	var text struct{ Tokens []int }
	err = c.post("/tokenize", body, &text)
	return len(text.Tokens), err
}

func (c counter) post(path string, body []byte, to any) error {
	resp, err := http.Post(c.upstream+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(to)
}

// A counted model notes what each request was estimated at, and what its server counted.
type counted struct {
	model.Described
	estimated, told []int
}

func (c *counted) Generate(ctx context.Context, req model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for e, err := range c.Described.Generate(ctx, req) {
			if e.Usage != nil && e.Usage.Input > 0 {
				c.estimated, c.told = append(c.estimated, req.Input), append(c.told, e.Usage.Input)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// learnsFrom is how many requests teach how a server counts.
const learnsFrom = 5

// pasted are texts of many kinds, each from a file of this repository.
var pasted = []string{
	"README.md", "vault/FORMAT.md", "CHANGELOG.md", "agent/ladder/ladder.go", "proto/kist/v1/daemon.proto",
	"bench/talk/wishes.txt", "testdata/rooms.txt", ".ci/run", "go.mod", "ARCHITECTURE.md", "BENCHMARKS.md", "LICENSE",
}

// parts is how many pieces of each are pasted, and partSize how long they are.
const parts, partSize = 3, 2400

// TestEstimate has turns of the agent with texts of many kinds pasted into them. From the
// sixth request on, what kist takes a request for is within 15% of what the server counts by
// its own template and tokenizer.
func TestEstimate(t *testing.T) {
	s := liveServer(t)
	upstream := strings.TrimSuffix(s.url, "/v1")
	if _, err := (counter{upstream}).count([]byte(`{"messages":[{"role":"user","content":"x"}]}`)); err != nil {
		fmt.Printf("live: LEFT OUT: the server tells of no template or tokenizer: %v\n", err)
		return
	}
	front := httptest.NewServer(counter{upstream})
	defer front.Close()
	for _, rung := range talk.Rungs() {
		t.Run(rung.String(), func(t *testing.T) { estimates(t, server{front.URL + "/v1", s.model}, rung) })
	}
}

func estimates(t *testing.T, s server, rung ladder.Rung) {
	c := &counted{Described: s.client(t, endpoint.Patience{})}
	chat := ladder.New(window.New(c, *size), ladder.Options{
		From: rung, Offer: window.Tools, Schema: func(tools []model.Tool) json.RawMessage { return dialect.Union(tools, true) },
	})
	var kinds []string // of the requests
	for at := range parts {
		for _, path := range pasted {
			text, err := os.ReadFile("../../" + path)
			if err != nil {
				t.Fatal(err)
			}
			from := min(at*partSize, max(0, len(text)-partSize))
			part := strings.ToValidUTF8(string(text[from:min(len(text), from+partSize)]), "")
			newStage(t, chat).play(t, agent.Message{Session: "new", Project: "houseboat", Text: "What do you think of this?\n\n" + part})
			for len(kinds) < len(c.told) {
				kinds = append(kinds, path)
			}
		}
	}
	var off []float64
	within := 0
	for i := range c.told {
		part := float64(c.estimated[i])/float64(c.told[i]) - 1
		told := fmt.Sprintf("%s: estimated %d, counted %d: %+.1f%%", kinds[i], c.estimated[i], c.told[i], 100*part)
		if t.Log(told); i < learnsFrom {
			continue
		}
		if off = append(off, math.Abs(part)); math.Abs(part) > 0.15 {
			t.Error(told)
			continue
		}
		within++
	}
	if len(off) < 2*len(pasted) {
		t.Fatalf("%d requests", len(c.told))
	}
	slices.Sort(off)
	fmt.Printf("live: estimates, %s: of %d requests after the first %d, %d are within 15%%; off by %.1f%% (median), %.1f%% (p95), %.1f%% at most\n",
		rung, len(off), learnsFrom, within, 100*off[len(off)/2], 100*off[len(off)*95/100], 100*off[len(off)-1])
}
