package openai

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kist/agent/endpoint"
	"kist/agent/model"
	"kist/agent/wire/wiretest"
)

func TestInfo(t *testing.T) {
	asJSON := map[string]string{"Content-Type": "application/json"}
	for name, tc := range map[string]struct {
		list  string
		want  int
		names []string
	}{
		"vLLM":                {`{"object":"list","data":[{"id":"qwen3","max_model_len":32768}]}`, 32768, []string{"qwen3"}},
		"OpenRouter":          {`{"data":[{"id":"other","context_length":1},{"id":"qwen3","context_length":131072}]}`, 131072, []string{"other", "qwen3"}},
		"Groq":                {`{"data":[{"id":"qwen3","context_window":8192,"active":true}]}`, 8192, []string{"qwen3"}},
		"LM Studio":           {`{"data":[{"id":"qwen3","loaded_context_length":4096,"max_context_length":32768}]}`, 4096, []string{"qwen3"}},
		"llama.cpp":           {`{"models":[{"name":"x"}],"data":[{"id":"/x/y.gguf","meta":{"n_ctx":8192,"n_ctx_train":32768}}]}`, 8192, []string{"/x/y.gguf"}},
		"llama.cpp, older":    {`{"data":[{"id":"y.gguf","meta":{"n_ctx_train":32768}}]}`, 32768, []string{"y.gguf"}},
		"OpenAI":              {`{"data":[{"id":"qwen3","object":"model"},{"id":"b"}]}`, 0, []string{"qwen3", "b"}},
		"not there":           {`{"data":[{"id":"a","context_length":1},{"id":"b","context_length":2}]}`, 0, []string{"a", "b"}},
		"negative":            {`{"data":[{"id":"qwen3","context_length":-1,"max_model_len":5}]}`, 5, []string{"qwen3"}},
		"a figure as a text":  {`{"data":[{"id":"qwen3","context_length":"8192","max_model_len":5}]}`, 5, []string{"qwen3"}},
		"nothing of a figure": {`{"data":[{"id":"qwen3","context_length":null,"meta":null}]}`, 0, []string{"qwen3"}},
		"none":                {`{"data":[]}`, 0, nil},
	} {
		server := wiretest.New(t, wiretest.Each(wiretest.Answer{Header: asJSON, Body: tc.list}))
		c := chat(t, server.URL, endpoint.Patience{})
		for range 2 {
			if got, err := c.Info(t.Context()); err != nil || got != (model.Info{Context: tc.want, Tools: true, Format: true}) {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		if asked := server.Requests(); len(asked) != 1 || asked[0].Path != "/v1/models" || asked[0].Header.Get("Authorization") != "Bearer "+canary {
			t.Errorf("%s: %+v", name, asked)
		}
		if names, err := Models(t.Context(), c.endpoint); err != nil || !cmp.Equal(names, tc.names) {
			t.Errorf("%s: %q, %v", name, names, err)
		}
	}
}

// TestMade: another model behind the same name is another one, where the server tells.
func TestMade(t *testing.T) {
	for list, want := range map[string]string{
		`{"data":[{"id":"small","meta":{"n_ctx":8192,"n_params":1720574976,"size":1834426016}}]}`: "1720574976 parameters in 1834426016 bytes",
		`{"data":[{"id":"qwen3","root":"/models/qwen3-8b-awq"}]}`:                                 "/models/qwen3-8b-awq",
		`{"data":[{"id":"qwen3","root":"qwen3","created":1763930000}]}`:                           "",
		`{"data":[{"id":"qwen3"}]}`: "",
	} {
		server := wiretest.New(t, wiretest.Each(wiretest.Answer{Body: list}))
		if got, err := chat(t, server.URL, endpoint.Patience{}).Info(t.Context()); err != nil || got.Made != want {
			t.Errorf("%s: %+v, %v", list, got, err)
		}
	}
}

// TestPrice: what OpenRouter tells of a token is a price of a million, or none where it isn't all.
func TestPrice(t *testing.T) {
	for told, want := range map[string]model.Info{
		`"pricing":{"prompt":"0.000003","completion":"0.000015","request":"0","image":"0.0048","input_cache_read":"0.0000003"}`: {Priced: true, Price: model.Price{Input: 3, Output: 15, Cached: 0.3}},
		`"pricing":{"prompt":0.0000001,"completion":0.0000004}`:                                                                 {Priced: true, Price: model.Price{Input: 0.1, Output: 0.4}},
		`"pricing":{"prompt":"0","completion":"0"}`:                                                                             {Priced: true},
		`"pricing":{"prompt":"-1","completion":"-1"}`:                                                                           {},
		`"pricing":{"prompt":"0.000003"}`:                                                                                       {},
		`"pricing":{"prompt":"0.000003","completion":"0.00001","request":"0.5"}`:                                                {},
		`"pricing":{"prompt":"NaN","completion":"0.1"}`:                                                                         {},
		`"pricing":{"prompt":"cheap","completion":[]}`:                                                                          {},
		`"pricing":{"prompt":"0.000001","completion":"0.000001","input_cache_read":"0.000002"}`:                                 {Priced: true, Price: model.Price{Input: 1, Output: 1}},
		`"pricing":"free"`: {},
		`"architecture":{"input_modalities":["text","image"]}`: {Images: true},
		`"architecture":{"input_modalities":["text"]}`:         {},
		`"capabilities":{"vision":true}`:                       {Images: true},
		`"capabilities":["vision"]`:                            {},
	} {
		want.Context, want.Tools, want.Format = 7, true, true
		server := wiretest.New(t, wiretest.Each(wiretest.Answer{Body: `{"data":[{"id":"other"},{"id":"qwen3",` + told + `,"context_length":7}]}`}))
		got, err := chat(t, server.URL, endpoint.Patience{}).Info(t.Context())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", told, err, diff)
		}
	}
}

func TestInfoFails(t *testing.T) {
	good := wiretest.Answer{Body: `{"data":[{"id":"qwen3","context_length":7}]}`}
	for name, bad := range map[string]wiretest.Answer{
		"a wrong key": {Status: 401, Body: `{"error":{"message":"no ` + canary + `"}}`},
		"a web page":  {Body: "<html>" + canary},
		"no list":     {Body: `{"data":{"` + canary + `":1}}`},
		"a text":      {Body: `"` + canary + `"`},
		"cut":         {Body: `{"data":[{"id":"qw`, End: wiretest.Broken},
	} {
		server := wiretest.New(t, wiretest.Each(bad, good))
		c := chat(t, server.URL, endpoint.Patience{})
		_, err := c.Info(t.Context())
		if _, ok := errors.AsType[*endpoint.Error](err); err == nil || !ok && !errors.Is(err, ErrAnswer) || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := c.Info(t.Context()); err != nil || got.Context != 7 {
			t.Errorf("%s, asked again: %+v, %v", name, got, err)
		}
	}
	e, err := endpoint.New("https://api.example.com", "")
	if err != nil {
		t.Fatal(err)
	}
	c := NewChat(e, "x", endpoint.Patience{})
	c.asked.done = true
	if c.endpoint.Local() || c.Name() != "openai/x" {
		t.Error("a server elsewhere")
	}
}
