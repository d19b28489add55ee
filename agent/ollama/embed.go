package ollama

import (
	"context"
	"net/http"
	"time"

	"kist/agent/endpoint"
	"kist/agent/model"
)

// An Embedder makes vectors with one model of a server. Its methods may be called
// concurrently.
type Embedder struct {
	endpoint *endpoint.Endpoint
	model    string
}

// NewEmbedder returns an embedder of a model such as nomic-embed-text. It asks the
// server nothing yet.
func NewEmbedder(e *endpoint.Endpoint, model string) *Embedder {
	return &Embedder{endpoint: e, model: model}
}

// Model is "ollama/" and the model's name.
func (e *Embedder) Model() string { return "ollama/" + e.model }

// Prompts are what the model wants before a query and before a passage.
func (e *Embedder) Prompts() (query, passage string) { return model.EmbeddingPrompts(e.model) }

// embedWithin is far above what a batch may take; the caller's context says how long.
const embedWithin = time.Hour

// Embed returns what the server does, by /api/embed: a vector for each text if all is
// well, which the caller has to check. A text that is longer than the model's context
// is cut by the server. Errors are *endpoint.Error, or say that an answer made no sense.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var resp struct{ Embeddings [][]float32 }
	err := ask(ctx, e.endpoint, embedWithin, http.MethodPost, "/api/embed", map[string]any{"model": e.model, "input": texts, "truncate": true}, &resp)
	return resp.Embeddings, err
}
