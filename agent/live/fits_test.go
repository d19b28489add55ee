//go:build live

package live

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/window"
	"kist/agent/window/windowtest"
)

// A narrow server counts as a counter does, and refuses what its window doesn't hold.
type narrow struct {
	counter
	size int

	mu      sync.Mutex
	refused int
	over    int // with all of the answer they would be above the window
	fullest int
}

func (n *narrow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var asked struct {
		MaxTokens int `json:"max_tokens"`
	}
	if err == nil && json.Unmarshal(body, &asked) == nil && asked.MaxTokens > 0 {
		read, err := n.count(body)
		n.mu.Lock()
		defer n.mu.Unlock()
		if err == nil && read > n.size {
			n.refused++
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`)
			return
		}
		if n.fullest = max(n.fullest, read); err == nil && read+asked.MaxTokens > n.size {
			n.over++
		}
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	n.counter.ServeHTTP(w, r)
}

// sized tells of a window of another size than the server behind has.
type sized struct {
	model.Described
	size int
}

func (s sized) Info(context.Context) (model.Info, error) { return model.Info{Context: s.size}, nil }

// TestFits: of random situations with more in them than fits, each request is within the window,
// as the server's own template and tokenizer count. Their texts are in five
// scripts by words, which no model's estimate knows: what the server refuses is sent again.
func TestFits(t *testing.T) {
	s := liveServer(t)
	upstream := counter{strings.TrimSuffix(s.url, "/v1")}
	if _, err := upstream.count([]byte(`{"messages":[{"role":"user","content":"x"}]}`)); err != nil {
		fmt.Printf("live: LEFT OUT: the server tells of no template or tokenizer: %v\n", err)
		return
	}
	for _, size := range []int{4096, 8192, 32768} {
		n := &narrow{counter: upstream, size: size}
		front := httptest.NewServer(n)
		m := window.New(sized{server{front.URL + "/v1", s.model}.client(t, endpoint.Patience{}), size}, 0)
		next := windowtest.Situations(rand.New(rand.NewPCG(*seed, 2)))
		failed := 0
		for i := range *situations {
			for _, err := range m.Generate(t.Context(), next()) {
				if err != nil {
					failed++
					t.Logf("%d at %d: %v", i, size, err)
				}
			}
		}
		front.Close()
		fmt.Printf("live: a window of %d: of %d situations %d had no request that fits, %d requests were refused and made smaller, %d left the answer less than it was told; %d tokens at most\n", size, *situations, failed, n.refused, n.over, n.fullest)
		if failed > 0 || n.refused*20 > *situations {
			t.Errorf("%d: %d failed, %d were refused", size, failed, n.refused)
		}
	}
}
