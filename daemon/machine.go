package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"kist/agent/endpoint"
	"kist/agent/ollama"
	"kist/agent/openai"
	"kist/index"
)

// machineConfig is the file of settings that concern this machine, for all of its
// vaults. It lies outside of them, because what comes with a vault must not say where
// its text is sent, or hold a key.
const machineConfig = "kist/config.yaml"

// BuiltIn is the embedder that needs no server.
const BuiltIn = "builtin"

// ollamaURL is where Ollama listens unless it is told otherwise.
const ollamaURL = "http://127.0.0.1:11434"

// Models says which models are used, and where they are. The file is config.yaml in the
// folder kist of the user's settings, or what KIST_CONFIG names:
//
//	models:
//	  embed: ollama/nomic-embed-text     # or openai/NAME, or builtin; KIST_EMBED
//	  ollama: {url: http://127.0.0.1:11434}                # KIST_OLLAMA_URL, KIST_OLLAMA_KEY
//	  openai: {url: http://127.0.0.1:8080/v1, key: secret} # KIST_OPENAI_URL, KIST_OPENAI_KEY
//
// Without any of it no network is used.
type Models struct {
	Embed  string // builtin, ollama/NAME or openai/NAME
	Ollama Server
	OpenAI Server
}

// A Server is where models are.
type Server struct {
	URL string
	Key Secret // empty: none is sent
}

// A Secret is shown by nothing that prints or logs it.
type Secret string

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "[secret]"
}

// GoString is for %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText is for logs in JSON and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

type machineFile struct {
	Models modelsFile `yaml:"models"`
}

type modelsFile struct {
	Embed  string     `yaml:"embed"`
	Ollama serverFile `yaml:"ollama"`
	OpenAI serverFile `yaml:"openai"`
}

type serverFile struct {
	URL string `yaml:"url"`
	Key string `yaml:"key"`
}

// loadModels reads this machine's settings: defaults, the file, the environment.
func loadModels(getenv func(string) string) (Models, error) {
	f := machineFile{modelsFile{Embed: BuiltIn, Ollama: serverFile{URL: ollamaURL}}}
	if path := machinePath(getenv); path != "" {
		if err := readYAML(path, path, &f); err != nil {
			return Models{}, err
		}
		if err := checkPrivate(path, f); err != nil {
			return Models{}, err
		}
	}
	for name, value := range map[string]*string{
		"KIST_EMBED":      &f.Models.Embed,
		"KIST_OLLAMA_URL": &f.Models.Ollama.URL, "KIST_OLLAMA_KEY": &f.Models.Ollama.Key,
		"KIST_OPENAI_URL": &f.Models.OpenAI.URL, "KIST_OPENAI_KEY": &f.Models.OpenAI.Key,
	} {
		if s := getenv(name); s != "" {
			*value = s
		}
	}
	m := Models{Embed: f.Models.Embed, Ollama: f.Models.Ollama.server(), OpenAI: f.Models.OpenAI.server()}
	if _, err := m.embedder(); err != nil {
		return Models{}, err
	}
	return m, nil
}

func (s serverFile) server() Server { return Server{URL: s.URL, Key: Secret(s.Key)} }

// machinePath is the file's name; empty where there is no folder for it.
func machinePath(getenv func(string) string) string {
	if path := getenv("KIST_CONFIG"); path != "" {
		return path
	}
	folders := []string{getenv("XDG_CONFIG_HOME")}
	if runtime.GOOS == "windows" {
		folders = append(folders, getenv("AppData"))
	}
	if home := getenv("HOME"); home != "" {
		folders = append(folders, filepath.Join(home, ".config"))
	}
	for _, dir := range folders {
		if filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(machineConfig))
		}
	}
	return ""
}

// checkPrivate refuses a key that others on this machine can read.
func checkPrivate(path string, f machineFile) error {
	if runtime.GOOS == "windows" || f.Models.Ollama.Key == "" && f.Models.OpenAI.Key == "" {
		return nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return configError("read %s: %v", path, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return &Error{
			Kind: ErrConfig,
			What: fmt.Sprintf("%s holds a key, and others can read it", path),
			Hint: "make it readable by you alone (mode 600)",
		}
	}
	return nil
}

// embedder makes what the settings name; nil for the built-in one.
func (m Models) embedder() (index.Embedder, error) {
	if m.Embed == BuiltIn {
		return nil, nil
	}
	kind, name, _ := strings.Cut(m.Embed, "/")
	servers := map[string]Server{"ollama": m.Ollama, "openai": m.OpenAI}
	s, known := servers[kind]
	switch {
	case !known || strings.TrimSpace(name) == "":
		return nil, configError("models.embed %q is not builtin, ollama/NAME or openai/NAME (KIST_EMBED)", m.Embed)
	case s.URL == "":
		return nil, configError("models.embed is %q, but models.%s.url is not set (KIST_%s_URL), such as http://127.0.0.1:8080/v1", m.Embed, kind, strings.ToUpper(kind))
	}
	e, err := endpoint.New(s.URL, string(s.Key))
	if err != nil {
		return nil, configError("models.%s.url: %v", kind, err)
	}
	if kind == "ollama" {
		return ollama.NewEmbedder(e, name), nil
	}
	return openai.NewEmbedder(e, name), nil
}
