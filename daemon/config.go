package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"kist/vault"
)

// maxConfig limits kist.yaml, which may come from somebody else: YAML of a few
// hundred kilobytes can keep the parser busy for seconds.
const maxConfig = 64 << 10

// Config is what can be set. A later source wins: defaults, kist.yaml, the machine's own
// file, the environment, the command line.
type Config struct {
	Layout  vault.Layout
	Policy  string            // of the agent: ask, balanced or auto
	Tools   map[string]string // rules of single tools: auto, ask or never
	Budget  Budget            // of models
	Learn   bool              // keep, on this machine, what the user picks of two readings
	Listen  string            // loopback address; KIST_LISTEN
	Origins []string          // of web pages that may call; KIST_ORIGINS, with commas
	Models  Models            // of this machine; never from kist.yaml
}

// file is kist.yaml. It travels with the vault, so nothing here may name a program,
// an address or a secret.
type file struct {
	Version int     `yaml:"version"`
	Folders folders `yaml:"folders"`
	Agent   policy  `yaml:"agent"`
}

type folders struct {
	Projects      string `yaml:"projects"`
	Drafts        string `yaml:"drafts"`
	Memories      string `yaml:"memories"`
	Conversations string `yaml:"conversations"`
	Sessions      string `yaml:"sessions"`
	Operations    string `yaml:"operations"`
}

type policy struct {
	Policy string            `yaml:"policy"`
	Tools  map[string]string `yaml:"tools"`
	Budget Budget            `yaml:"budget"`
	Learn  bool              `yaml:"learn"`
}

// Budget limits what a model may use, in tokens in and out together; zero is no limit.
type Budget struct {
	Turn int `yaml:"turn"` // of one turn
	Day  int `yaml:"day"`  // of one day on this machine
}

// check refuses what can only be a mistake.
func (b Budget) check() error {
	switch {
	case b.Turn < 0:
		return fmt.Errorf("agent.budget.turn %d is below zero; 0 is no limit", b.Turn)
	case b.Day < 0:
		return fmt.Errorf("agent.budget.day %d is below zero; 0 is no limit", b.Day)
	case b.Turn > 0 && b.Turn < leastBudget, b.Day > 0 && b.Day < leastBudget:
		return fmt.Errorf("agent.budget: less than %d tokens isn't enough for one answer; 0 is no limit", leastBudget)
	case b.Day > 0 && b.Turn > b.Day:
		return fmt.Errorf("agent.budget.turn %d is more than agent.budget.day %d", b.Turn, b.Day)
	}
	return nil
}

// leastBudget is about what the instructions and the tools of one request take.
const leastBudget = 1000

// LoadConfig reads the kist.yaml of a vault and the machine's own file, which may be
// missing, and the environment. The error is an [*Error] that wraps [ErrConfig].
func LoadConfig(dir string, getenv func(string) string) (Config, error) {
	f := file{
		Version: 1,
		Folders: folders(vault.DefaultLayout()),
		Agent:   policy{Policy: "balanced", Learn: true},
	}
	if err := readYAML(filepath.Join(dir, vault.ConfigFile), vault.ConfigFile, &f); err != nil {
		return Config{}, err
	}
	if err := f.check(); err != nil {
		return Config{}, configError("%s: %v", vault.ConfigFile, err)
	}
	c := Config{
		Layout: vault.Layout(f.Folders),
		Policy: f.Agent.Policy,
		Tools:  f.Agent.Tools,
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
	var err error
	c.Models, err = loadModels(getenv)
	return c, err
}

func configError(format string, args ...any) error {
	return &Error{
		Kind: ErrConfig,
		What: fmt.Sprintf(format, args...),
		Hint: "correct it and start again; what is left out has its default value",
	}
}

// readYAML reads a file of settings, if there is one; name is what errors call it.
func readYAML(path, name string, into any) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return configError("read %s: %v", name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return configError("read %s: %v", name, err)
	}
	if len(text) > maxConfig {
		return configError("%s is over %d KiB", name, maxConfig>>10)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return configError("%s: %s", name, explain(err))
	}
	return nil
}

var unknownKey = regexp.MustCompile(`^line (\d+): field (.*) not found in type daemon\.(\w+)$`)

// explain puts a fault that yaml found into the words of the file.
func explain(err error) string {
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	var out []string
	for _, fault := range faults.Errors {
		if m := unknownKey.FindStringSubmatch(fault); m != nil {
			fault = fmt.Sprintf("line %s: unknown key %q (known: %s)", m[1], m[2], strings.Join(keysOf(m[3]), ", "))
		}
		out = append(out, fault)
	}
	return strings.Join(out, "; ")
}

// keysOf returns the keys that a part of the file may have.
func keysOf(part string) []string {
	var keys []string
	for _, v := range []any{file{}, folders{}, policy{}, Budget{}, machineFile{}, modelsFile{}, serverFile{}} {
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
