package ollama

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shows is what /api/show tells of a model made so.
func shows(numbers string) string {
	return `{"model_info":{"general.architecture":"llama",` + numbers + `},"capabilities":["completion"]}`
}

// llama is Llama 3.1 of 8 B: 128 KiB for a token.
const llama = `"llama.context_length":131072,"llama.block_count":32,"llama.embedding_length":4096,"llama.attention.head_count":32,"llama.attention.head_count_kv":8`

func TestCacheBytes(t *testing.T) {
	for name, tc := range map[string]struct {
		numbers string
		want    int64
	}{
		"by the width of a head":          {llama, 128 << 10},
		"by its own lengths":              {`"llama.block_count":36,"llama.embedding_length":4096,"llama.attention.head_count":32,"llama.attention.head_count_kv":8,"llama.attention.key_length":128,"llama.attention.value_length":64`, 36 * 8 * 192 * 2},
		"only keys have a length":         {`"llama.block_count":2,"llama.embedding_length":64,"llama.attention.head_count":4,"llama.attention.head_count_kv":1,"llama.attention.key_length":32`, 2 * 48 * 2},
		"heads share nothing":             {`"llama.block_count":12,"llama.embedding_length":768,"llama.attention.head_count":12`, 12 * 12 * 128 * 2},
		"they differ from layer to layer": {`"llama.block_count":12,"llama.embedding_length":768,"llama.attention.head_count":12,"llama.attention.head_count_kv":null`, 12 * 12 * 128 * 2},
		"a list":                          {`"llama.block_count":12,"llama.embedding_length":768,"llama.attention.head_count":12,"llama.attention.head_count_kv":[0,8]`, 12 * 12 * 128 * 2},
		"nothing":                         {`"llama.context_length":2048`, 0},
		"no heads":                        {`"llama.block_count":12,"llama.embedding_length":768`, 0},
		"no layers":                       {`"llama.embedding_length":768,"llama.attention.head_count":12`, 0},
		"of another architecture":         {`"qwen3.block_count":12,"qwen3.embedding_length":768,"qwen3.attention.head_count":12`, 0},
		"absurd":                          {`"llama.block_count":9000000000000000000,"llama.embedding_length":768,"llama.attention.head_count":12`, 0},
		"negative":                        {`"llama.block_count":-12,"llama.embedding_length":768,"llama.attention.head_count":12`, 0},
		"the most":                        {`"llama.block_count":1048576,"llama.attention.head_count":1048576,"llama.attention.key_length":1048576,"llama.attention.value_length":1048576`, 1 << 62},
	} {
		var s shown
		if err := json.Unmarshal([]byte(shows(tc.numbers)), &s); err != nil {
			t.Fatal(err)
		}
		if got := s.cacheBytes(); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}

func TestAffordable(t *testing.T) {
	const gib, kib = 1 << 30, 1 << 10
	for _, tc := range []struct {
		free, perToken int64
		want           int
	}{
		{1, 1, 4096},
		{gib, 1 << 62, 4096},
		{4 * gib, 128 * kib, 4096},
		{8*gib - 1, 128 * kib, 4096},
		{8 * gib, 128 * kib, 8192},
		{16 * gib, 128 * kib, 16384},
		{31 * gib, 128 * kib, 16384},
		{32 * gib, 128 * kib, 16384},
		{1024 * gib, 128 * kib, 16384},
		{2 * gib, 22*kib + 512, 8192}, // SmolLM2 of 135 M
		{6 * gib, 22*kib + 512, 16384},
		{1 << 62, 1, 16384},
	} {
		if got := affordable(tc.free, tc.perToken); got != tc.want {
			t.Errorf("%d free, %d for a token: %d, want %d", tc.free, tc.perToken, got, tc.want)
		}
	}
}

func TestReadMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"MemTotal:       24684128 kB\nMemFree:        23632000 kB\nMemAvailable:   23708000 kB\nBuffers: 1 kB\n": 23708000 << 10,
		"MemTotal:       24684128 kB\nMemFree:        23632000 kB\n":                                             0, // before Linux 3.14
		"": 0,
		"MemAvailable:   99999999999999999999 kB\n": 0,
		"MemAvailable:   -1 kB\n":                   0,
		"MemAvailable:   999999999999 kB\n":         999999999999 << 10,
	} {
		if got := readMemory(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestWindowByMemory: what is asked for fits what is free, unless it is set, and stays as it
// was when less is free later.
func TestWindowByMemory(t *testing.T) {
	const gib = 1 << 30
	for name, tc := range map[string]struct {
		model string
		set   int
		free  int64
		show  string
		want  int
	}{
		"plenty":                     {"m", 0, 64 * gib, shows(llama), 16384},
		"some":                       {"m", 0, 20 * gib, shows(llama), 16384},
		"little":                     {"m", 0, 3 * gib, shows(llama), 4096},
		"not known":                  {"m", 0, 0, shows(llama), 8192},
		"a model of unknown making":  {"m", 0, 64 * gib, shows(`"llama.context_length":131072`), 8192},
		"a model of a small window":  {"m", 0, 64 * gib, shows(llama + `,"llama.context_length":2048`), 2048},
		"set to more":                {"m", 65536, 3 * gib, shows(llama), 65536},
		"set to less":                {"m", 4500, 64 * gib, shows(llama), 4500},
		"a model elsewhere, by name": {"m:cloud", 0, 3 * gib, shows(llama), 8192},
		"a model elsewhere":          {"m", 0, 3 * gib, `{"remote_host":"https://ollama.com:443",` + shows(llama)[1:], 8192},
	} {
		f := serve(t)
		f.show = says(tc.show)
		free := tc.free
		c := NewChat(f.endpoint(t), tc.model, Options{Context: tc.set, Free: func() int64 { return free }})
		told(t.Context(), c, userSays("Hello"))
		info, err := c.Info(t.Context())
		if err != nil || info.Context != tc.want {
			t.Errorf("%s: %d, %v", name, info.Context, err)
		}
		free = gib
		told(t.Context(), c, userSays("Hello"))
		if diff := cmp.Diff([]int{tc.want, tc.want}, f.windows(t)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
