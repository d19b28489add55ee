package main

import (
	_ "embed" // template.jinja
	"fmt"
	"math"
	"math/rand/v2"
)

// The size of the model.
const (
	width   = 64 // of the vector that stands for a token
	layers  = 2
	heads   = 4
	keys    = 2 // heads of keys and values
	inner   = 128
	context = 32 << 10
)

//go:embed template.jinja
var template string

// describe says what the model is.
func (f *file) describe(v *vocabulary) {
	f.text("general.architecture", "llama")
	f.text("general.name", "random")
	f.count("general.file_type", 1) // mostly F16
	f.count("llama.context_length", context)
	f.count("llama.embedding_length", width)
	f.count("llama.block_count", layers)
	f.count("llama.feed_forward_length", inner)
	f.count("llama.attention.head_count", heads)
	f.count("llama.attention.head_count_kv", keys)
	f.count("llama.rope.dimension_count", width/heads)
	f.float("llama.attention.layer_norm_rms_epsilon", 1e-5)
	f.count("llama.vocab_size", len(v.tokens))

	f.text("tokenizer.ggml.model", "llama")
	f.text("tokenizer.ggml.pre", "default")
	tokens := f.list("tokenizer.ggml.tokens", ofString, len(v.tokens))
	for _, t := range v.tokens {
		text(tokens, t.text)
	}
	scores := f.list("tokenizer.ggml.scores", ofFloat32, len(v.tokens))
	for _, t := range v.tokens {
		number(scores, t.score)
	}
	kinds := f.list("tokenizer.ggml.token_type", ofInt32, len(v.tokens))
	for _, t := range v.tokens {
		number(kinds, int32(t.kind))
	}
	f.count("tokenizer.ggml.unknown_token_id", 0)
	f.count("tokenizer.ggml.bos_token_id", v.begin)
	f.count("tokenizer.ggml.eos_token_id", v.end)
	f.flag("tokenizer.ggml.add_bos_token", false)
	f.flag("tokenizer.ggml.add_space_prefix", false)
	f.text("tokenizer.chat_template", template)
}

// Of a token's vector the first place is the same for all, which is what biases are read
// from, and the next ones are set by its class. The others are random.
const (
	mark    = 4.0 // what stands in such a place
	read    = 2.2 // what about is left of it before the last layer
	drawn   = 3.6 // how much more readily a token follows those of a class
	unequal = 0.28
)

// weights adds those of a seed.
func (f *file) weights(v *vocabulary, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	random := func(n int, deviation float64) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(r.NormFloat64() * deviation)
		}
		return out
	}
	place := map[string]int{}
	for i, class := range v.classes() {
		place[class] = i + 1
	}
	in, out := random(width*len(v.tokens), 1), random(width*len(v.tokens), unequal)
	for i, t := range v.tokens {
		a, b := in[i*width:(i+1)*width], out[i*width:(i+1)*width]
		for p := range len(place) + 1 {
			a[p], b[p] = 0, 0
		}
		a[0], b[0] = mark, float32(t.bias/read)
		if t.class != "" {
			a[place[t.class]] = mark
		}
		if t.after != "" {
			b[place[t.after]] = float32(drawn / read)
		}
	}
	f.tensor("token_embd.weight", in, width, len(v.tokens))
	ones := make([]float32, width)
	for i := range ones {
		ones[i] = 1
	}
	const head = width / heads
	even := 0.5 / math.Sqrt(width)
	for l := range layers {
		name := func(s string) string { return fmt.Sprintf("blk.%d.%s.weight", l, s) }
		f.tensor(name("attn_norm"), ones, width)
		f.tensor(name("attn_q"), random(width*width, even), width, width)
		f.tensor(name("attn_k"), random(width*keys*head, even), width, keys*head)
		f.tensor(name("attn_v"), random(width*keys*head, even), width, keys*head)
		f.tensor(name("attn_output"), random(width*width, even), width, width)
		f.tensor(name("ffn_norm"), ones, width)
		f.tensor(name("ffn_gate"), random(width*inner, even), width, inner)
		f.tensor(name("ffn_up"), random(width*inner, even), width, inner)
		f.tensor(name("ffn_down"), random(inner*width, even), inner, width)
	}
	f.tensor("output_norm.weight", ones, width)
	f.tensor("output.weight", out, width, len(v.tokens))
}
