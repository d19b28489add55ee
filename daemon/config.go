package daemon

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"kist/agent/budget"
	"kist/vault"
	"kist/vault/control"
	"kist/vault/pattern"
)

// maxConfig limits kist.yaml, which may come from somebody else: YAML of a few
// hundred kilobytes can keep the parser busy for seconds.
const maxConfig = 64 << 10

// Config is what can be set for a daemon's life; what the agent may do is in rules, since
// it can change meanwhile. A later source wins: defaults, kist.yaml, the machine's own
// file, the environment, the command line.
type Config struct {
	Layout  vault.Layout
	Budget  Budget   // of models
	Learn   bool     // keep, on this machine, what the user picks of two readings
	Listen  string   // loopback address; KIST_LISTEN
	Origins []string // of web pages that may call; KIST_ORIGINS, with commas
	Models  Models   // of this machine; never from kist.yaml

}

// file is kist.yaml. It travels with the vault, so nothing here may name a program,
// an address or a secret.
type file struct {
	Version int          `yaml:"version"`
	Folders folders      `yaml:"folders"`
	Agent   agentSection `yaml:"agent"`
	Sync    syncSection  `yaml:"sync"`

	Projects projectsSection `yaml:"projects"`
}

// A syncSection can only ask for less to be shared, so that it counts without trust; what it
// stops asking for goes on until this machine's user sets sync up again.
type syncSection struct {
	LeaveOut []string `yaml:"leave_out"`
}

func (s syncSection) check() error {
	if len(s.LeaveOut) > maxLeftOut {
		return fmt.Errorf("sync.leave_out: more than %d patterns", maxLeftOut)
	}
	for _, p := range s.LeaveOut {
		if p == "" || strings.HasPrefix(p, "!") || strings.HasPrefix(p, "#") || strings.ContainsAny(p, "\n\r\x00") {
			return fmt.Errorf("sync.leave_out: %q is no pattern such as drafts/ or *.private.md", p)
		}
	}
	return nil
}

const maxLeftOut = 100

type folders struct {
	Projects      string `yaml:"projects"`
	Drafts        string `yaml:"drafts"`
	Memories      string `yaml:"memories"`
	Conversations string `yaml:"conversations"`
	Sessions      string `yaml:"sessions"`
	Operations    string `yaml:"operations"`
}

// An agentSection is what rules make a policy of; the digest of it is what is trusted.
type agentSection struct {
	Policy string            `yaml:"policy"`
	Tools  map[string]string `yaml:"tools"`
	Budget Budget            `yaml:"budget"`
	Learn  bool              `yaml:"learn"`
}

// Budget limits what a model may use, in tokens in and out together; zero is no limit.
type Budget struct {
	Turn int `yaml:"turn"` // of one turn
	Day  int `yaml:"day"`  // of one day on this machine
	// Of one calendar month there. It isn't in the digest where it isn't set, as it was before
	// it could be.
	Month int `yaml:"month" json:",omitempty"`
}

func (b Budget) limit() budget.Limit {
	return budget.Limit{Turn: float64(b.Turn), Day: float64(b.Day), Month: float64(b.Month)}
}

// check refuses what can only be a mistake.
func (b Budget) check() error {
	if err := b.limit().Check(); err != nil {
		return fmt.Errorf("agent.budget: %w", err)
	}
	for _, n := range []int{b.Turn, b.Day, b.Month} {
		if n > 0 && n < leastBudget {
			return fmt.Errorf("agent.budget: less than %d tokens isn't enough for one answer; 0 is no limit", leastBudget)
		}
	}
	return nil
}

// leastBudget is about what the instructions and the tools of one request take.
const leastBudget = 1000

// LoadConfig reads the kist.yaml of a vault and the machine's own file, which may be
// missing, and the environment. The error is an [*Error] that wraps [ErrConfig].
func LoadConfig(dir string, getenv func(string) string) (Config, error) {
	text, err := control.ReadWithin(dir, vault.ConfigFile, maxConfig+1)
	if text, err = settings(text, err, vault.ConfigFile); err != nil {
		return Config{}, err
	}
	f, err := parseFile(text)
	if err != nil {
		return Config{}, err
	}
	c := Config{
		Layout: vault.Layout(f.Folders),
		Budget: f.Agent.Budget,
		Learn:  f.Agent.Learn,
		Listen: "127.0.0.1:0",
	}
	if s := getenv("KIST_LISTEN"); s != "" {
		c.Listen = s
	}
	for origin := range strings.SplitSeq(getenv("KIST_ORIGINS"), ",") {
		origin = strings.TrimSpace(origin)
		if origin == "" {
			continue
		}
		if origin == "*" || origin == "null" || !strings.Contains(origin, "://") {
			return Config{}, configError("KIST_ORIGINS: %q is not an origin such as https://notes.example", origin)
		}
		c.Origins = append(c.Origins, origin)
	}
	c.Models, err = loadModels(getenv)
	return c, err
}

// parseFile reads the text of a kist.yaml; what is left out has its default value.
func parseFile(text []byte) (file, error) {
	f := file{
		Version: 1,
		Folders: folders(vault.DefaultLayout()),
		Agent:   agentSection{Policy: "balanced", Learn: true},
	}
	if err := parseYAML(text, vault.ConfigFile, &f); err != nil {
		return file{}, err
	}
	if err := f.check(); err != nil {
		return file{}, configError("%s: %v", vault.ConfigFile, err)
	}
	return f, nil
}

func configError(format string, args ...any) error {
	return &Error{
		Kind: ErrConfig,
		What: fmt.Sprintf(format, args...),
		Hint: "correct it and start again; what is left out has its default value",
	}
}

// settings returns the text of a file of settings that was read, none where there is no
// file, or says why it couldn't be read; name is what errors call it.
func settings(text []byte, readErr error, name string) ([]byte, error) {
	switch {
	case errors.Is(readErr, fs.ErrNotExist):
		return nil, nil
	case errors.Is(readErr, control.ErrNotRegular):
		return nil, &Error{Kind: ErrConfig, What: name + " is not a regular file", Hint: "move it away and start again; without one, everything has its default value"}
	case readErr != nil:
		return nil, configError("read %s: %v", name, readErr)
	}
	if len(text) > maxConfig {
		return nil, configError("%s is over %d KiB", name, maxConfig>>10)
	}
	return text, nil
}

func parseYAML(text []byte, name string, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return configError("%s: %s", name, explain(err))
	}
	return nil
}

var (
	unknownKey = pattern.Lazy(`^line (\d+): field (.*) not found in type daemon\.(\w+)$`)
	wrongKind  = pattern.Lazy(`(?s)^line (\d+): cannot unmarshal !!(\w+)(?: (.*))? into (\S+)$`)
)

// kinds are what settings hold, by what yaml calls it.
var kinds = map[string]string{"int": "a whole number", "float64": "a number", "bool": "true or false", "string": "text", "map": "keys with values", "seq": "a list"}

// explain puts a fault that yaml found into the words of the file.
func explain(err error) string {
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	var out []string
	for _, fault := range faults.Errors {
		if m := unknownKey().FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("line %s: unknown key %q (known: %s)", m[1], m[2], strings.Join(keysOf(m[3]), ", "))
		}
		if m := wrongKind().FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("line %s: %s is not %s", m[1], cmp.Or(m[3], kinds[m[2]], "this"), cmp.Or(kinds[m[4]], "keys with values"))
		}
		out = append(out, fault)
	}
	return strings.Join(out, "; ")
}

// keysOf returns the keys that a part of the file may have.
func keysOf(part string) []string {
	var keys []string
	for _, v := range []any{file{}, folders{}, agentSection{}, syncSection{}, projectsSection{}, Budget{}, machineFile{}, modelsFile{}, privateFile{}, serverFile{}} {
		if t := reflect.TypeOf(v); t.Name() == part {
			for i := range t.NumField() {
				keys = append(keys, t.Field(i).Tag.Get("yaml"))
			}
		}
	}
	return keys
}

func (f file) check() error {
	if f.Version != 1 {
		return fmt.Errorf("version %d is not known to this program, which reads version 1", f.Version)
	}
	if presets := []string{"ask", "balanced", "auto"}; !slices.Contains(presets, f.Agent.Policy) {
		return fmt.Errorf("agent.policy %q (known: %s)", f.Agent.Policy, strings.Join(presets, ", "))
	}
	for name, rule := range f.Agent.Tools {
		if rules := []string{"auto", "ask", "never"}; !slices.Contains(rules, rule) {
			return fmt.Errorf("agent.tools.%s %q (known: %s)", name, rule, strings.Join(rules, ", "))
		}
	}
	if err := f.Agent.Budget.check(); err != nil {
		return err
	}
	if err := f.Sync.check(); err != nil {
		return err
	}
	seen := map[string]string{}
	v := reflect.ValueOf(f.Folders)
	for i := range v.NumField() {
		key, dir := "folders."+v.Type().Field(i).Tag.Get("yaml"), v.Field(i).String()
		if err := checkFolder(dir); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if other, taken := seen[dir]; taken {
			return fmt.Errorf("%s and %s are both %q", other, key, dir)
		}
		seen[dir] = key
	}
	return nil
}

// checkFolder accepts a relative path below the vault of visible names only: what
// starts with a dot is neither watched nor indexed.
func checkFolder(dir string) error {
	if dir == "" || strings.Contains(dir, `\`) || !fs.ValidPath(dir) || dir == "." {
		return fmt.Errorf("%q is not the name of a folder in the vault", dir)
	}
	for part := range strings.SplitSeq(dir, "/") {
		if strings.HasPrefix(part, ".") {
			return fmt.Errorf("%q is hidden: its files would be neither watched nor searched", dir)
		}
	}
	return nil
}
