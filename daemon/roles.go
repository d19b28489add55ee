package daemon

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"kist/agent/models"
	"kist/vault/control"
)

// setRole returns settings in which a role has a model, with every other byte as it was.
// The error wraps models.ErrSettings.
func setRole(text []byte, role, ref string) ([]byte, error) {
	out, err := splice(text, role, ref)
	if err != nil {
		return nil, err
	}
	var check struct {
		Models map[string]yaml.Node `yaml:"models"`
	}
	if err := yaml.Unmarshal(out, &check); err != nil {
		return nil, fmt.Errorf("%w: %w", models.ErrSettings, err)
	}
	if got := check.Models[role]; got.Value != ref {
		return nil, fmt.Errorf("%w: they have a form in which models.%s can't be set; set it by hand", models.ErrSettings, role)
	}
	return out, nil
}

func splice(text []byte, role, ref string) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", models.ErrSettings, err)
	}
	value := quoteYAML(ref)
	lines := strings.SplitAfter(string(text), "\n")
	section := child(&doc, "models")
	switch {
	case section == nil:
		if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
			text = append(bytes.Clone(text), '\n')
		}
		return fmt.Appendf(bytes.Clone(text), "models:\n  %s: %s\n", role, value), nil
	case section.Kind != yaml.MappingNode || section.Style&yaml.FlowStyle != 0 || len(section.Content) == 0:
		return nil, fmt.Errorf("%w: models isn't written in lines; set models.%s by hand", models.ErrSettings, role)
	}
	for i := 0; i+1 < len(section.Content); i += 2 {
		key, old := section.Content[i], section.Content[i+1]
		if key.Value != role {
			continue
		}
		if old.Kind != yaml.ScalarNode || old.Line != key.Line || old.Anchor != "" || old.Tag != "!!str" || old.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) != 0 {
			return nil, fmt.Errorf("%w: models.%s isn't a value on its line; set it by hand", models.ErrSettings, role)
		}
		line := &lines[old.Line-1]
		start := byteAt(*line, old.Column)
		*line = (*line)[:start] + value + (*line)[start+written((*line)[start:], old):]
		return []byte(strings.Join(lines, "")), nil
	}
	first := section.Content[0]
	indent := strings.Repeat(" ", first.Column-1)
	lines[first.Line-1] = indent + role + ": " + value + "\n" + lines[first.Line-1]
	return []byte(strings.Join(lines, "")), nil
}

// child is the value of a key at the top of a document.
func child(doc *yaml.Node, key string) *yaml.Node {
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	top := doc.Content[0].Content
	for i := 0; i+1 < len(top); i += 2 {
		if top[i].Value == key {
			return top[i+1]
		}
	}
	return nil
}

// byteAt is where a column is, which yaml.v3 counts in runes from 1.
func byteAt(line string, column int) int {
	n := 0
	for i := range line {
		if n++; n == column {
			return i
		}
	}
	return len(line)
}

// written is how long a scalar is in its line.
func written(line string, n *yaml.Node) int {
	quote := byte(0)
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		quote = '"'
	case n.Style&yaml.SingleQuotedStyle != 0:
		quote = '\''
	default:
		return len(n.Value)
	}
	for i := 1; i < len(line); i++ {
		switch {
		case quote == '"' && line[i] == '\\', quote == '\'' && strings.HasPrefix(line[i:], "''"):
			i++
		case line[i] == quote:
			return i + 1
		}
	}
	return len(line)
}

// quoteYAML writes a model's name, which may have a colon in it.
func quoteYAML(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-", r)
	}
	if strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// writeRole gives a role to a model in the file of settings, for its owner alone to read,
// and for what reads it next. The error wraps models.ErrSettings.
func writeRole(getenv func(string) string, role, ref string) error {
	if name := "KIST_" + strings.ToUpper(role); getenv(name) != "" {
		return fmt.Errorf("%w: the daemon was started with %s=%s, which would win", models.ErrSettings, name, getenv(name))
	}
	path := machinePath(getenv)
	if path == "" {
		return fmt.Errorf("%w: there is no folder for them: set KIST_CONFIG, XDG_CONFIG_HOME or HOME", models.ErrSettings)
	}
	// A link leads to where the settings are kept, as in a folder of dotfiles.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	text, err := control.Read(path, maxConfig)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", models.ErrSettings, err)
	}
	out, err := setRole(text, role, ref)
	if err != nil {
		return err
	}
	if err := errors.Join(checkOwn(path), os.MkdirAll(filepath.Dir(path), 0o700)); err != nil {
		return fmt.Errorf("%w: %w", models.ErrSettings, err)
	}
	if err := writePrivate(path, out); err != nil {
		return fmt.Errorf("%w: %w", models.ErrSettings, err)
	}
	return nil
}
