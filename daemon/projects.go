package daemon

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"kist/vault/catalog"
)

// A projectsSection says which notes are projects where they lie. It loosens nothing.
type projectsSection struct {
	From ruleList `yaml:"from"`
}

// A ruleList is held against the rules for rules while it is read, so that a fault has its line.
type ruleList []string

// UnmarshalYAML implements [yaml.Unmarshaler].
func (l *ruleList) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return fmt.Errorf("line %d: projects.from is a list, such as [\"Projects/*.md\", \"tag:project\"]", n.Line)
	}
	for _, each := range n.Content {
		if each.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: projects.from has something that is no text", each.Line)
		}
		if _, err := catalog.ParseRules([]string{each.Value}); err != nil {
			return fmt.Errorf("line %d: projects.from: %w", each.Line, err)
		}
		*l = append(*l, each.Value)
	}
	if _, err := catalog.ParseRules(*l); err != nil {
		return fmt.Errorf("line %d: projects.from: %w", n.Line, err)
	}
	return nil
}

// ProjectsFrom returns the rules for which notes are projects, as the file has them now or,
// where it can't be read, had them before.
func (r *rules) ProjectsFrom() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.look()
	return r.from
}
