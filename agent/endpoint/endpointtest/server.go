// Package endpointtest is a model server for tests: a [Server] makes vectors by hashing
// words, so that texts with words in common are near, and can be told to misbehave.
package endpointtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Dim is the number of dimensions of the vectors.
const Dim = 256

// A Server answers as Ollama does at /api/embed and as OpenAI does at /v1/embeddings.
type Server struct {
	URL string

	http *httptest.Server

	mu       sync.Mutex
	down     bool
	dim      int
	meaning  map[string]string
	hook     func(w http.ResponseWriter, r *http.Request, texts []string) bool
	answered map[string]int
	batches  []int
}

// New starts a server, which ends with the test.
func New(t testing.TB) *Server {
	s := &Server{dim: Dim, answered: map[string]int{}, meaning: map[string]string{}}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	t.Cleanup(func() {
		s.SetHook(nil)
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

// SetDown has the server drop connections without an answer.
func (s *Server) SetDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// SetDim changes the number of dimensions.
func (s *Server) SetDim(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dim = n
}

// SetMeaning has a word count as another one.
func (s *Server) SetMeaning(word, as string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meaning[word] = as
}

// SetHook has fn called before each answer; when it returns true, it has answered. It
// may block, until the request's context ends.
func (s *Server) SetHook(fn func(w http.ResponseWriter, r *http.Request, texts []string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = fn
}

// Answered returns how often each text has been embedded.
func (s *Server) Answered() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.answered)
}

// Batches returns the number of texts of each request that was answered.
func (s *Server) Batches() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]int(nil), s.batches...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	var req struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	hook, down := s.hook, s.down
	s.mu.Unlock()
	if down {
		panic(http.ErrAbortHandler)
	}
	if hook != nil && hook(w, r, req.Input) {
		return
	}
	var vectors [][]float32
	s.mu.Lock()
	for _, text := range req.Input {
		s.answered[text]++
		vectors = append(vectors, s.vector(text))
	}
	s.batches = append(s.batches, len(req.Input))
	s.mu.Unlock()
	switch r.URL.Path {
	case "/api/embed":
		json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors})
	case "/v1/embeddings":
		json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data(vectors)})
	default:
		http.Error(w, fmt.Sprintf(`{"error":"no %s here"}`, r.URL.Path), http.StatusNotFound)
	}
}

// data is in the opposite order: only the index counts.
func data(vectors [][]float32) (out []map[string]any) {
	for i := len(vectors) - 1; i >= 0; i-- {
		out = append(out, map[string]any{"object": "embedding", "index": i, "embedding": vectors[i]})
	}
	return out
}

func (s *Server) vector(text string) []float32 {
	v := make([]float32, s.dim)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if as, ok := s.meaning[word]; ok {
			word = as
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		n := h.Sum32()
		v[n%uint32(s.dim)] += 1
		v[(n>>8)%uint32(s.dim)] -= 0.5
	}
	v[0] += 0.01
	return v
}
