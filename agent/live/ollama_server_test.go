//go:build live

package live

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kist/agent/endpoint"
)

// An ollamaServer is Ollama itself, on a free port of loopback and with a folder of models
// of its own. It has four, of the same weights: words has a template without tools, tools
// one with them, names one that tells only their names, which costs no time, and thinks one
// that begins with a thought.
type ollamaServer struct {
	*endpoint.Endpoint
	url     string
	home    string
	process *exec.Cmd
	log     *bytes.Buffer
}

// The templates are ChatML. The second writes tools and calls as Qwen and Hermes do; how a
// call begins the server finds out from what follows "if .ToolCalls".
const (
	wordsTemplate = `{{ range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
`
	toolsTemplate = `{{ if or .System .Tools }}<|im_start|>system
{{ .System }}{{ if .Tools }}
You may call these tools: {{ range .Tools }}{{ .Function }}
{{ end }}Call one by <tool_call>
{"name": <name>, "arguments": <arguments>}
</tool_call>{{ end }}<|im_end|>
{{ end }}{{ range .Messages }}{{ if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ .Content }}{{ if .ToolCalls }}<tool_call>
{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{ end }}</tool_call>{{ end }}<|im_end|>
{{ else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ end }}{{ end }}<|im_start|>assistant
`
)

// thinksTemplate has the model begin with a thought, unless it is told not to. How thoughts are
// marked the server finds out from what stands around .Thinking.
const thinksTemplate = `{{ range .Messages }}<|im_start|>{{ .Role }}
{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
{{ if .Think }}<think>{{ end }}`

const namesTemplate = `{{ range .Tools }}{{ .Function.Name }} {{ end }}{{ range .Messages }}{{ .Content }}{{ end }}`

// startOllama starts the server that KIST_TEST_OLLAMA_BIN names, with the weights of
// KIST_TEST_GGUF. It is ended with the test.
func startOllama(t *testing.T) *ollamaServer {
	t.Helper()
	program, weights := os.Getenv("KIST_TEST_OLLAMA_BIN"), os.Getenv("KIST_TEST_GGUF")
	if program == "" || weights == "" {
		t.Skip("LEFT OUT: Ollama's program isn't in KIST_TEST_OLLAMA_BIN, or a model's file not in KIST_TEST_GGUF")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	s := &ollamaServer{url: "http://" + address, home: t.TempDir(), log: new(bytes.Buffer)}
	s.start(t)
	t.Cleanup(func() {
		s.end()
		if t.Failed() {
			text := s.log.Bytes()
			t.Logf("the server's log ends: %s", text[max(0, len(text)-4000):])
		}
	})
	if s.Endpoint, err = endpoint.New(s.url, ""); err != nil {
		t.Fatal(err)
	}
	s.create(t, weights)
	return s
}

// start starts it, the first time or anew, and returns once it answers. Requests of models
// elsewhere it passes on within this machine alone.
func (s *ollamaServer) start(t *testing.T) {
	t.Helper()
	s.process = exec.Command(os.Getenv("KIST_TEST_OLLAMA_BIN"), "serve")
	s.process.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "OLLAMA_HOST=" + strings.TrimPrefix(s.url, "http://"), "OLLAMA_MODELS=" + filepath.Join(s.home, "models"),
		"OLLAMA_NOPRUNE=1", "OLLAMA_NUM_PARALLEL=1", "OLLAMA_REMOTES=127.0.0.1", "OLLAMA_CONTEXT_LENGTH=1024",
	}
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		resp, err := http.Get(s.url + "/api/version")
		if err == nil {
			version, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			fmt.Printf("live: Ollama %s\n", version)
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// end stops the server at once, and waits until it is gone.
func (s *ollamaServer) end() {
	// An interrupt has it end the process that runs the model, too.
	_ = s.process.Process.Signal(os.Interrupt)
	stuck := time.AfterFunc(10*time.Second, func() { _ = s.process.Process.Kill() })
	defer stuck.Stop()
	_ = s.process.Wait()
}

// create makes the models of the weights in a file.
func (s *ollamaServer) create(t *testing.T, file string) {
	t.Helper()
	for name, template := range map[string]string{"words": wordsTemplate, "tools": toolsTemplate, "names": namesTemplate, "thinks": thinksTemplate} {
		s.model(t, name, file, template, map[string]any{"stop": []string{"<|im_end|>"}, "temperature": 0, "seed": 1})
	}
}

// model makes one.
func (s *ollamaServer) model(t *testing.T, name, file, template string, parameters map[string]any) {
	t.Helper()
	weights, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(weights))
	s.post(t, "/api/blobs/"+digest, weights)
	body, err := json.Marshal(map[string]any{"model": name, "files": map[string]string{"weights.gguf": digest}, "template": template, "stream": false, "parameters": parameters})
	if err != nil {
		t.Fatal(err)
	}
	s.post(t, "/api/create", body)
}

// post sends what has to work.
func (s *ollamaServer) post(t *testing.T, path string, body []byte) {
	t.Helper()
	read(t, path)(http.Post(s.url+path, "application/json", bytes.NewReader(body)))
}

// get returns what is there.
func (s *ollamaServer) get(t *testing.T, path string) string {
	t.Helper()
	return read(t, path)(http.Get(s.url + path))
}

// read takes an answer, which has to be a good one.
func read(t *testing.T, path string) func(*http.Response, error) string {
	return func(resp *http.Response, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode >= 300 || strings.Contains(string(text), `"error"`) {
			t.Fatalf("%s: %d %v %.500s", path, resp.StatusCode, err, text)
		}
		return string(text)
	}
}
