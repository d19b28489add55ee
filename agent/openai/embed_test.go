package openai

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	openai "github.com/sashabaranov/go-openai"

	"kist/agent/endpoint"
	"kist/agent/endpoint/endpointtest"
)

func TestInOrder(t *testing.T) {
	at := func(index int, x float32) openai.Embedding {
		return openai.Embedding{Index: index, Embedding: []float32{x}}
	}
	for name, tc := range map[string]struct {
		data []openai.Embedding
		want [][]float32
	}{
		"in order":     {[]openai.Embedding{at(0, 1), at(1, 2)}, [][]float32{{1}, {2}}},
		"turned round": {[]openai.Embedding{at(1, 2), at(0, 1)}, [][]float32{{1}, {2}}},
		"all 0":        {[]openai.Embedding{at(0, 1), at(0, 2)}, [][]float32{{1}, {2}}},
		"none":         {nil, [][]float32{}},
		"twice":        {[]openai.Embedding{at(1, 1), at(1, 2)}, nil},
		"too far":      {[]openai.Embedding{at(0, 1), at(2, 2)}, nil},
		"negative":     {[]openai.Embedding{at(0, 1), at(-1, 2)}, nil},
	} {
		got, err := inOrder(tc.data)
		if diff := cmp.Diff(tc.want, got); diff != "" || (err != nil) != (tc.want == nil) || err != nil && !errors.Is(err, ErrAnswer) {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

func TestEmbed(t *testing.T) {
	server := endpointtest.New(t)
	e, err := endpoint.New(server.URL+"/v1", "")
	if err != nil {
		t.Fatal(err)
	}
	m := NewEmbedder(e, "nomic-embed-text-v1.5")
	got, err := m.Embed(t.Context(), []string{"mast", "hull", "mast"})
	if err != nil || len(got) != 3 || len(got[0]) != endpointtest.Dim || !cmp.Equal(got[0], got[2]) || cmp.Equal(got[0], got[1]) {
		t.Errorf("%v, %v", got, err)
	}
	if q, p := m.Prompts(); q != "search_query: " || p != "search_document: " || m.Model() != "openai/nomic-embed-text-v1.5" {
		t.Errorf("%q %q %q", q, p, m.Model())
	}
	server.SetDown(true)
	if _, err := m.Embed(t.Context(), []string{"x"}); err == nil {
		t.Error("no error")
	} else if _, ok := errors.AsType[*endpoint.Error](err); !ok {
		t.Errorf("%T", err)
	}
}
