package openai

import (
	"context"
	"errors"
	"fmt"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"kist/agent/endpoint"
	"kist/agent/model"
)

// ErrAnswer: an answer that makes no sense.
var ErrAnswer = errors.New("the server's answer makes no sense")

// An Embedder makes vectors with one model of a server. Its methods may be called
// concurrently.
type Embedder struct {
	client *openai.Client
	model  string
}

// NewEmbedder returns an embedder of a model such as text-embedding-3-small. The
// endpoint's address ends where /embeddings is added, in /v1 as a rule. It asks the
// server nothing yet.
func NewEmbedder(e *endpoint.Endpoint, model string) *Embedder {
	c := openai.DefaultConfig("") // the endpoint's client sends the key
	c.BaseURL = strings.TrimSuffix(e.URL().String(), "/")
	c.HTTPClient = e.Client()
	return &Embedder{client: openai.NewClientWithConfig(c), model: model}
}

// Model is "openai/" and the model's name.
func (e *Embedder) Model() string { return "openai/" + e.model }

// Prompts are what the model wants before a query and before a passage.
func (e *Embedder) Prompts() (query, passage string) { return model.EmbeddingPrompts(e.model) }

// Embed returns what the server does, by /embeddings: a vector for each text if all
// is well, which the caller has to check. Errors are *endpoint.Error or wrap ErrAnswer.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	resp, err := e.client.CreateEmbeddings(ctx, openai.EmbeddingRequest{Input: texts, Model: openai.EmbeddingModel(e.model)})
	if err != nil {
		return nil, endpoint.Cause(err)
	}
	return inOrder(resp.Data)
}

// inOrder puts vectors where their numbers say. Some servers number all of them 0;
// those send them in order.
func inOrder(data []openai.Embedding) ([][]float32, error) {
	out := make([][]float32, len(data))
	numbered := false
	for _, d := range data {
		numbered = numbered || d.Index != 0
	}
	for i, d := range data {
		if numbered {
			i = d.Index
		}
		if i < 0 || i >= len(out) || out[i] != nil {
			return nil, fmt.Errorf("%w: vector number %d of %d is there twice or shouldn't be", ErrAnswer, i, len(data))
		}
		out[i] = d.Embedding
	}
	return out, nil
}
