package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"kist/agent/budget"
	"kist/agent/endpoint"
	"kist/agent/models"
	"kist/agent/ollama"
	"kist/agent/openai"
	"kist/agent/private"
	"kist/index/served"
	"kist/vault/control"
)

// machineConfig is the file of settings that concern this machine, for all of its
// vaults. It lies outside of them, because what comes with a vault must not say where
// its text is sent, or hold a key.
const machineConfig = "kist/config.yaml"

// BuiltIn is the embedder that needs no server.
const BuiltIn = "builtin"

// Where servers are unless the settings say otherwise: of Anthropic a key has to be there
// before anything is sent.
const (
	ollamaURL    = "http://127.0.0.1:11434"
	anthropicURL = "https://api.anthropic.com"
)

// Models says which models are used, and where they are. The file is config.yaml in the
// folder kist of the user's settings, or what KIST_CONFIG names:
//
//	models:
//	  chat: ollama/qwen3:8b              # or openai/NAME, anthropic/NAME, or offline; KIST_CHAT
//	  fallback: anthropic/NAME           # takes over where chat can't be had
//	  fast: ollama/qwen3:1.7b            # for summaries and the like; KIST_FAST
//	  embed: ollama/nomic-embed-text     # or openai/NAME, or builtin; KIST_EMBED
//	  context: 16384                     # tokens of the window to use, at most; of Ollama by the free memory
//	  keep_alive: 30m                    # how long Ollama keeps the model loaded
//	  instant: true                      # what is certain is done at once, without the model
//	  private:                           # kept from models that aren't on this machine
//	    folders: [journal]
//	    tags: [private]                  # unless it is set, that one
//	    projects: [divorce]              # by their folders' names
//	  prices:                            # of a million tokens, in your currency
//	    anthropic/NAME: {input: 3, output: 15, cached: 0.3}
//	  budget: {turn: 0.5, day: 2, month: 20}               # in that currency
//	  ollama: {url: http://127.0.0.1:11434}                # KIST_OLLAMA_URL, KIST_OLLAMA_KEY
//	  openai: {url: http://127.0.0.1:8080/v1, key: secret} # KIST_OPENAI_URL, KIST_OPENAI_KEY
//	  anthropic: {url: https://api.anthropic.com, keyring: true} # KIST_ANTHROPIC_URL, KIST_ANTHROPIC_KEY
//
// Without any of it no network is used.
type Models struct {
	Chat      string // offline, ollama/NAME, openai/NAME or anthropic/NAME
	ChatSet   bool   // the settings say so, and it isn't the default
	Fallback  string // takes over from it, as Chat; empty: nothing does
	Fast      string // for what is no conversation, as Chat; empty: kist does that alone
	Embed     string // builtin, ollama/NAME or openai/NAME
	Context   int    // tokens; 0: what the server tells
	KeepAlive time.Duration
	Patient   bool // nothing is done without the model
	// Fault: what is said of the model of conversations makes no sense, so there is none
	// until it does; all else goes on.
	Fault     error
	OfChat    bool  // it is a fault of Chat alone
	Awry      error // why nothing can be made of Fallback
	Private   private.Marks
	Prices    map[string]budget.Price // by the model's name, or its server's kind
	Spend     budget.Limit            // in the currency of the prices
	Ollama    Server
	OpenAI    Server
	Anthropic Server
}

// A Server is where models are.
type Server struct {
	URL string
	Key Secret // empty: none is sent
	// Fault: the settings have the key in the system's keyring, and it can't be had.
	Fault error
	// Remote: it passes on what it gets to other machines, though it is on this one.
	Remote bool
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
	Chat      lenient[string]                        `yaml:"chat"`
	Fallback  lenient[string]                        `yaml:"fallback"`
	Fast      lenient[string]                        `yaml:"fast"`
	Embed     string                                 `yaml:"embed"`
	Context   lenient[int]                           `yaml:"context"`
	KeepAlive lenient[string]                        `yaml:"keep_alive"`
	Instant   lenient[bool]                          `yaml:"instant"`
	Private   privateFile                            `yaml:"private"`
	Prices    lenient[map[string]map[string]float64] `yaml:"prices"`
	Budget    lenient[map[string]float64]            `yaml:"budget"`
	Ollama    serverFile                             `yaml:"ollama"`
	OpenAI    serverFile                             `yaml:"openai"`
	Anthropic serverFile                             `yaml:"anthropic"`
}

// A lenient setting that has no such value keeps the one it had, and the fault, which ends
// nothing but what needs it.
type lenient[T any] struct {
	value T
	set   bool
	fault error
}

// UnmarshalYAML is for package yaml.
func (l *lenient[T]) UnmarshalYAML(n *yaml.Node) error {
	l.set, l.fault = true, n.Decode(&l.value)
	return nil
}

// The limits of context: below, not even the rules fit.
const (
	minContext = 2048
	maxContext = 4 << 20
)

type privateFile struct {
	Folders  []string `yaml:"folders"`
	Tags     []string `yaml:"tags"`
	Projects []string `yaml:"projects"`
}

type serverFile struct {
	URL     string `yaml:"url"`
	Key     string `yaml:"key"`
	Keyring bool   `yaml:"keyring"` // the key is there
	Remote  bool   `yaml:"remote"`
}

// loadModels reads this machine's settings: defaults, the file, the environment.
func loadModels(getenv func(string) string) (Models, error) {
	f := machineFile{modelsFile{Chat: lenient[string]{value: models.Offline}, Embed: BuiltIn, Instant: lenient[bool]{value: true}, Private: privateFile{Tags: []string{private.DefaultTag}}, Ollama: serverFile{URL: ollamaURL}, Anthropic: serverFile{URL: anthropicURL}}}
	path := machinePath(getenv)
	if path != "" {
		text, err := control.ReadLinked(path, maxConfig+1)
		if text, err = settings(text, err, path); err != nil {
			return Models{}, err
		}
		if err := parseYAML(text, path, &f); err != nil {
			return Models{}, err
		}
		if err := errors.Join(checkPrivate(path, f), checkOwn(path)); err != nil {
			return Models{}, err
		}
	}
	for name, value := range map[string]*string{
		"KIST_EMBED": &f.Models.Embed, "KIST_CHAT": &f.Models.Chat.value, "KIST_FAST": &f.Models.Fast.value,
		"KIST_ANTHROPIC_URL": &f.Models.Anthropic.URL, "KIST_ANTHROPIC_KEY": &f.Models.Anthropic.Key,
		"KIST_OLLAMA_URL": &f.Models.Ollama.URL, "KIST_OLLAMA_KEY": &f.Models.Ollama.Key,
		"KIST_OPENAI_URL": &f.Models.OpenAI.URL, "KIST_OPENAI_KEY": &f.Models.OpenAI.Key,
	} {
		if s := getenv(name); s != "" {
			*value = s
		}
	}
	if getenv("KIST_CHAT") != "" {
		f.Models.Chat.fault = nil
	}
	faults := f.Models.readKeys(getenv)
	m := Models{
		Chat: f.Models.Chat.value, ChatSet: f.Models.Chat.set || getenv("KIST_CHAT") != "", Fallback: f.Models.Fallback.value, Fast: f.Models.Fast.value, Embed: f.Models.Embed, Context: f.Models.Context.value, Patient: !f.Models.Instant.value,
		Private: private.Marks(f.Models.Private),
		Ollama:  f.Models.Ollama.server(), OpenAI: f.Models.OpenAI.server(), Anthropic: f.Models.Anthropic.server(),
	}
	m.Ollama.Fault, m.OpenAI.Fault, m.Anthropic.Fault = faults["ollama"], faults["openai"], faults["anthropic"]
	if err := m.Private.Check(); err != nil { // what doesn't protect as it is meant to ends the start
		return m, configError("%s: models.%v", path, err)
	}
	if _, err := m.embedder(); err != nil {
		return m, err
	}
	if err := m.checkChat(f.Models); err != nil {
		from := path
		if getenv("KIST_CHAT") != "" {
			from = "KIST_CHAT"
		}
		m.Fault = caused{configError("%s: %v", from, err), err}
	}
	m.OfChat = m.OfChat && m.Fault != nil
	if fault := f.Models.Fallback.fault; fault != nil {
		m.Awry = configError("%s: models.fallback: %s", path, explain(fault))
	}
	return m, nil
}

// checkChat completes what concerns conversations, and says what makes no sense in it.
func (m *Models) checkChat(f modelsFile) error {
	for _, setting := range []struct {
		name  string
		fault error
	}{{"fast", f.Fast.fault}, {"context", f.Context.fault}, {"keep_alive", f.KeepAlive.fault}, {"instant", f.Instant.fault}, {"prices", f.Prices.fault}, {"budget", f.Budget.fault}} {
		if setting.fault != nil {
			return fmt.Errorf("models.%s: %s", setting.name, explain(setting.fault))
		}
	}
	if m.Context != 0 && (m.Context < minContext || m.Context > maxContext) {
		return fmt.Errorf("models.context is %d; it is a number of tokens from %d to %d", m.Context, minContext, maxContext)
	}
	if text := f.KeepAlive.value; text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 || d > 30*24*time.Hour {
			return fmt.Errorf("models.keep_alive %q is no length of time such as 30m", text)
		}
		m.KeepAlive = d
	}
	if err := m.checkCosts(f); err != nil {
		return err
	}
	m.OfChat = true
	if fault := f.Chat.fault; fault != nil {
		return fmt.Errorf("models.chat: %s", explain(fault))
	}
	return m.settings("").Check()
}

// checkCosts takes prices and limits. A key that isn't known would be a limit that limits
// nothing.
func (m *Models) checkCosts(f modelsFile) error {
	limits := f.Budget.value
	if err := onlyKeys("models.budget", limits, "turn", "day", "month"); err != nil {
		return err
	}
	m.Spend = budget.Limit{Turn: limits["turn"], Day: limits["day"], Month: limits["month"]}
	if err := m.Spend.Check(); err != nil {
		return fmt.Errorf("models.budget: %w", err)
	}
	for name, p := range f.Prices.value {
		if _, _, err := models.Split(name); err != nil && !slices.Contains(models.Kinds(), name) {
			return fmt.Errorf("models.prices: %q is neither a model such as ollama/NAME nor one of %s", name, strings.Join(models.Kinds(), ", "))
		}
		if err := onlyKeys("models.prices: "+name, p, "input", "output", "cached"); err != nil {
			return err
		}
		_, reads := p["input"]
		if _, writes := p["output"]; !reads || !writes { // what is left out isn't free
			return fmt.Errorf("models.prices: %s: both input and output are needed, for a million tokens", name)
		}
		price := budget.Price{Input: p["input"], Output: p["output"], Cached: p["cached"]}
		if err := price.Check(); err != nil {
			return fmt.Errorf("models.prices: %s: %w", name, err)
		}
		if m.Prices == nil {
			m.Prices = map[string]budget.Price{}
		}
		m.Prices[name] = price
	}
	return nil
}

func onlyKeys(what string, values map[string]float64, known ...string) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, key) {
			return fmt.Errorf("%s: unknown key %q (known: %s)", what, key, strings.Join(known, ", "))
		}
	}
	return nil
}

// ModelSettings are this machine's, from its file and the environment, without a vault's. The
// error is an [*Error] that wraps [ErrConfig].
func ModelSettings(getenv func(string) string) (models.Settings, error) {
	m, err := loadModels(getenv)
	return m.settings(machinePath(getenv)), err
}

// settings are what package models takes.
func (m Models) settings(path string) models.Settings {
	return models.Settings{
		Chat: m.Chat, Fallback: m.Fallback, Fast: m.Fast, Embed: m.Embed, Context: m.Context, KeepAlive: m.KeepAlive, Patient: m.Patient, Path: path, Private: m.Private.Words(), Fault: m.Fault, OfChat: m.OfChat, FallbackFault: m.Awry,
		Prices: m.Prices, Priced: m.Spend != budget.Limit{},
		Servers: map[string]models.Server{
			"ollama":    {URL: m.Ollama.URL, Key: string(m.Ollama.Key), Fault: m.Ollama.Fault, Set: m.Ollama.URL != ollamaURL || m.Ollama.Fault != nil, Remote: m.Ollama.Remote},
			"openai":    {URL: m.OpenAI.URL, Key: string(m.OpenAI.Key), Fault: m.OpenAI.Fault, Set: m.OpenAI.URL != "", Remote: m.OpenAI.Remote},
			"anthropic": {URL: m.Anthropic.URL, Key: string(m.Anthropic.Key), Fault: m.Anthropic.Fault, Set: m.Anthropic.Key != "" || m.Anthropic.Fault != nil},
		},
	}
}

func (s serverFile) server() Server {
	return Server{URL: s.URL, Key: Secret(s.Key), Remote: s.Remote}
}

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

// checkOwn refuses settings that lie in a vault, through links too: a pull could say
// where the text of all vaults is sent.
func checkOwn(path string) error {
	path, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return configError("read %s: %v", path, err)
	}
	if around := vaultAround(filepath.Dir(path)); around != "" {
		return &Error{
			Kind: ErrConfig,
			What: fmt.Sprintf("the settings of this machine, %s, lie in the vault %s and may have come with it", path, around),
			Hint: "keep them in a folder of your own outside of every vault, and name it with KIST_CONFIG or XDG_CONFIG_HOME",
		}
	}
	return nil
}

// checkPrivate refuses a key that others on this machine can read.
func checkPrivate(path string, f machineFile) error {
	if runtime.GOOS == "windows" || f.Models.Ollama.Key == "" && f.Models.OpenAI.Key == "" && f.Models.Anthropic.Key == "" {
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

// away reports whether texts to embed leave this machine.
func (m Models) away() bool {
	kind, _, _ := strings.Cut(m.Embed, "/")
	s, known := map[string]Server{"ollama": m.Ollama, "openai": m.OpenAI}[kind]
	if !known {
		return false
	}
	e, err := endpoint.New(s.URL, "")
	return err != nil || !e.Local() || s.Remote
}

// embedder makes what the settings name; nil for the built-in one.
func (m Models) embedder() (served.Embedder, error) {
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
