package ollama

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"kist/agent/endpoint"
)

func TestEmbed(t *testing.T) {
	var asked struct {
		Model    string
		Input    []string
		Truncate bool
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/api/embed" {
			http.Error(w, "?", http.StatusBadRequest)
		}
		if asked.Model == "none" {
			http.Error(w, `{"error":"model not found, try pulling it first"}`, http.StatusNotFound)
			return
		}
		w.Write([]byte(`{"embeddings":[[1,2],[3,4]]}`))
	}))
	defer server.Close()
	e, err := endpoint.New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	m := NewEmbedder(e, "mxbai-embed-large:335m")
	got, err := m.Embed(t.Context(), []string{"a", "b"})
	if err != nil || len(got) != 2 || got[1][0] != 3 || asked.Model != "mxbai-embed-large:335m" || !asked.Truncate || len(asked.Input) != 2 {
		t.Errorf("%v, %v; asked %+v", got, err, asked)
	}
	if q, p := m.Prompts(); q == "" || p != "" || m.Model() != "ollama/mxbai-embed-large:335m" {
		t.Errorf("%q %q %q", q, p, m.Model())
	}
	_, err = NewEmbedder(e, "none").Embed(t.Context(), []string{"a"})
	if f, ok := errors.AsType[*endpoint.Error](err); !ok || f.Status != http.StatusNotFound {
		t.Errorf("%v", err)
	}
}
